/** C7: retry statistics. A cancelled wait does not count as a retry: it led to no call. */
export interface RetryTally {
  readonly generations: number;
  readonly retries: number;
  /** Generations in which something was retried, those of them that got their answer, and those that the user ended. */
  readonly retried: number;
  readonly recovered: number;
  readonly cancelled: number;
  /** Waits before retries, in all. */
  readonly waitedMs: number;
  /** From the first failure to the end, in all. */
  readonly retryingMs: number;
  /** By HTTP status, or by kind where no status names the failure. */
  readonly statuses: Readonly<Record<string, StatusTally>>;
}

export interface StatusTally {
  readonly failures: number;
  readonly retries: number;
  readonly worked: number;
}
