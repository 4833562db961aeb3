/**
 * How many answers a second there usually are, as a value. It decides what is much and what is little: how often a probe pays,
 * how many calls may come back at once, how many retries there is room for.
 */
export interface Traffic {
  /** 0: not known yet. */
  readonly perSecond: number;
  /** When the last lot of answers was complete. Undefined: none was. */
  readonly sinceMs: number | undefined;
}

export const NO_TRAFFIC: Traffic = Object.freeze({ perSecond: 0, sinceMs: undefined });

/** Answers are counted in lots of this many: a clock is read for one call in thirty-two. A power of two. */
export const LOT = 32;
/** How much a new lot counts: thirty-two answers vary by a fifth by chance. */
const WEIGHT_UP = 0.1;
/** Less, because an outage begins with fewer answers. */
const WEIGHT_DOWN = 0.05;
/** Two lots in the same tick of a coarse clock. */
const LEAST_MS = 50;

/** Another lot of answers is complete. */
export function trafficAfterLot({ perSecond, sinceMs }: Traffic, nowMs: number): Traffic {
  if (sinceMs === undefined) return { perSecond, sinceMs: nowMs };
  const latest = (LOT * 1000) / Math.max(LEAST_MS, nowMs - sinceMs);
  const weight = perSecond === 0 ? 1 : latest > perSecond ? WEIGHT_UP : WEIGHT_DOWN;
  return { perSecond: perSecond + (latest - perSecond) * weight, sinceMs: nowMs };
}

/** Answers during an outage say nothing about the usual: counting starts again after it. */
export function trafficAfterOutage({ perSecond }: Traffic): Traffic {
  return { perSecond, sinceMs: undefined };
}
