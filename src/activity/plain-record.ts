import type { ActivityAttempt, ActivityRecord } from "../wire/http/activity.ts";
import type { GenerationFacts } from "./activity.ts";
import type { Heard } from "./entry.ts";
import { modelName } from "./record-after.ts";

/**
 * The record of a generation that succeeded at its first attempt, made at once: what nearly all of them do. Undefined: something else
 * happened. The same as `recordAfter` makes of it step by step, for a tenth of the time.
 */
export function plainRecord(facts: GenerationFacts, heard: readonly Heard[]): ActivityRecord | undefined {
  const [start, second] = heard;
  const content = second?.type === "content" ? second : undefined;
  const end = content === undefined ? second : heard[2];
  const last = heard.at(-1);
  const isPlain =
    heard.length === (content === undefined ? 3 : 4) &&
    start?.type === "attempt-start" &&
    end?.type === "attempt-end" &&
    end.ok &&
    end.attempt === start.attempt &&
    last?.type === "generation-end" &&
    last.receipt.outcome === "succeeded";
  if (!isPlain) return undefined;
  const { target, attempt, at: startedAt } = start;
  const { at: endedAt } = end;
  const tried: ActivityAttempt =
    content === undefined
      ? { attempt, target, startedAt, endedAt, ok: true }
      : { attempt, target, startedAt, firstContentAt: content.at, endedAt, ok: true };
  const record: { -readonly [Field in keyof ActivityRecord]: ActivityRecord[Field] } = {
    id: start.generationId,
    door: facts.door,
    policy: facts.policy,
    asked: facts.asked,
    startedAt,
    state: "ended",
    attempts: [tried],
    attemptCount: last.receipt.attempts,
    waitedMs: last.receipt.waitedMs,
    endedAt: last.at,
    outcome: "succeeded",
    answered: modelName(target),
  };
  const { conversationId, turnId, client } = facts;
  if (conversationId !== undefined) record.conversationId = conversationId;
  if (turnId !== undefined) record.turnId = turnId;
  if (client !== undefined) record.client = client;
  if (last.receipt.truncated) record.truncated = true;
  return record;
}
