/** What is counted, second by second. */
export const COUNTED = [
  /** Generations that clients asked for. */
  "offered",
  /** Calls that the engine made for them. */
  "calls",
  /** Calls that arrived at a provider. */
  "reached",
  /** Calls that a provider refused: outage, quota or a full queue. */
  "refused",
  /** Calls that got lost on the way. */
  "lost",
  /** Calls given up because their time was up. */
  "abandoned",
  /** Answers that a provider worked out for a caller who had gone. */
  "wasted",
  /** Generations with an answer. */
  "answered",
  /** Generations that ended without one. */
  "failed",
  /** Calls that got their answer, and how long they took in all. */
  "callsAnswered",
  "callMs",
] as const;

/** What is looked at once a second. */
export const GAUGED = [
  /** Calls that their callers wait for. */
  "inFlight",
  /** Generations that wait between two calls. */
  "waiting",
  /** Slots at work, of all providers. */
  "busy",
  /** Calls in front of the slots. */
  "queued",
] as const;

export type Counted = (typeof COUNTED)[number];
export type Gauged = (typeof GAUGED)[number];

/** One number a second. */
export type Series = Readonly<Record<Counted | Gauged, readonly number[]>>;

/** Counts what happens, second by second. */
export class Tally {
  readonly #series: Record<Counted | Gauged, number[]>;
  readonly #now: () => number;
  readonly #seconds: number;
  #inFlight = 0;
  #active = 0;

  constructor(now: () => number, seconds: number) {
    this.#now = now;
    this.#seconds = seconds;
    const zeros = [...COUNTED, ...GAUGED].map((name) => [name, new Array<number>(seconds).fill(0)]);
    this.#series = Object.fromEntries(zeros) as Record<Counted | Gauged, number[]>;
  }

  get series(): Series {
    return this.#series;
  }

  generationOffered(): void {
    this.#active++;
    this.#count("offered");
  }

  generationEnded(hasAnswer: boolean): void {
    this.#active--;
    this.#count(hasAnswer ? "answered" : "failed");
  }

  callMade(): void {
    this.#inFlight++;
    this.#count("calls");
  }

  callReached(): void {
    this.#count("reached");
  }

  callLost(): void {
    this.#count("lost");
  }

  callRefused(): void {
    this.#inFlight--;
    this.#count("refused");
  }

  callAbandoned(): void {
    this.#inFlight--;
    this.#count("abandoned");
  }

  callAnswered(tookMs: number): void {
    this.#inFlight--;
    this.#count("callsAnswered");
    this.#count("callMs", tookMs);
  }

  answerWasted(): void {
    this.#count("wasted");
  }

  /** Looks at what stands at this moment. */
  gauge(load: { readonly busy: number; readonly queued: number }): void {
    const at = this.#second();
    if (at < 0) return;
    this.#series.inFlight[at] = this.#inFlight;
    this.#series.waiting[at] = Math.max(0, this.#active - this.#inFlight);
    this.#series.busy[at] = load.busy;
    this.#series.queued[at] = load.queued;
  }

  #count(name: Counted, by = 1): void {
    const at = this.#second();
    const counts = this.#series[name];
    if (at >= 0) counts[at] = (counts[at] ?? 0) + by;
  }

  #second(): number {
    const at = Math.floor(this.#now() / 1000);
    return at < this.#seconds ? at : -1;
  }
}
