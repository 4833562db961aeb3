import { sayDuration } from "../kernel/index.ts";
import type { ActivityRecord } from "../wire/http/activity.ts";
import { outcomeOf } from "./list-records.ts";

/** A line names this many failures. */
const MOST_FAILURES = 5;

/**
 * One line in plain words for a generation that has ended:
 * `chat openai/gpt-5: answered by openai/gpt-5-mini in 22 s, with 3 attempts and 12 s of waiting (overloaded 529, rate limit 429)`.
 */
export function sayGeneration(record: ActivityRecord): string {
  const { door, asked, startedAt, endedAt = startedAt } = record;
  const took = sayDuration(endedAt - startedAt);
  return printable(`${door} ${asked}: ${sayOutcome(record)} ${tookWord(record)} ${took}${sayEffort(record)}`);
}

/** The same for programs: a plain object for one line of JSON. */
export function generationFacts(record: ActivityRecord): Readonly<Record<string, unknown>> {
  const { id, door, client, conversationId, turnId, policy, asked, answered, outcome, usage } = record;
  const { startedAt, endedAt, attempts, attemptCount, waitedMs, truncated } = record;
  const contentAt = attempts.findLast(({ firstContentAt }) => firstContentAt !== undefined)?.firstContentAt;
  const failures = attempts.flatMap(({ kind, status }) => (kind === undefined ? [] : [{ kind, status }]));
  return {
    ...{ event: "generation", id, door, client, conversationId, turnId, policy, asked, answered, outcome, truncated },
    ...{ startedAt, endedAt, attempts: attemptCount, waitedMs: Math.round(waitedMs), failures, usage },
    ...(contentAt !== undefined && { firstContentMs: contentAt - startedAt }),
  };
}

function sayOutcome(record: ActivityRecord): string {
  const { answered, asked, outcome, truncated } = record;
  switch (outcomeOf(record)) {
    case "first":
    case "retried":
      return answered === undefined || answered === asked ? "answered" : `answered by ${answered}`;
    case "aborted":
      return outcome === "gave-up" ? "given up by hand" : "aborted";
    case "failed":
      return truncated === true ? `broke off in the middle of the answer (${outcome})` : `failed (${outcome})`;
    case "running":
      return "running";
  }
}

function tookWord(record: ActivityRecord): "in" | "after" | "for" {
  const outcome = outcomeOf(record);
  if (outcome === "running") return "for";
  return outcome === "first" || outcome === "retried" ? "in" : "after";
}

/** Nothing at all where the first attempt was answered. */
function sayEffort({ attemptCount, waitedMs, attempts }: ActivityRecord): string {
  const parts = [
    ...(attemptCount === 1 ? [] : [`${attemptCount} attempts`]),
    ...(waitedMs === 0 ? [] : [`${sayDuration(waitedMs)} of waiting`]),
  ];
  const failures = attempts.flatMap(({ kind, status }) =>
    kind === undefined ? [] : [`${kind.replaceAll("_", " ")}${status === undefined ? "" : ` ${status}`}`],
  );
  const shown = failures.slice(-MOST_FAILURES);
  const earlier = failures.length - shown.length;
  const list = [...(earlier > 0 ? [`${earlier} earlier`] : []), ...shown].join(", ");
  return `${parts.length === 0 ? "" : `, with ${parts.join(" and ")}`}${list === "" ? "" : ` (${list})`}`;
}

/** Callers choose the names of models: none may begin a new line of the log or move the cursor. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu, "\uFFFD");
}
