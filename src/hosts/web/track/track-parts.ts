import type { ActivityAttempt, ActivityRecord } from "../../../wire/http/activity.ts";
import { type FailureGroup, groupOf } from "./failure-groups.ts";

/**
 * A span of a generation's life, in milliseconds since its start. The parts of a generation follow each other without a hole, so
 * that drawing them is a matter of scale alone.
 */
export interface TrackPart {
  readonly type: PartType;
  readonly fromMs: number;
  readonly toMs: number;
  /** 1-based; 0: belongs to no attempt. */
  readonly attempt: number;
  /** Of a part that failed. */
  readonly group?: FailureGroup;
  /** It ends in a failure: drawn with a cap. */
  readonly isFailed?: true;
  /** It starts at the commit point: drawn with a tick. */
  readonly isCommit?: true;
  /** It is still going on. */
  readonly isLive?: true;
}

/**
 * `asking`: an attempt before its first content; `answer`: its content; `failed`: an attempt, or the rest of one after the commit
 * point, that failed; `wait`: between attempts; `waiting` and `rest`: the running wait, gone and left; `gap`: time that no attempt
 * and no wait accounts for; `earlier`: attempts that the record has dropped.
 */
export type PartType = "asking" | "answer" | "failed" | "wait" | "waiting" | "rest" | "gap" | "earlier";

export type TrackRecord = Pick<
  ActivityRecord,
  "startedAt" | "endedAt" | "state" | "outcome" | "attempts" | "attemptCount" | "wait"
>;

/** How long the whole track is. Rest of a running wait included. */
export function spanOf(record: TrackRecord, nowMs: number): number {
  return partsOf(record, nowMs).at(-1)?.toMs ?? 0;
}

/** A record → its parts. Clocks jump and records arrive in pieces: no part is ever negative or starts before its predecessor ends. */
export function partsOf(record: TrackRecord, nowMs: number): readonly TrackPart[] {
  const parts: TrackPart[] = [];
  let atMs = 0;
  const since = (at: number): number => Math.max(atMs, finite(at - record.startedAt));
  const add = (part: Omit<TrackPart, "fromMs" | "toMs">, toMs: number): void => {
    if (toMs <= atMs && isFiller(part.type)) return;
    const last = parts.at(-1);
    // Two fillers of one kind in a row read as one.
    if (part.type === "gap" && last?.type === "gap") parts[parts.length - 1] = { ...last, toMs };
    else parts.push({ ...part, fromMs: atMs, toMs });
    atMs = toMs;
  };

  const endMs = record.endedAt ?? (record.state === "ended" ? undefined : nowMs);
  record.attempts.forEach((attempt, index) => {
    const isDropped = index === 0 && attempt.attempt > 1;
    add({ type: isDropped ? "earlier" : "gap", attempt: 0 }, since(attempt.startedAt));
    addAttempt(attempt, since(attempt.endedAt ?? endMs ?? attempt.startedAt), { add, since });
    if (attempt.waitedMs !== undefined && record.wait?.attempt !== attempt.attempt)
      add({ type: "wait", attempt: attempt.attempt }, atMs + Math.max(0, finite(attempt.waitedMs)));
  });
  if (record.wait !== undefined && record.state === "waiting") {
    const { attempt, startedAt, until } = record.wait;
    add({ type: "gap", attempt: 0 }, since(startedAt));
    add({ type: "waiting", attempt, isLive: true }, since(Math.min(nowMs, until)));
    add({ type: "rest", attempt, isLive: true }, since(until));
  } else if (endMs !== undefined) add({ type: "gap", attempt: 0 }, since(endMs));
  return parts;
}

interface Pen {
  readonly add: (part: Omit<TrackPart, "fromMs" | "toMs">, toMs: number) => void;
  readonly since: (at: number) => number;
}

function addAttempt(attempt: ActivityAttempt, toMs: number, { add, since }: Pen): void {
  const { attempt: number, firstContentAt, kind, ok, endedAt } = attempt;
  const hasFailed = kind !== undefined || ok === false;
  const failure = hasFailed ? { group: groupOf(kind ?? "unknown"), isFailed: true as const } : {};
  const live = endedAt === undefined && !hasFailed && ok !== true ? { isLive: true as const } : {};
  if (firstContentAt === undefined) {
    add({ type: hasFailed ? "failed" : "asking", attempt: number, ...failure, ...live }, toMs);
    return;
  }
  add({ type: "asking", attempt: number }, Math.min(toMs, since(firstContentAt)));
  add({ type: hasFailed ? "failed" : "answer", attempt: number, isCommit: true, ...failure, ...live }, toMs);
}

/** Parts without a bar of their own vanish where they have no length. */
function isFiller(type: PartType): boolean {
  return type === "gap" || type === "earlier" || type === "wait" || type === "rest";
}

const finite = (ms: number): number => (Number.isFinite(ms) ? ms : 0);
