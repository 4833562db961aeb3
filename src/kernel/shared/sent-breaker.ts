import { type BreakerState, CLOSED } from "../health/breaker.ts";
import { AFTER_LIMIT, AFTER_OUTAGE, type Ramp } from "../health/ramp.ts";
import type { Share } from "../health/share.ts";
import type { Traffic } from "../health/traffic.ts";

/**
 * The state of a breaker as JSON. Its moments are those of a process's own clock, so they are moved to the shared clock on the way out and
 * back on the way in: `byMs` is what to add.
 */
export function writeBreaker(state: BreakerState, byMs: number): string {
  if (state.phase === "closed") return JSON.stringify({ phase: "closed" });
  if (state.phase === "recovering") {
    const { steepness, ...ramp } = state.ramp;
    const kind = steepness === AFTER_LIMIT ? "limit" : "outage";
    return JSON.stringify({ phase: "recovering", after: kind, ramp: movedRamp({ ...ramp, steepness }, byMs) }, finite);
  }
  return JSON.stringify({ ...movedState(state, byMs), usual: sentTraffic(state.usual) }, finite);
}

/** Undefined for anything that is no state. */
export function readBreaker(text: string, byMs: number): BreakerState | undefined {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof sent !== "object" || sent === null) return undefined;
  const { phase, after, ramp, ...rest } = sent as Record<string, unknown>;
  if (phase === "closed") return CLOSED;
  if (phase === "recovering") {
    const read = readRamp(ramp, after === "limit" ? AFTER_LIMIT : AFTER_OUTAGE);
    return read && { phase, ramp: movedRamp(read, byMs) };
  }
  if (phase !== "open" && phase !== "half-open") return undefined;
  const usual = readTraffic(rest.usual);
  const moment = phase === "open" ? "untilMs" : "probeAtMs";
  const { failedInMs } = rest;
  if (usual === undefined || !areNumbers(rest, ["sinceMs", "cooldownMs", "turnedAway", moment])) return undefined;
  if (failedInMs !== undefined && typeof failedInMs !== "number") return undefined;
  const { sinceMs, cooldownMs, turnedAway, untilMs, probeAtMs } = rest as Record<string, number>;
  const shut = { sinceMs, cooldownMs, turnedAway, usual, failedInMs } as const;
  const state = phase === "open" ? { ...shut, phase, untilMs } : { ...shut, phase, probeAtMs };
  return movedState(state as Shut, byMs);
}

type Shut = Extract<BreakerState, { phase: "open" | "half-open" }>;

function movedState(state: Shut, byMs: number): Shut {
  const sinceMs = state.sinceMs + byMs;
  if (state.phase === "open") return { ...state, sinceMs, untilMs: state.untilMs + byMs };
  return { ...state, sinceMs, probeAtMs: state.probeAtMs + byMs };
}

function movedRamp(ramp: Ramp, byMs: number): Ramp {
  return {
    ...ramp,
    usual: sentTraffic(ramp.usual),
    sinceMs: ramp.sinceMs + byMs,
    answeredMs: ramp.answeredMs + byMs,
    lookedMs: ramp.lookedMs + byMs,
    busyUntilMs: ramp.busyUntilMs + byMs,
    share: { ...ramp.share, rowSinceMs: ramp.share.rowSinceMs + byMs, lookedMs: ramp.share.lookedMs + byMs },
  };
}

/** What was usual before needs no count of its own. */
function sentTraffic(usual: Traffic): Traffic {
  return { ...usual, sinceMs: undefined, answers: 0 };
}

const RAMP_NUMBERS = [
  ...[
    "sinceMs",
    "successes",
    "flow",
    "answeredMs",
    "credit",
    "openMs",
    "room",
    "underWay",
    "expected",
    "trickle",
    "lookedMs",
  ],
  ...["turnedAway", "busyUntilMs"],
];

function readRamp(sent: unknown, steepness: Ramp["steepness"]): Ramp | undefined {
  if (typeof sent !== "object" || sent === null) return undefined;
  const { underWay } = sent as Record<string, unknown>;
  // Processes of an earlier version do not send what they expect.
  const ramp: Record<string, unknown> = { expected: underWay, ...sent };
  const usual = readTraffic(ramp.usual);
  const share = readShare(ramp.share);
  // Room without a limit is null in JSON.
  const room = ramp.room === null ? Number.POSITIVE_INFINITY : ramp.room;
  if (usual === undefined || share === undefined || !areNumbers({ ...ramp, room }, RAMP_NUMBERS)) return undefined;
  return { ...(ramp as unknown as Ramp), room: room as number, usual, share, steepness };
}

function readTraffic(sent: unknown): Traffic | undefined {
  if (!areNumbers(sent, ["perSecond", "underWay", "latest", "forMs"])) return undefined;
  const { perSecond, underWay, latest, forMs } = sent as unknown as Traffic;
  return { perSecond, underWay, latest, forMs, sinceMs: undefined, answers: 0 };
}

/** Moments from before anything was known are null in JSON. */
function readShare(sent: unknown): Share | undefined {
  if (!areNumbers(sent, ["answered", "calls", "failuresInRow"])) return undefined;
  const { rowSinceMs, lookedMs } = sent as Record<string, unknown>;
  const share = sent as unknown as Share;
  const moment = (value: unknown): number => (typeof value === "number" ? value : Number.NEGATIVE_INFINITY);
  return { ...share, rowSinceMs: moment(rowSinceMs), lookedMs: moment(lookedMs) };
}

function areNumbers(sent: unknown, fields: readonly string[]): sent is Record<string, number> {
  if (typeof sent !== "object" || sent === null) return false;
  return fields.every((field) => typeof (sent as Record<string, unknown>)[field] === "number");
}

/** JSON has no infinity. */
function finite(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? null : value;
}

/** Whether the others must hear of it. */
export function hasTurned(before: BreakerState, after: BreakerState): boolean {
  if (before.phase !== after.phase) return true;
  return before.phase === "half-open" && after.phase === "half-open" && before.probeAtMs !== after.probeAtMs;
}
