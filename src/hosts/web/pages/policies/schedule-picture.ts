import { type Policy, type ScheduleSpec, schedule } from "../../../../kernel/index.ts";

/** One retry, in ms after the first failure, where calls fail at once. */
export interface RetryMoment {
  readonly retry: number;
  readonly meanMs: number;
  readonly latestMs: number;
}

export interface SchedulePicture {
  /** At most as many as were asked for. */
  readonly moments: readonly RetryMoment[];
  /** Of all retries, shown or not; null: no limit in number. */
  readonly retries: number | null;
  /** The latest moment of the last retry; null: it never ends. */
  readonly endMs: number | null;
  /** What ends it. */
  readonly endedBy: "retries" | "patience" | "delay-cap" | "never";
}

/** The engine's own bound for a last try: see `fitPatience`. */
const WORTH_WAITING_MS = 1000;
/** The mean of a random number, and the largest below 1. */
const MEAN = 0.5;
const HIGHEST = 1 - Number.EPSILON / 2;
/** So many retries are counted through; a longer schedule counts as endless. */
const MOST_COUNTED = 100_000;

type Limits = Pick<Policy, "patienceMs" | "maxDelayMs">;

/** When a policy tries again, from the engine's own schedule. */
export function schedulePicture(spec: ScheduleSpec, limits: Limits, most = 10): SchedulePicture {
  const latest = walk(spec, limits, HIGHEST, most);
  const mean = walk(spec, limits, MEAN, most);
  const moments = latest.moments.map((latestMs, index) => ({
    retry: index + 1,
    // Patience may end the average walk earlier than the latest one: then it is at its end.
    meanMs: Math.min(mean.moments[index] ?? mean.moments.at(-1) ?? latestMs, latestMs),
    latestMs,
  }));
  const hasJitter = spec.jitter !== undefined && spec.jitter !== "none";
  // With jitter, patience allows more short waits than long ones: there is no one number.
  const retries = latest.endedBy === "never" || (latest.endedBy === "patience" && hasJitter) ? null : latest.count;
  return { moments, retries, endMs: latest.endedBy === "never" ? null : latest.endMs, endedBy: latest.endedBy };
}

interface Walk {
  readonly moments: readonly number[];
  readonly count: number;
  readonly endMs: number;
  readonly endedBy: SchedulePicture["endedBy"];
}

function walk(spec: ScheduleSpec, { patienceMs, maxDelayMs }: Limits, random: number, most: number): Walk {
  const { delayFor } = schedule(spec);
  const moments: number[] = [];
  let [count, waitedMs, previousMs] = [0, 0, undefined as number | undefined];
  const end = (endedBy: Walk["endedBy"]): Walk => ({ moments, count, endMs: waitedMs, endedBy });
  for (; count < MOST_COUNTED; count++) {
    const delayMs = delayFor(count + 1, { random: () => random, previousMs, waitedMs });
    if (delayMs === undefined) return end("retries");
    if (maxDelayMs !== null && delayMs > maxDelayMs) return end("delay-cap");
    const leftMs = patienceMs === null ? Number.POSITIVE_INFINITY : patienceMs - waitedMs;
    if (leftMs <= 0 || (delayMs > leftMs && leftMs < Math.min(WORTH_WAITING_MS, delayMs / 2))) return end("patience");
    previousMs = delayMs;
    waitedMs += Math.min(delayMs, leftMs);
    if (moments.length < most) moments.push(waitedMs);
    // What is level and has no end needs no counting.
    if (moments.length === most && patienceMs === null && isEndless(spec)) return end("never");
  }
  return end("never");
}

function isEndless({ atMost, budgetMs }: ScheduleSpec): boolean {
  return atMost === undefined && budgetMs === undefined;
}
