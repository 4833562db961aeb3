import type { RateLimits } from "../classify/read-rate-limits.ts";
import { budgetAfter, type CallBudget, toldRate } from "./call-budget.ts";
import { isDue, NO_QUEUE, present, type Queue, queueTail, withDue, withoutFirst } from "./pace-queue.ts";
import { type RateLearner, rateAfterAcceptance, rateAfterAnswer, rateAfterRefusal, UNLIMITED } from "./rate-learner.ts";
import { type Width, widthAfterAnswer, widthAfterRefusal, widthOf } from "./width.ts";

/** Bounds that a person sets. */
export interface PaceSpec {
  /** Calls at the same time, at most. */
  readonly most: number;
  /** Calls at the same time in the beginning, and after a limit of that kind at least one. */
  readonly first: number;
}

/**
 * How fast one credential may be used for one model, as a value: calls at the same time and calls per second, both learned from
 * answers and refusals, and what the endpoint's headers say. The clock is an argument.
 */
export interface Pace {
  readonly width: Width;
  readonly rate: RateLearner;
  /** What the headers of the last answer allow. Undefined: they say nothing. */
  readonly told: CallBudget | undefined;
  readonly underWay: number;
  /** Those of them whose headers have come. */
  readonly accepted: number;
  /** When the next call is due, at the learned rate. */
  readonly nextAtMs: number;
  /** No call before this. */
  readonly heldUntilMs: number;
  /** Those who were turned away and come back. */
  readonly queue: Queue;
  /** How long an answer takes, smoothed. 0: not known. */
  readonly answerMs: number;
  /** Since the last call that had to wait for the rate: only a limit that is felt may grow. */
  readonly hasWaited: boolean;
}

/** What keeps a call back, for people. */
export type PaceReason = "rate" | "width" | "refused";

/** Starts that were missed because a timer was late are made up for, but not more than these. */
const CATCH_UP_MS = 200;
/** A hint of a refusal holds all calls back, but not for longer than this: health has the rest. */
const MOST_HELD_MS = 60_000;
/** Of the smoothed time of an answer. */
const WEIGHT = 0.1;
/** Where nothing is known, one who is turned away asks again after so long. */
const USUAL_ANSWER_MS = 1000;
const LEAST_WAIT_MS = 1;

export function newPace(spec: PaceSpec): Pace {
  return {
    width: widthOf(spec.first, spec.most),
    rate: UNLIMITED,
    told: undefined,
    underWay: 0,
    accepted: 0,
    nextAtMs: 0,
    heldUntilMs: 0,
    queue: NO_QUEUE,
    answerMs: 0,
    hasWaited: false,
  };
}

/** Calls per second that may start now; Infinity: nothing limits them. */
export function paceRate(pace: Pace, nowMs: number): number {
  return Math.min(pace.rate.perSecond, toldRate(pace.told, nowMs));
}

/** What holds the next call back now. Undefined: nothing. */
export function paceReason(pace: Pace, nowMs: number): PaceReason | undefined {
  if (pace.heldUntilMs > nowMs) return "refused";
  if (dueInMs(pace, nowMs) > 0) return "rate";
  return pace.underWay >= Math.floor(pace.width.calls) ? "width" : undefined;
}

/** Milliseconds until a call that comes now may start, those who wait already before it; 0: at once. */
export function paceFreeInMs(pace: Pace, nowMs: number): number {
  const ownMs = placeInMs(pace, nowMs);
  const tailMs = queueTail(present(pace.queue, nowMs));
  return tailMs === undefined ? ownMs : Math.max(ownMs, tailMs + intervalMs(pace, nowMs) - nowMs, LEAST_WAIT_MS);
}

/** A call asks. 0: it may start, and its place is taken, but it is not yet under way. Otherwise when to ask again. */
export function askPace(pace: Pace, nowMs: number): { readonly pace: Pace; readonly waitMs: number } {
  const waiting = present(pace.queue, nowMs);
  const isOwnTurn = isDue(waiting, nowMs);
  const queue = isOwnTurn ? withoutFirst(waiting) : waiting;
  const waitMs = isOwnTurn ? placeInMs(pace, nowMs) : paceFreeInMs(pace, nowMs);
  if (waitMs === 0) return { pace: paceAfterAdmission({ ...pace, queue }, nowMs), waitMs };
  const hasWaited = pace.hasWaited || paceReason(pace, nowMs) === "rate";
  return { pace: { ...pace, queue: withDue(queue, nowMs + waitMs), hasWaited }, waitMs };
}

/** A call was let through: the next one is due an interval later. */
function paceAfterAdmission(pace: Pace, nowMs: number): Pace {
  const rate = paceRate(pace, nowMs);
  if (rate === Number.POSITIVE_INFINITY) return { ...pace, nextAtMs: nowMs };
  const lateMs = Math.max(CATCH_UP_MS, 1000 / rate);
  return { ...pace, nextAtMs: Math.max(pace.nextAtMs, nowMs - lateMs) + 1000 / rate };
}

/** Someone saw that the next call has to wait for the rate, without asking. */
export function paceAfterLook(pace: Pace, nowMs: number): Pace {
  return pace.hasWaited || paceReason(pace, nowMs) !== "rate" ? pace : { ...pace, hasWaited: true };
}

export function paceAfterStart(pace: Pace): Pace {
  return { ...pace, underWay: pace.underWay + 1 };
}

/** The endpoint has accepted a call that started then: its headers have come, its answer has not. */
export function paceAfterAcceptance(pace: Pace, startedMs: number, nowMs: number): Pace {
  return { ...pace, accepted: pace.accepted + 1, rate: rateAfterAcceptance(pace.rate, startedMs, nowMs) };
}

/** A call ended in a way that says nothing about limits. */
export function paceAfterEnd(pace: Pace): Pace {
  return { ...pace, underWay: Math.max(0, pace.underWay - 1), accepted: Math.max(0, pace.accepted - 1) };
}

export function paceAfterAnswer(pace: Pace, startedMs: number, nowMs: number): Pace {
  const tookMs = Math.max(0, nowMs - startedMs);
  const wasFull = pace.underWay >= Math.floor(pace.width.calls);
  // Without a word of its headers, the answer is the first sign that it was accepted.
  const rate = pace.accepted > 0 ? pace.rate : rateAfterAcceptance(pace.rate, startedMs, nowMs);
  return {
    ...paceAfterEnd(pace),
    width: widthAfterAnswer(pace.width, wasFull),
    rate: rateAfterAnswer(rate, pace.hasWaited),
    answerMs: pace.answerMs === 0 ? tookMs : pace.answerMs + (tookMs - pace.answerMs) * WEIGHT,
    hasWaited: false,
  };
}

/** How a call was refused. */
export interface Refusal {
  /** A limit of calls per time, of calls at the same time, or an overload. */
  readonly of: "rate" | "width" | "either";
  readonly startedMs: number;
  readonly hintMs: number | undefined;
}

export function paceAfterRefusal(pace: Pace, { of, startedMs, hintMs }: Refusal, nowMs: number): Pace {
  const underWay = Math.max(0, pace.underWay - 1);
  const width = of === "rate" ? pace.width : widthAfterRefusal(pace.width, underWay, { startedMs, nowMs });
  if (of === "width") return { ...pace, underWay, width };
  const { rate, pauseMs } = rateAfterRefusal(pace.rate, { startedMs, hintMs, nowMs });
  const heldUntilMs = Math.max(pace.heldUntilMs, nowMs + Math.min(MOST_HELD_MS, pauseMs));
  return { ...pace, underWay, width, rate, heldUntilMs };
}

/** The headers of an answer, good or bad. `tokensPerCall`: what a call takes of a limit on tokens; 0: not known. */
export function paceAfterLimits(pace: Pace, limits: RateLimits, tokensPerCall: number, nowMs: number): Pace {
  const told = budgetAfter(limits, tokensPerCall, nowMs);
  return told === undefined ? pace : { ...pace, told };
}

/** Milliseconds until there is a place for the first in line. */
function placeInMs(pace: Pace, nowMs: number): number {
  const heldMs = pace.heldUntilMs - nowMs;
  const fullMs = pace.underWay >= Math.floor(pace.width.calls) ? intervalMs(pace, nowMs) : 0;
  const waitMs = Math.max(0, heldMs, dueInMs(pace, nowMs), fullMs);
  return waitMs === 0 ? 0 : Math.max(LEAST_WAIT_MS, waitMs);
}

function dueInMs(pace: Pace, nowMs: number): number {
  // Never longer than a gap: what was due at a slower rate than now's must not hold calls back.
  return Math.max(0, Math.min(pace.nextAtMs - nowMs, gapMs(pace, nowMs)));
}

/** Between two calls at the rate of now; 0: none is needed. What headers said is over with their reset. */
function gapMs(pace: Pace, nowMs: number): number {
  const rate = paceRate(pace, nowMs);
  if (rate === Number.POSITIVE_INFINITY) return 0;
  const isTold = pace.told !== undefined && rate < pace.rate.perSecond;
  return isTold ? Math.min(1000 / rate, pace.told.untilMs - nowMs) : 1000 / rate;
}

/** About how often a call may start. */
function intervalMs(pace: Pace, nowMs: number): number {
  const dueMs = gapMs(pace, nowMs);
  if (dueMs > 0 && pace.underWay < Math.floor(pace.width.calls)) return Math.max(LEAST_WAIT_MS, dueMs);
  const answerMs = pace.answerMs === 0 ? USUAL_ANSWER_MS : pace.answerMs;
  return Math.max(LEAST_WAIT_MS, dueMs, Math.min(USUAL_ANSWER_MS, answerMs / pace.width.calls));
}
