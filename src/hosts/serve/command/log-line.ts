import { outcomeOf } from "../../../activity/index.ts";
import type { StopReason } from "../../../kernel/index.ts";
import { cleanText, sayDuration, sayFailure } from "../../../terminal/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../../wire/http/activity.ts";

const REASONS: Readonly<Record<StopReason, string>> = {
  "not-retryable": "a retry could not help",
  "retries-exhausted": "all retries are used up",
  "delay-cap": "the wait asked for is too long",
  patience: "it would have waited too long",
  "already-streaming": "part of the answer was already shown",
  hopeless: "waiting could not help",
  "retry-budget": "too many other calls are being retried",
  filtered: "retries are off for it",
  disabled: "retries are off",
  aborted: "cancelled",
  "gave-up": "given up",
  "hand-over": "the context is too long",
  "no-target": "no usable model or key",
  "engine-fault": "an internal fault",
};

/** One line for a generation that has ended. Never a prompt, an answer or a provider's words: a record has none. */
export function logLine(record: ActivityRecord, format: "text" | "json"): string {
  return format === "json" ? jsonLine(record) : textLine(record);
}

/** For example: `12:34:56 chat sim/weather: answered after 3 attempts in 14 s, 12 s of it waiting (529 Overloaded, 429 Too Many Requests)`. */
function textLine(record: ActivityRecord): string {
  const { startedAt, endedAt = startedAt, door, client, asked, answered, attemptCount, waitedMs } = record;
  const who = client === undefined ? door : `${door} ${client}`;
  const by = answered === undefined || answered === asked ? "" : ` by ${answered}`;
  const attempts = attemptCount === 1 ? "" : ` after ${attemptCount} attempts`;
  const waited = waitedMs > 0 ? `, ${sayDuration(waitedMs)} of it waiting` : "";
  const failures = failuresOf(record).map(sayAttempt);
  const list = failures.length === 0 ? "" : ` (${failures.join(", ")})`;
  const time = new Date(endedAt).toISOString().slice(11, 19);
  const took = sayDuration(endedAt - startedAt);
  return cleanText(`${time} ${who} ${asked}: ${sayOutcome(record)}${by}${attempts} in ${took}${waited}${list}`);
}

function sayOutcome({ outcome, interrupted, truncated }: ActivityRecord): string {
  if (interrupted === true) return "interrupted";
  if (outcome === "succeeded") return "answered";
  const cut = truncated === true ? ", answer cut off" : "";
  if (outcome === "aborted" || outcome === "gave-up" || outcome === undefined) return `cancelled${cut}`;
  return `failed, ${REASONS[outcome]}${cut && outcome !== "already-streaming" ? cut : ""}`;
}

/** Each with how often it came, in the order of its first time. */
function failuresOf({ attempts }: ActivityRecord): readonly (readonly [ActivityAttempt, number])[] {
  const found = new Map<string, readonly [ActivityAttempt, number]>();
  for (const attempt of attempts) {
    if (attempt.kind === undefined || attempt.kind === "aborted") continue;
    const key = `${attempt.kind} ${attempt.status}`;
    found.set(key, [attempt, (found.get(key)?.[1] ?? 0) + 1]);
  }
  return [...found.values()];
}

function sayAttempt([{ kind = "unknown", status }, times]: readonly [ActivityAttempt, number]): string {
  const said = sayFailure({ kind, ...(status !== undefined && { status }) });
  return times === 1 ? said : `${times} × ${said}`;
}

function jsonLine(record: ActivityRecord): string {
  const { id, door, client, conversationId, policy, asked, answered, startedAt, endedAt = startedAt } = record;
  return JSON.stringify({
    at: new Date(endedAt).toISOString(),
    generation: id,
    door,
    client,
    conversation: conversationId,
    policy,
    asked,
    answered,
    result: outcomeOf(record),
    outcome: record.interrupted === true ? "interrupted" : record.outcome,
    attempts: record.attemptCount,
    failures: failuresOf(record).map(([{ kind, status }, times]) => ({ kind, status, times })),
    waitedMs: Math.round(record.waitedMs),
    tookMs: Math.round(endedAt - startedAt),
    usage: record.usage,
  });
}
