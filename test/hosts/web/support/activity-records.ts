import fc from "fast-check";
import { FAILURE_KINDS, STOP_REASONS } from "../../../../src/kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../../../src/wire/http/activity.ts";

/** A record that ended well at its first attempt, with changes. */
export function recordOf(changes: Partial<ActivityRecord> = {}): ActivityRecord {
  return {
    id: "g1",
    door: "chat",
    policy: "patient",
    asked: "sim/sonnet",
    startedAt: 1_000_000,
    endedAt: 1_010_000,
    state: "ended",
    outcome: "succeeded",
    attempts: [attemptOf({ firstContentAt: 1_002_000, endedAt: 1_010_000, ok: true })],
    attemptCount: 1,
    waitedMs: 0,
    ...changes,
  };
}

export function attemptOf(changes: Partial<ActivityAttempt> = {}): ActivityAttempt {
  return {
    attempt: 1,
    target: { provider: "sim", model: "sonnet", credential: "" },
    startedAt: 1_000_000,
    ...changes,
  };
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Also times before the start, and far beyond: clocks jump. */
const time = fc.oneof(fc.integer({ min: 900_000, max: 5_000_000 }), fc.integer({ min: -10, max: 10 ** 13 }));

function without<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
}

const anyAttempt = fc
  .record({
    attempt: fc.integer({ min: 1, max: 100 }),
    target: fc.constant({ provider: "sim", model: "sonnet", credential: "" }),
    startedAt: time,
    endedAt: maybe(time),
    firstContentAt: maybe(time),
    ok: maybe(fc.boolean()),
    kind: maybe(fc.constantFrom(...FAILURE_KINDS)),
    status: maybe(fc.integer({ min: 100, max: 599 })),
    hintMs: maybe(fc.integer({ min: 0, max: 10 ** 8 })),
    waitedMs: maybe(fc.oneof(fc.integer({ min: 0, max: 10 ** 8 }), fc.constantFrom(-5, Number.NaN))),
    waitEnded: maybe(fc.constantFrom("elapsed", "retry-now", "gave-up", "aborted")),
    moved: maybe(fc.constantFrom("rotate", "switch", "revert")),
  })
  .map((attempt) => without(attempt) as ActivityAttempt);

/** Records as they should not be, too: in pieces, out of order, with clocks that jump. */
export const anyRecord: fc.Arbitrary<ActivityRecord> = fc
  .record({
    id: fc.uuid(),
    door: fc.constantFrom("chat", "gateway", "job"),
    client: maybe(fc.string()),
    policy: fc.constant("patient"),
    asked: fc.constantFrom("sim/sonnet", "openai/gpt-4o", "odd"),
    startedAt: fc.integer({ min: 1_000_000, max: 1_001_000 }),
    endedAt: maybe(time),
    state: fc.constantFrom("attempting", "answering", "waiting", "ended"),
    outcome: maybe(fc.constantFrom("succeeded", ...STOP_REASONS)),
    truncated: maybe(fc.boolean()),
    attempts: fc.array(anyAttempt, { maxLength: 8 }),
    attemptCount: fc.integer({ min: 0, max: 60 }),
    waitedMs: fc.integer({ min: 0, max: 10 ** 8 }),
    wait: maybe(
      fc.record({
        attempt: fc.integer({ min: 1, max: 8 }),
        retry: fc.integer({ min: 1, max: 8 }),
        maxRetries: fc.constantFrom(null, 21),
        startedAt: time,
        until: time,
        kind: fc.constantFrom(...FAILURE_KINDS),
        because: fc.string(),
      }),
    ),
  })
  .map((record) => without(record) as ActivityRecord);
