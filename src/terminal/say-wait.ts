import type { GenerationEvent } from "../kernel/index.ts";
import { sayDuration } from "./say-duration.ts";
import { sayReason } from "./say-failure.ts";

type WaitStart = Extract<GenerationEvent, { type: "wait-start" }>;

/** What a wait is for, and which retry follows it: "503 Service Unavailable; retry 3 of 5". */
export function sayRetry({
  failure,
  retry,
  maxRetries,
  schedule,
}: Pick<WaitStart, "failure" | "retry" | "maxRetries" | "schedule">): string {
  // A wait that uses up no retry has no number that means anything to a person.
  const next =
    schedule === "" ? "next try" : maxRetries === null ? `retry ${retry}` : `retry ${retry} of ${maxRetries}`;
  return `${sayReason(failure, failure.message)}; ${next}`;
}

/** "waited 48 s of 5 min"; empty for a policy without a limit in time. `waitedMs`: all waits until now. */
export function sayPatience(waitedMs: number, patienceMs: number | null | undefined): string {
  if (patienceMs === null || patienceMs === undefined) return "";
  const waited = `waited ${waitedMs < 1000 ? "0 s" : sayDuration(Math.floor(waitedMs / 1000) * 1000)}`;
  // In a queue that drains the patience starts again and again: more waits than it allows have no end to show.
  return waitedMs > patienceMs ? waited : `${waited} of ${sayDuration(patienceMs)}`;
}
