import { type Receipt, targetName } from "../../../kernel/index.ts";
import type { ActivityAttempt, ActivityRecord } from "../../../wire/http/activity.ts";

/**
 * A receipt as a record, for a track. A receipt knows how long each wait was, but not each attempt: the attempts share the rest
 * of the time evenly, and no time of an attempt may be printed.
 */
export function recordOfReceipt(receipt: Receipt): ActivityRecord {
  const { history, elapsedMs, waitedMs } = receipt;
  const eachMs = history.length === 0 ? 0 : Math.max(0, elapsedMs - waitedMs) / history.length;
  let at = 0;
  const attempts = history.map(({ attempt, target, kind, status, waitedMs: waited }): ActivityAttempt => {
    const startedAt = at;
    const endedAt = at + eachMs;
    at = endedAt + (waited ?? 0);
    return {
      attempt,
      target,
      startedAt,
      endedAt,
      ok: kind === undefined,
      ...(kind !== undefined && { kind }),
      ...(status !== undefined && { status }),
      ...(waited !== undefined && { waitedMs: waited }),
    };
  });
  const [first] = receipt.targets;
  const last = history.at(-1);
  const isRunning = receipt.outcome === "running";
  return {
    id: receipt.generationId,
    door: "chat",
    policy: "",
    asked: first === undefined ? "" : targetName({ ...first, credential: "" }),
    ...(last !== undefined && receipt.complete && { answered: targetName({ ...last.target, credential: "" }) }),
    startedAt: 0,
    endedAt: Math.max(at, elapsedMs),
    state: isRunning ? "attempting" : "ended",
    ...(receipt.outcome !== "running" && { outcome: receipt.outcome }),
    truncated: receipt.truncated,
    attempts,
    attemptCount: receipt.attempts,
    waitedMs,
  };
}
