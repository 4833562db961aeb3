import { answersAt, isEstablished, isOverdue, keepsUp, type Traffic } from "./traffic.ts";

/**
 * Too many calls under way at a provider that answers too few, as a value: they wait for each other in its queue, and what it
 * answers after their time limit is wasted. New calls wait here instead, until others have ended.
 */
export interface Crowd {
  /** How many calls may be under way. */
  readonly most: number;
  readonly sinceMs: number;
  /** When it was made smaller last. */
  readonly cutMs: number;
  readonly turnedAway: number;
}

/** So many times the usual number of calls under way is suspicious, */
const MANY = 3;
/** if there are at least this many: one user is no crowd. */
const LEAST = 12;
/** Calls that are all answered within so many seconds, as answers come now, do not wait for each other long enough to matter. */
const SHORT_S = 1;
/** It may be that answers simply take longer than before, so the crowd may grow by so much in a second. */
const GROWTH = 1.007;
/** After a timeout it is made smaller, */
const CUT = 0.7;
/** but not again for calls that were under way then. */
const CUT_EVERY_MS = 5000;

/** More calls under way than this make a call ask. What was seen for a moment is not usual: the next calls would be a crowd. */
export function suspiciousAbove(traffic: Traffic): number {
  return isEstablished(traffic) ? Math.max(LEAST, traffic.underWay * MANY) : Number.POSITIVE_INFINITY;
}

export function startCrowd(traffic: Traffic, underWay: number, nowMs: number): Crowd | undefined {
  const most = suspiciousAbove(traffic);
  if (underWay < most || !isOverdue(traffic, nowMs) || isShort(traffic, underWay, nowMs)) return undefined;
  return { most, sinceMs: nowMs, cutMs: nowMs, turnedAway: 0 };
}

export function hasRoom(crowd: Crowd, underWay: number, nowMs: number): boolean {
  return underWay < mostAt(crowd, nowMs);
}

/** Whether it has dissolved. */
export function isCrowdOver(traffic: Traffic, underWay: number, nowMs: number): boolean {
  return keepsUp(traffic, nowMs) || underWay < Math.max(LEAST, traffic.underWay * MANY) / 2;
}

/** A call got no answer within its time limit. */
export function crowdAfterTimeout(crowd: Crowd, traffic: Traffic, underWay: number, nowMs: number): Crowd {
  if (nowMs - crowd.cutMs < CUT_EVERY_MS) return crowd;
  const most = Math.max(LEAST / 2, traffic.underWay, Math.min(underWay, mostAt(crowd, nowMs)) * CUT);
  return { ...crowd, most, sinceMs: nowMs, cutMs: nowMs };
}

function isShort(traffic: Traffic, underWay: number, nowMs: number): boolean {
  return underWay < answersAt(traffic, nowMs) * SHORT_S;
}

function mostAt({ most, sinceMs }: Crowd, nowMs: number): number {
  return most * GROWTH ** ((nowMs - sinceMs) / 1000);
}
