import asyncRetry from "async-retry";
import {
  ConsecutiveBreaker,
  ConstantBackoff,
  circuitBreaker,
  handleAll,
  retry,
  TimeoutStrategy,
  timeout,
  wrap,
} from "cockatiel";
import { backOff } from "exponential-backoff";
import CircuitBreaker from "opossum";
import pRetry from "p-retry";
import { resilient } from "secondwind";

/** The call that every engine carries. */
export type Call = () => Promise<number>;

/** One engine at its best settings: runs the call, retries it up to twice, `delayMs` apart. */
export interface Engine {
  readonly name: string;
  prepare(call: Call, delayMs: number): Call;
  /** What one cannot ask of it: a breaker alone does not retry. */
  readonly retries: boolean;
}

const RETRIES = 2;

/** What people write today, and the floor: a loop with a sleep. */
const bareLoop: Engine = {
  name: "bare loop",
  retries: true,
  prepare: (call, delayMs) => async () => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        if (attempt === RETRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  },
};

/** Watchdogs and breaker on, as in the recommended policy; no listener. */
const ours: Engine = {
  name: "secondwind",
  retries: true,
  prepare: (call, delayMs) =>
    resilient(call, {
      schedules: { general: { type: "fixed", delayMs, atMost: RETRIES } },
      breaker: { failures: 1_000_000 },
      budget: { capacity: 1_000_000 },
      maxDelayMs: null,
      patienceMs: null,
    }),
};

const cockatielRetry: Engine = {
  name: "cockatiel retry",
  retries: true,
  prepare: (call, delayMs) => {
    const policy = retry(handleAll, { maxAttempts: RETRIES, backoff: new ConstantBackoff(delayMs) });
    return () => policy.execute(call);
  },
};

const cockatielAll: Engine = {
  name: "cockatiel retry+breaker+timeout",
  retries: true,
  prepare: (call, delayMs) => {
    const policy = wrap(
      retry(handleAll, { maxAttempts: RETRIES, backoff: new ConstantBackoff(delayMs) }),
      circuitBreaker(handleAll, { halfOpenAfter: 10_000, breaker: new ConsecutiveBreaker(1_000_000) }),
      timeout(300_000, TimeoutStrategy.Aggressive),
    );
    return () => policy.execute(call);
  },
};

const peerAsyncRetry: Engine = {
  name: "async-retry",
  retries: true,
  prepare: (call, delayMs) => () =>
    asyncRetry(call, { retries: RETRIES, minTimeout: delayMs, maxTimeout: delayMs, factor: 1, randomize: false }),
};

const peerBackOff: Engine = {
  name: "exponential-backoff",
  retries: true,
  prepare: (call, delayMs) => () =>
    backOff(call, {
      numOfAttempts: RETRIES + 1,
      startingDelay: delayMs,
      maxDelay: delayMs,
      timeMultiple: 1,
      jitter: "none",
    }),
};

const peerPRetry: Engine = {
  name: "p-retry",
  retries: true,
  prepare: (call, delayMs) => () =>
    pRetry(call, { retries: RETRIES, minTimeout: delayMs, maxTimeout: delayMs, factor: 1, randomize: false }),
};

/** A breaker with a timeout; it never retries, so it stands in the success table only. */
const peerOpossum: Engine = {
  name: "opossum (breaker)",
  retries: false,
  prepare: (call) => {
    const breaker = new CircuitBreaker(call, {
      timeout: 300_000,
      errorThresholdPercentage: 100,
      volumeThreshold: 1_000_000,
    });
    breakers.push(breaker);
    return () => breaker.fire();
  },
};

const breakers: { shutdown(): void }[] = [];

/** opossum keeps an interval for its statistics. */
export function closeEngines(): void {
  for (const breaker of breakers) breaker.shutdown();
}

export const ENGINES: readonly Engine[] = [
  bareLoop,
  ours,
  cockatielRetry,
  cockatielAll,
  peerAsyncRetry,
  peerBackOff,
  peerPRetry,
  peerOpossum,
];
