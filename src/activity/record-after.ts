import type { GenerationEvent, Target } from "../kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../wire/http/activity.ts";
import type { Usage } from "../wire/index.ts";
import type { GenerationFacts } from "./activity.ts";

/** A record keeps this many attempts: a generation that retries for hours must not grow. */
export const MOST_ATTEMPTS = 50;

const NO_ATTEMPTS: readonly ActivityAttempt[] = Object.freeze([]);

/** The record of a generation at its first event. */
export function startRecord(facts: GenerationFacts, id: string, at: number): ActivityRecord {
  return { ...facts, id, startedAt: at, state: "attempting", attempts: NO_ATTEMPTS, attemptCount: 0, waitedMs: 0 };
}

/**
 * The record after an event of its generation. Takes kinds, numbers and names of rules from it, never a provider's words. Returns the
 * same record if nothing changes.
 */
export function recordAfter(record: ActivityRecord, event: GenerationEvent): ActivityRecord {
  switch (event.type) {
    case "attempt-start":
      return {
        ...record,
        state: "attempting",
        attempts: withAttempt(record.attempts, {
          attempt: event.attempt,
          target: event.target,
          startedAt: event.at,
        }),
        attemptCount: event.attempt,
      };
    case "attempt-end":
      return { ...record, state: "attempting", attempts: withLast(record.attempts, (last) => endedBy(last, event)) };
    case "wait-start":
      return { ...record, state: "waiting", wait: waitOf(event) };
    case "wait-end": {
      const { waitedMs, ended: waitEnded } = event;
      const attempts = withLast(record.attempts, (last) => ({
        ...last,
        waitedMs: (last.waitedMs ?? 0) + waitedMs,
        waitEnded,
      }));
      return { ...withoutWait(record), state: "attempting", attempts, waitedMs: record.waitedMs + waitedMs };
    }
    case "target-switch":
      return { ...record, attempts: withLast(record.attempts, (last) => ({ ...last, moved: event.how })) };
    case "generation-end":
      return endedRecord(record, event);
    case "attempt-discard":
    case "warning":
      return record;
    default:
      return event satisfies never;
  }
}

/** The first content of the current attempt was given to the consumer. */
export function recordAfterContent(record: ActivityRecord, at: number): ActivityRecord {
  const last = record.attempts.at(-1);
  const isCurrent = record.state === "attempting" && last !== undefined && last.endedAt === undefined;
  if (!isCurrent || last.firstContentAt !== undefined) return record;
  const attempts = withLast(record.attempts, (attempt) => ({ ...attempt, firstContentAt: at }));
  return { ...record, state: "answering", attempts };
}

export function recordAfterUsage(record: ActivityRecord, { inputTokens, outputTokens }: Usage): ActivityRecord {
  return { ...record, usage: { inputTokens, outputTokens } };
}

type EventOf<Type extends GenerationEvent["type"]> = Extract<GenerationEvent, { type: Type }>;

function withAttempt(attempts: readonly ActivityAttempt[], started: ActivityAttempt): readonly ActivityAttempt[] {
  return [...(attempts.length < MOST_ATTEMPTS ? attempts : attempts.slice(1 - MOST_ATTEMPTS)), started];
}

/** Before the first attempt (a generation that health holds back) there is none to change. */
function withLast(
  attempts: readonly ActivityAttempt[],
  change: (last: ActivityAttempt) => ActivityAttempt,
): readonly ActivityAttempt[] {
  const last = attempts.at(-1);
  return last === undefined ? attempts : attempts.with(-1, change(last));
}

function endedBy(last: ActivityAttempt, { at, ok, attempt, failure }: EventOf<"attempt-end">): ActivityAttempt {
  if (last.attempt !== attempt) return last;
  if (failure === undefined) return { ...last, endedAt: at, ok };
  const { kind, status, evidence, hintMs } = failure;
  return {
    ...last,
    endedAt: at,
    ok,
    kind,
    evidence,
    ...(status !== undefined && { status }),
    ...(hintMs !== undefined && { hintMs }),
  };
}

function waitOf({
  attempt,
  retry,
  maxRetries,
  at,
  until,
  failure,
  because,
}: EventOf<"wait-start">): NonNullable<ActivityRecord["wait"]> {
  return { attempt, retry, maxRetries, startedAt: at, until, kind: failure.kind, because };
}

function endedRecord(record: ActivityRecord, { at, receipt }: EventOf<"generation-end">): ActivityRecord {
  const { outcome, truncated, attempts: attemptCount, waitedMs } = receipt;
  const last = record.attempts.at(-1);
  // After a fault of the engine itself no event ends the attempt.
  const isOpen = last !== undefined && last.endedAt === undefined;
  const attempts = isOpen ? record.attempts.with(-1, { ...last, endedAt: at, ok: false }) : record.attempts;
  return {
    ...withoutWait(record),
    endedAt: at,
    state: "ended",
    attempts,
    attemptCount,
    waitedMs,
    ...(outcome !== "running" && { outcome }),
    ...(truncated && { truncated }),
    ...(outcome === "succeeded" && last !== undefined && { answered: modelName(last.target) }),
  };
}

function withoutWait(record: ActivityRecord): ActivityRecord {
  if (record.wait === undefined) return record;
  const { wait: _over, ...rest } = record;
  return rest;
}

/** `provider/model`: which credential was used is a fact of the attempt. */
export function modelName({ provider, model }: Target): string {
  return provider === "" ? model : `${provider}/${model}`;
}
