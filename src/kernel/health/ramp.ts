import type { BreakerSpec } from "../model/policy.ts";
import { isDown, type Share, shareAfterAnswer, shareAfterFailure, startShare } from "./share.ts";
import { isEstablished, type Traffic } from "./traffic.ts";

/** How steep a ramp is. */
export interface Steepness {
  /** How many times the usual calls may come. */
  readonly pace: number;
  /** Calls that each answer earns. */
  readonly perAnswer: number;
  /** It starts with as many calls as usually come in this time. */
  readonly firstSeconds: number;
  /** Where it is not known what is usual: by how many calls a second the pace grows in each second. null: only answers limit them. */
  readonly blindly: number | null;
}

/** Those who waited come back on top of the usual calls. With three calls for an answer, those under way treble while it comes. */
export const AFTER_OUTAGE: Steepness = Object.freeze({
  pace: 1.7,
  perAnswer: 3,
  firstSeconds: 0.25,
  blindly: null,
});
/** Hardly more calls than usual, and few at first: more would meet the next limit. */
export const AFTER_LIMIT: Steepness = Object.freeze({ pace: 1.2, perAnswer: 2, firstSeconds: 0.1, blindly: 20 });

/**
 * The way back after an outage, as a value. One good probe proves little: nine of ten calls may still get lost, and a
 * thousand generations wait behind it. So calls come back in step with answers, and not much faster than they usually come.
 */
export interface Ramp {
  readonly sinceMs: number;
  /** What was usual before. */
  readonly usual: Traffic;
  readonly steepness: Steepness;
  readonly successes: number;
  readonly share: Share;
  /** Answers in the last second or so. */
  readonly flow: number;
  readonly answeredMs: number;
  /** Calls that the answers so far have earned. */
  readonly credit: number;
  /** How long credit was to be had: the ramp does not end while everyone waits for the first answers. */
  readonly openMs: number;
  /** Calls that there is room for at the pace of the ramp. */
  readonly room: number;
  /** Calls that were let through and have not ended yet. */
  readonly underWay: number;
  /** How many of them would not have ended yet, if answers came as soon as usual. */
  readonly expected: number;
  /** Calls that may go whatever is under way: answers may take a minute, and a call should not wait for that. */
  readonly trickle: number;
  readonly lookedMs: number;
  /** How many were turned away. */
  readonly turnedAway: number;
  /** When a call was turned away last, or may still sleep because of an earlier denial. */
  readonly busyUntilMs: number;
}

const FLOW_MS = 1000;
/** So many times the usual number of calls may be under way, or so many times as many as the answers show that it can bear. */
const MORE = 1.5;
/** With so many times the expected calls under way, answers come later than usual: slots are missing, or every answer takes longer. */
const SLOW = 1.2;
/** Which of the two it is shows with time, so the usual number is reached only after so long. */
const SLOW_MS = 10_000;
/** So many calls go out at most before one more answer has come, */
const MOST_CREDIT = 50;
/** or as many as usually come in this time. */
const MOST_SECONDS = 0.5;
/** Room that may gather while no call asks. */
const MOST_ROOM_SECONDS = 0.1;
/** With fewer calls than this under way every call may go: one user is no herd. */
const FEW = 5;
/** Calls a second that may go whatever is under way, or this share of the usual ones if that is less. */
const TRICKLE_PER_SECOND = 5;
const TRICKLE_SHARE = 0.25;
const LEAST_TRICKLE = 0.5;
/** After so long the pace grows, twofold in the same time again. */
const LONG_MS = 60_000;
/** After this long without a denial no call waits any more. */
const CALM_MS = 3000;

interface RampStart {
  readonly nowMs: number;
  /** How long those who were held back before may still sleep; silence until then does not mean that the herd is gone. */
  readonly quietMs: number;
  readonly usual: Traffic;
  /** 1: a call was answered. 0: the first one is still under way, for longer than failures take. */
  readonly successes: 0 | 1;
  readonly steepness: Steepness;
}

export function startRamp({ nowMs, quietMs, usual, successes, steepness }: RampStart): Ramp {
  return {
    sinceMs: nowMs,
    usual,
    steepness,
    successes,
    share: startShare(usual.perSecond, nowMs),
    flow: successes,
    answeredMs: nowMs,
    credit: Math.max(steepness.perAnswer, usual.perSecond * steepness.firstSeconds),
    openMs: 0,
    room: 0,
    underWay: 0,
    expected: 0,
    trickle: 0,
    lookedMs: nowMs,
    turnedAway: 0,
    busyUntilMs: nowMs + quietMs,
  };
}

/** By its time it ends only where nothing is known of the usual traffic: elsewhere all who still wait would go at once. */
export function isRampOver(ramp: Ramp, rampMs: number, nowMs: number): boolean {
  const isLate = ramp.openMs >= rampMs && (rampMs === 0 || ramp.usual.perSecond === 0);
  return isLate || nowMs - ramp.busyUntilMs >= CALM_MS;
}

/** Whether a call that asks now may go. */
export function isRampFree(ramp: Ramp, nowMs: number): boolean {
  if (isFew(ramp, nowMs) || trickleAt(ramp, nowMs) >= 1) return true;
  return ramp.credit >= 1 && roomAt(ramp, nowMs) >= 1 && ramp.underWay < mostUnderWay(ramp, nowMs);
}

/** A call was let through: because few are under way, else from the trickle, else at the pace of the ramp. */
export function rampAfterAdmission(ramp: Ramp, nowMs: number): Ramp {
  const trickle = trickleAt(ramp, nowMs);
  const isTrickle = !isFew(ramp, nowMs) && trickle >= 1;
  return {
    ...ramp,
    openMs: openAt(ramp, nowMs),
    trickle: isTrickle ? trickle - 1 : trickle,
    // Below 0 for those who went without asking for room: others make up for it.
    room: oneBelow(roomAt(ramp, nowMs), -FEW - 1),
    credit: oneBelow(ramp.credit, 0),
    underWay: ramp.underWay + 1,
    expected: expectedAt(ramp, nowMs) + 1,
    lookedMs: nowMs,
  };
}

/**
 * A call that another process let through before it heard of the last ones here. What it took is owed: otherwise a hundred processes
 * would each let the same call through, again and again.
 */
export function rampAfterForeignAdmission(ramp: Ramp, nowMs: number): Ramp {
  const after = rampAfterAdmission(ramp, nowMs);
  const room = roomAt(ramp, nowMs) - 1;
  // Nothing here would have let it through: several took the same one of the trickle.
  const trickle = isRampFree(ramp, nowMs) ? after.trickle : after.trickle - 1;
  return { ...after, room, trickle, credit: ramp.credit - 1 };
}

export function rampAfterDenial(ramp: Ramp, nowMs: number): Ramp {
  return {
    ...ramp,
    openMs: openAt(ramp, nowMs),
    trickle: trickleAt(ramp, nowMs),
    room: roomAt(ramp, nowMs),
    expected: expectedAt(ramp, nowMs),
    lookedMs: nowMs,
    turnedAway: ramp.turnedAway + 1,
    busyUntilMs: Math.max(nowMs, ramp.busyUntilMs),
  };
}

export function rampAfterSuccess(ramp: Ramp, nowMs: number): Ramp {
  const share = shareAfterAnswer(ramp.share, nowMs);
  const flow = flowAt(ramp, nowMs) + 1;
  const credit = Math.min(mostCredit(ramp), ramp.credit + ramp.steepness.perAnswer);
  const underWay = oneLess(ramp);
  return { ...ramp, successes: ramp.successes + 1, share, flow, answeredMs: nowMs, credit, underWay };
}

export function rampAfterFailure(ramp: Ramp, nowMs: number): Ramp {
  const share = shareAfterFailure(ramp.share, nowMs);
  return { ...ramp, share, credit: Math.floor(ramp.credit / 2), underWay: oneLess(ramp) };
}

/** A call ended without a verdict: its place goes to the next. */
export function rampAfterRelease(ramp: Ramp): Ramp {
  return { ...ramp, credit: Math.min(mostCredit(ramp), ramp.credit + 1), underWay: oneLess(ramp) };
}

/** The provider is down again, or was never up: not one call was answered before one failed. */
export function hasRampFailed({ share, successes }: Ramp, spec: BreakerSpec): boolean {
  return isDown(share, spec) || (successes === 0 && share.failuresInRow > 0);
}

/** The answers of the last second as a share of the usual ones, 0 to 1. Undefined: it is not known what is usual. */
export function rampShare(ramp: Ramp, nowMs: number): number | undefined {
  const { perSecond } = ramp.usual;
  return perSecond === 0 ? undefined : Math.min(1, flowAt(ramp, nowMs) / perSecond);
}

/** A call that a person sent was not counted when it went. */
function oneLess({ underWay }: Ramp): number {
  return Math.max(0, underWay - 1);
}

/** One less, not below `least`; what is owed stays owed. */
function oneBelow(value: number, least: number): number {
  return Math.max(Math.min(value, least), value - 1);
}

function mostCredit({ usual }: Ramp): number {
  return Math.max(MOST_CREDIT, usual.perSecond * MOST_SECONDS);
}

/** So few that every call may go, unless they all fail, or one is followed by the next at once. */
function isFew(ramp: Ramp, nowMs: number): boolean {
  const { underWay, share } = ramp;
  if (underWay >= FEW || share.failuresInRow >= FEW) return false;
  return !isEstablished(ramp.usual) || roomAt(ramp, nowMs) > -FEW;
}

/** Answers in the last second or so. */
function flowAt({ flow, answeredMs }: Ramp, nowMs: number): number {
  return flow * Math.exp((answeredMs - nowMs) / FLOW_MS);
}

/**
 * The usual number of calls, which is reached slowly where answers come late; more only if as many answers come as usual, or they would
 * wait for each other.
 */
function mostUnderWay(ramp: Ramp, nowMs: number): number {
  const { perSecond, underWay } = ramp.usual;
  // What a process saw in its first moments is not usual: thousands of calls would wait for the few places that it had then.
  if (perSecond === 0 || (ramp.steepness.blindly !== null && !isEstablished(ramp.usual)))
    return Number.POSITIVE_INFINITY;
  const grown = isSlow(ramp, nowMs) ? Math.min(1, (nowMs - ramp.sinceMs) / SLOW_MS) : 1;
  const justified = MORE * Math.max(grown, flowAt(ramp, nowMs) / perSecond);
  return Math.max(FEW, (underWay * justified + byChance(underWay)) * growthAt(ramp));
}

function isSlow(ramp: Ramp, nowMs: number): boolean {
  const expected = expectedAt(ramp, nowMs);
  return ramp.underWay > expected * SLOW + byChance(expected);
}

/** Of calls that end after the usual time on average, the same share ends in every moment. */
function expectedAt({ usual, expected, lookedMs }: Ramp, nowMs: number): number {
  if (usual.underWay === 0) return 0;
  const usualMs = (1000 * usual.underWay) / usual.perSecond;
  return expected * Math.exp((lookedMs - nowMs) / usualMs);
}

/** The number of calls under way varies by its square root. */
function byChance(underWay: number): number {
  return 2 * Math.sqrt(underWay);
}

function trickleAt({ usual, trickle, lookedMs }: Ramp, nowMs: number): number {
  const share = usual.perSecond === 0 ? TRICKLE_PER_SECOND : usual.perSecond * TRICKLE_SHARE;
  const perSecond = Math.min(TRICKLE_PER_SECOND, Math.max(LEAST_TRICKLE, share));
  // No more than a second's may gather.
  return Math.min(Math.max(1, perSecond), trickle + ((nowMs - lookedMs) / 1000) * perSecond);
}

function openAt(ramp: Ramp, nowMs: number): number {
  return ramp.credit >= 1 ? ramp.openMs + nowMs - ramp.lookedMs : ramp.openMs;
}

/** Room gathers at the pace of the ramp. */
function roomAt(ramp: Ramp, nowMs: number): number {
  const { room, lookedMs } = ramp;
  const paced = paceAt(ramp, nowMs);
  if (paced === Number.POSITIVE_INFINITY) return paced;
  return Math.min(Math.max(1, paced * MOST_ROOM_SECONDS), room + ((nowMs - lookedMs) / 1000) * paced);
}

/** Calls per second: a few always. Infinity: only answers limit them. */
function paceAt(ramp: Ramp, nowMs: number): number {
  const { usual, steepness, sinceMs } = ramp;
  if (steepness.blindly !== null && !isEstablished(usual)) {
    return Math.max(FEW, ((nowMs - sinceMs) / 1000) * steepness.blindly, flowAt(ramp, nowMs) * steepness.pace);
  }
  const known = usual.perSecond === 0 ? Number.POSITIVE_INFINITY : usual.perSecond * steepness.pace;
  return Math.max(FEW, known) * growthAt(ramp);
}

/** A herd that is still there may be what is usual from now on. */
function growthAt({ openMs }: Ramp): number {
  return openMs <= LONG_MS ? 1 : 2 ** ((openMs - LONG_MS) / LONG_MS);
}
