import type { Admission, Failure, Health, Policy, Target } from "../../../kernel/index.ts";
import { DENIED_MS } from "./denied.ts";

const CAPACITY = 500;
const RETRY_COST = 5;
const TIMEOUT_COST = 10;
const REFILL = 1;

/**
 * The retry quota of the AWS SDK's standard mode: a retry takes tokens, a success after a retry returns them, and a success at the first
 * try adds one. A generation that finds too few ends. The engine does not say which failure a retry follows: the latest one sets the price.
 */
export class RetryQuota implements Health {
  readonly isQuiet = false;
  #tokens = CAPACITY;
  #cost = RETRY_COST;
  /** What retries that are under way have paid, by the moment at which they asked. */
  readonly #paid = new Map<number, number[]>();

  get tokens(): number {
    return this.#tokens;
  }

  blockedForMs(): number {
    return 0;
  }

  admit(_target: Target, _policy: Policy, nowMs: number, isRetry: boolean): number {
    if (!isRetry) return 0;
    if (this.#tokens < this.#cost) return DENIED_MS;
    this.#tokens -= this.#cost;
    const paid = this.#paid.get(nowMs);
    if (paid === undefined) this.#paid.set(nowMs, [this.#cost]);
    else paid.push(this.#cost);
    return 0;
  }

  succeeded(attempt: Admission): void {
    this.#tokens = Math.min(CAPACITY, this.#tokens + (this.#takePaid(attempt) ?? REFILL));
  }

  failed(attempt: Admission, { kind }: Failure): void {
    this.#takePaid(attempt);
    this.#cost = kind === "timeout" || kind === "silent" || kind === "stalled" ? TIMEOUT_COST : RETRY_COST;
  }

  released(attempt: Admission): void {
    this.#takePaid(attempt);
  }

  coolDown(): void {
    // It remembers nothing about a target.
  }

  #takePaid({ admittedAtMs }: Admission): number | undefined {
    const paid = this.#paid.get(admittedAtMs);
    const cost = paid?.pop();
    if (paid?.length === 0) this.#paid.delete(admittedAtMs);
    return cost;
  }
}
