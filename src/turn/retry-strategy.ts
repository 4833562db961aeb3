import { STEPPED_PATIENT, schedule } from "../kernel/index.ts";
import { sleep } from "../system/index.ts";

/** K1: when a step that failed is tried again, and how the time until then is spent. */
export interface RetryStrategy {
  /**
   * The wait before retry 0, 1, 2 … in ms; undefined (or null, from JavaScript): no more. Pure. If it throws or returns anything
   * else, the fault is reported and the step ends with the provider's error.
   */
  delayFor(attempt: number): number | undefined;
  /** Resolves after so much time; rejects as soon as the signal aborts. If it fails, the step ends as with `delayFor`. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** K5: from five seconds to half an hour between tries, for eight hours: 21 retries, 27,105 s in all. */
export function patientStrategy(wait: RetryStrategy["sleep"] = sleep): RetryStrategy {
  const { delayFor } = schedule(STEPPED_PATIENT);
  return { delayFor: (attempt) => delayFor(attempt + 1), sleep: wait };
}
