import type { Failure, GenerationEvent } from "../../kernel/index.ts";

/** How retries fared after failures of one status. */
export interface StatusMetrics {
  readonly failures: number;
  readonly retries: number;
  /** Retries after which the answer came. */
  readonly worked: number;
}

export interface MetricsReport {
  readonly exchanges: number;
  readonly retries: number;
  /** Exchanges in which something was tried again, and how many of them got their answer. */
  readonly retried: number;
  readonly recovered: number;
  /** Waits before retries, in all. */
  readonly waitedMs: number;
  /** From the first failure to the end, of the exchanges that were retried, in all. */
  readonly retryingMs: number;
  /** By HTTP status, or by kind where there was none that tells of a failure. */
  readonly statuses: ReadonlyMap<string, StatusMetrics>;
}

type Totals = Omit<MetricsReport, "statuses">;

const NONE: StatusMetrics = { failures: 0, retries: 0, worked: 0 };

/** C7: what the retries of this session came to. */
export class RetryMetrics {
  #totals: Totals = { exchanges: 0, retries: 0, retried: 0, recovered: 0, waitedMs: 0, retryingMs: 0 };
  readonly #statuses = new Map<string, StatusMetrics>();

  get report(): MetricsReport {
    return { ...this.#totals, statuses: new Map(this.#statuses) };
  }

  /** Listens to one generation. A wait that was cancelled is no retry: no call came of it. */
  watch(): (event: GenerationEvent) => void {
    let failure: Failure | undefined;
    let failedAt: number | undefined;
    let waitedMs = 0;
    let retries = 0;
    return (event) => {
      if (event.type === "wait-end") waitedMs += event.waitedMs;
      else if (event.type === "attempt-start" && failure !== undefined) {
        retries++;
        this.#add({ retries: 1, waitedMs });
        this.#count(failure, { retries: 1 });
        waitedMs = 0;
      } else if (event.type === "attempt-end") {
        if (event.ok && failure !== undefined) this.#count(failure, { worked: 1 });
        failure = event.failure;
        if (failure === undefined) return;
        failedAt ??= event.at;
        this.#count(failure, { failures: 1 });
      } else if (event.type === "generation-end") {
        this.#add({ exchanges: 1 });
        if (retries === 0 || failedAt === undefined) return;
        this.#add({ retried: 1, recovered: event.receipt.complete ? 1 : 0, retryingMs: event.at - failedAt });
      }
    };
  }

  #add(more: Partial<Totals>): void {
    this.#totals = sum(this.#totals, more);
  }

  #count({ status, kind }: Failure, more: Partial<StatusMetrics>): void {
    const name = status === undefined || status < 400 ? kind : String(status);
    this.#statuses.set(name, sum(this.#statuses.get(name) ?? NONE, more));
  }
}

function sum<T extends Readonly<Record<keyof T, number>>>(totals: T, more: Partial<Record<keyof T, number>>): T {
  const keys = Object.keys(totals) as (keyof T)[];
  return Object.fromEntries(keys.map((key) => [key, totals[key] + (more[key] ?? 0)])) as T;
}
