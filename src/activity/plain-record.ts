import type { Target } from "../kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../wire/http/activity.ts";
import type { GenerationFacts } from "./activity.ts";
import type { Heard } from "./entry.ts";
import { modelName } from "./record-after.ts";

/** All there is to know of a generation that succeeded at its first attempt, which nearly all of them do. */
export interface Plain {
  readonly id: string;
  readonly target: Target;
  readonly startedAt: number;
  readonly contentAt: number | undefined;
  /** The end of the attempt; the generation ends a moment later. */
  readonly answeredAt: number;
  readonly endedAt: number;
}

/** Undefined: something else happened, or it has not ended. */
export function readPlain(heard: readonly Heard[]): Plain | undefined {
  const [start, second] = heard;
  const content = second?.type === "content" ? second : undefined;
  const end = content === undefined ? second : heard[2];
  const last = heard.at(-1);
  if (heard.length !== (content === undefined ? 3 : 4)) return undefined;
  if (start?.type !== "attempt-start" || end?.type !== "attempt-end" || last?.type !== "generation-end")
    return undefined;
  const { outcome, attempts, waitedMs } = last.receipt;
  // One that was resumed has attempts and waits of its former life.
  if (outcome !== "succeeded" || attempts !== 1 || waitedMs !== 0 || !end.ok) return undefined;
  return {
    id: start.generationId,
    target: start.target,
    startedAt: start.at,
    contentAt: content?.at,
    answeredAt: end.at,
    endedAt: last.at,
  };
}

/** The same as `recordAfter` makes of its events step by step, for a tenth of the time. */
export function plainRecord(facts: GenerationFacts, plain: Plain): ActivityRecord {
  const { id, target, startedAt, contentAt, answeredAt, endedAt } = plain;
  const tried: ActivityAttempt =
    contentAt === undefined
      ? { attempt: 1, target, startedAt, endedAt: answeredAt, ok: true }
      : { attempt: 1, target, startedAt, firstContentAt: contentAt, endedAt: answeredAt, ok: true };
  const record: { -readonly [Field in keyof ActivityRecord]: ActivityRecord[Field] } = {
    id,
    door: facts.door,
    policy: facts.policy,
    asked: facts.asked,
    startedAt,
    state: "ended",
    attempts: [tried],
    attemptCount: 1,
    waitedMs: 0,
    endedAt,
    outcome: "succeeded",
    answered: modelName(target),
  };
  const { conversationId, turnId, client } = facts;
  if (conversationId !== undefined) record.conversationId = conversationId;
  if (turnId !== undefined) record.turnId = turnId;
  if (client !== undefined) record.client = client;
  return record;
}
