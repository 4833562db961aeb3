/**
 * What is usual, as a value: how many answers a second, and how many calls under way at a time. It decides what is much and what
 * is little: how often a probe pays, how many calls may come back at once, how many retries there is room for.
 */
export interface Traffic {
  /** Answers a second; 0: not known yet. */
  readonly perSecond: number;
  /** Calls under way at a time. */
  readonly underWay: number;
  /** Answers a second when it was looked at last. */
  readonly latest: number;
  /** For how long it was usual. */
  readonly forMs: number;
  /** Since when answers are counted, and how many there were. Undefined: no lot was complete yet. */
  readonly sinceMs: number | undefined;
  readonly answers: number;
}

export const NO_TRAFFIC: Traffic = Object.freeze({
  perSecond: 0,
  underWay: 0,
  latest: 0,
  forMs: 0,
  sinceMs: undefined,
  answers: 0,
});

/** Answers are counted in lots of this many: a clock is read for one call in eight. A power of two. */
export const LOT = 8;
/** A shorter time shows nothing: the clock is coarse. */
const LEAST_MS = 200;
/** How much an answer counts: few of them vary by a third by chance. */
const WEIGHT = 0.01;
/** And nothing is usual that has not lasted for about this long. */
const MEMORY_MS = 10_000;
/** A much lower rate counts less, because an outage begins with fewer answers. */
const LOWER = 0.25;
/** With this share of the usual answers a provider keeps up. */
const KEEPS_UP = 0.7;
/** With less than this share of the usual answers they are overdue. */
const OVERDUE = 0.5;
/** What has lasted for so long is no burst. */
const ESTABLISHED_MS = 3000;
/** After a pause in which so many answers would usually come, and of this much time, nothing is usual any more. */
const PAUSE = 80;
const PAUSE_MS = 10_000;

/** Another lot of answers is complete. `isUsual`: no call was held back meanwhile; otherwise nothing is learned from it. */
export function trafficAfterLot(traffic: Traffic, underWay: number, isUsual: boolean, nowMs: number): Traffic {
  const { perSecond, sinceMs } = traffic;
  if (sinceMs === undefined) return { ...traffic, sinceMs: nowMs, answers: 0 };
  const answers = traffic.answers + LOT;
  const forMs = nowMs - sinceMs;
  // Field by field: this runs in good weather too, and a spread costs ten times as much.
  if (forMs < LEAST_MS) {
    return { perSecond, underWay: traffic.underWay, latest: traffic.latest, forMs: traffic.forMs, sinceMs, answers };
  }
  const latest = (answers * 1000) / forMs;
  if (!isUsual) return { ...traffic, latest, sinceMs: nowMs, answers: 0 };
  // The first answers after a pause show nothing of how many come now.
  const next = { latest: isPause(perSecond, forMs) ? perSecond : latest, sinceMs: nowMs, answers: 0 };
  if (perSecond === 0) return { perSecond: latest, underWay, forMs, ...next };
  const weight = Math.min(1, answers * WEIGHT, forMs / MEMORY_MS);
  const change = (latest - perSecond) * weight;
  // Perhaps an outage begins: then many calls under way are a queue.
  if (latest < perSecond * KEEPS_UP) return { ...traffic, perSecond: perSecond + change * LOWER, ...next };
  return {
    perSecond: perSecond + change,
    underWay: traffic.underWay + (underWay - traffic.underWay) * weight,
    forMs: traffic.forMs + forMs,
    ...next,
  };
}

/**
 * Calls are held back, and still more answers come than were ever seen: then at least so many are usual. Otherwise a process that is
 * limited in its first moments would take those for usual as long as calls wait. What has lasted counts more.
 */
export function trafficAtLeast(traffic: Traffic, underWay: number): Traffic {
  const { latest, perSecond } = traffic;
  return isEstablished(traffic) || latest <= perSecond ? traffic : { ...traffic, perSecond: latest, underWay };
}

/** As much of it as is left, or as it was before. */
export function scaledTraffic(traffic: Traffic, factor: number): Traffic {
  const { perSecond, underWay, latest } = traffic;
  return { ...traffic, perSecond: perSecond * factor, underWay: underWay * factor, latest: latest * factor };
}

/** Whether it is more than the first moments of a burst. */
export function isEstablished({ forMs }: Traffic): boolean {
  return forMs >= ESTABLISHED_MS;
}

/** Whether less than half of the usual answers come, while there was no pause. */
export function isOverdue(traffic: Traffic, nowMs: number): boolean {
  const { perSecond, sinceMs } = traffic;
  if (perSecond === 0 || sinceMs === undefined) return false;
  return !isPause(perSecond, nowMs - sinceMs) && latestAt(traffic, sinceMs, nowMs) < perSecond * OVERDUE;
}

/** Whether about as many answers come as usual. */
export function keepsUp(traffic: Traffic, nowMs: number): boolean {
  const { perSecond, sinceMs } = traffic;
  return sinceMs === undefined || latestAt(traffic, sinceMs, nowMs) >= perSecond * KEEPS_UP;
}

/** Answers a second now. */
export function answersAt(traffic: Traffic, nowMs: number): number {
  return traffic.sinceMs === undefined ? traffic.latest : latestAt(traffic, traffic.sinceMs, nowMs);
}

/** Answers a second now: no lot is complete while none come. */
function latestAt({ latest, answers }: Traffic, sinceMs: number, nowMs: number): number {
  return Math.min(latest, ((answers + LOT) * 1000) / Math.max(0, nowMs - sinceMs));
}

/** False as long as nothing is usual. */
function isPause(perSecond: number, forMs: number): boolean {
  return forMs > Math.max(PAUSE_MS, (PAUSE * 1000) / perSecond);
}
