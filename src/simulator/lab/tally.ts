import { type AnswerCounts, AnswerTimes } from "./answer-times.ts";

/** What is counted, second by second. */
export const COUNTED = [
  /** Generations that clients started. */
  "offered",
  /** Calls that the engine made for them. */
  "calls",
  /** Calls that arrived at a provider. */
  "reached",
  /** Calls that a provider rejected: outage, quota or a full queue. */
  "rejected",
  /** Calls that got lost on the way. */
  "lost",
  /** Accepted calls whose connection broke before the answer was complete. */
  "cut",
  /** Calls given up at their time limit. */
  "abandoned",
  /** Answers that a provider produced after the caller had given up. */
  "wasted",
  /** Generations with an answer. */
  "answered",
  /** Generations that ended without an answer. */
  "failed",
  /** Calls that got their answer. */
  "callsAnswered",
  /** The same by the second in which they started, and how long they took in all: a slow answer says how it was then. */
  "callsTimed",
  "callMs",
] as const;

/** What is sampled once a second. */
export const GAUGED = [
  /** Calls that a client is waiting for. */
  "inFlight",
  /** Generations that wait between two calls. */
  "waiting",
  /** Slots in use, of all providers. */
  "busy",
  /** Calls that wait for a slot. */
  "queued",
] as const;

export type Counted = (typeof COUNTED)[number];
export type Gauged = (typeof GAUGED)[number];

/** One number per second. */
export type Series = Readonly<Record<Counted | Gauged, readonly number[]>>;

type Change = Readonly<Partial<Record<Counted, 1 | -1>>>;
const IN_FLIGHT: Change = { calls: 1, rejected: -1, cut: -1, abandoned: -1, callsAnswered: -1 };
const ACTIVE: Change = { offered: 1, answered: -1, failed: -1 };

export interface TallySetup {
  readonly now: () => number;
  /** How many seconds are counted. */
  readonly seconds: number;
  /** Of generations started before this, the time to the answer does not count. Default: 0. */
  readonly timedFromMs?: number;
}

/** Counts what happens, second by second. */
export class Tally {
  readonly #timedFromMs: number;
  readonly #answerTimes = new AnswerTimes();
  readonly #series: Record<Counted | Gauged, number[]>;
  readonly #now: () => number;
  readonly #seconds: number;
  #inFlight = 0;
  #active = 0;

  constructor({ now, seconds, timedFromMs = 0 }: TallySetup) {
    this.#timedFromMs = timedFromMs;
    this.#now = now;
    this.#seconds = seconds;
    const zeros = [...COUNTED, ...GAUGED].map((name) => [name, new Array<number>(seconds).fill(0)]);
    this.#series = Object.fromEntries(zeros) as Record<Counted | Gauged, number[]>;
  }

  get series(): Series {
    return this.#series;
  }

  get answers(): AnswerCounts {
    return this.#answerTimes.counts;
  }

  /** A client started a generation. */
  started(nowMs: number): void {
    this.count("offered");
    if (nowMs >= this.#timedFromMs) this.#answerTimes.start();
  }

  ended(startedMs: number, isAnswered: boolean): void {
    this.count(isAnswered ? "answered" : "failed");
    if (isAnswered && startedMs >= this.#timedFromMs) this.#answerTimes.answer(this.#now() - startedMs);
  }

  count(name: Counted, by = 1): void {
    this.#inFlight += IN_FLIGHT[name] ?? 0;
    this.#active += ACTIVE[name] ?? 0;
    this.#set(name, (before) => before + by);
  }

  /** A call that started then was answered. */
  timeCall(startedMs: number): void {
    this.count("callsAnswered");
    this.#set("callsTimed", (before) => before + 1, startedMs);
    this.#set("callMs", (before) => before + this.#now() - startedMs, startedMs);
  }

  /** Takes this second's samples. */
  gauge({ busy, queued }: { readonly busy: number; readonly queued: number }): void {
    const samples = { inFlight: this.#inFlight, waiting: Math.max(0, this.#active - this.#inFlight), busy, queued };
    for (const name of GAUGED) this.#set(name, () => samples[name]);
  }

  #set(name: Counted | Gauged, change: (before: number) => number, atMs = this.#now()): void {
    const second = Math.floor(atMs / 1000);
    // What happens after the last second is not counted.
    if (second < this.#seconds) this.#series[name][second] = change(this.#series[name][second] ?? 0);
  }
}
