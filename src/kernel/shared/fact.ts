/**
 * What one process has found out and all of them should know: a cooldown, the state of a breaker. Of two facts with one key the greater
 * one counts, by `epoch`, then `rank`, then the text. So facts may come in any order and more than once. Times are those of the shared clock.
 */
export interface Fact {
  readonly key: string;
  /** Raised when a person clears what is known. */
  readonly epoch: number;
  /** For a cooldown its end, for a breaker the moment of the change. */
  readonly rank: number;
  /** When it is of no more use. */
  readonly untilMs: number;
  /** JSON. */
  readonly value: string;
}

/** Whether the first of two facts with one key counts. */
export function isGreater(one: Fact, other: Fact): boolean {
  if (one.epoch !== other.epoch) return one.epoch > other.epoch;
  if (one.rank !== other.rank) return one.rank > other.rank;
  if (one.value !== other.value) return one.value > other.value;
  return one.untilMs > other.untilMs;
}

/** Every fact that is known, the greatest of each key. */
export class FactTable {
  readonly #facts = new Map<string, Fact>();

  get(key: string): Fact | undefined {
    return this.#facts.get(key);
  }

  /** Returns whether it is news. */
  add(fact: Fact): boolean {
    const known = this.#facts.get(fact.key);
    if (known !== undefined && !isGreater(fact, known)) return false;
    this.#facts.set(fact.key, fact);
    return true;
  }

  /** What is of use and not in `facts`, or only in a lesser version. */
  *beyond(facts: readonly Fact[], sharedMs: number): Generator<Fact> {
    const theirs = new Map(facts.map((fact) => [fact.key, fact]));
    for (const fact of this.#facts.values()) {
      const other = theirs.get(fact.key);
      if (fact.untilMs > sharedMs && (other === undefined || isGreater(fact, other))) yield fact;
    }
  }

  /** Forgets what is of no more use. */
  sweep(sharedMs: number): void {
    if (this.#facts.size < MANY) return;
    for (const [key, { untilMs }] of this.#facts) if (untilMs <= sharedMs) this.#facts.delete(key);
  }
}

/** Fewer are not worth looking through. */
const MANY = 100;

/** As it is sent: `[key, epoch, rank, untilMs, value]`. */
export type SentFact = readonly [string, number, number, number, string];

export function sentFact({ key, epoch, rank, untilMs, value }: Fact): SentFact {
  return [key, epoch, rank, untilMs, value];
}

/** Nothing is further away than this: a clock that runs wild must not lock a credential for years. */
const MOST_AHEAD_MS = 31 * 86_400_000;

/** Undefined for anything that is no fact. */
export function readFact(sent: unknown, sharedMs: number): Fact | undefined {
  if (!Array.isArray(sent) || sent.length !== 5) return undefined;
  const [key, epoch, rank, untilMs, value] = sent as readonly unknown[];
  if (typeof key !== "string" || typeof value !== "string") return undefined;
  if (!isMoment(epoch, sharedMs) || !isMoment(rank, sharedMs) || !isMoment(untilMs, sharedMs)) return undefined;
  return untilMs <= sharedMs ? undefined : { key, epoch, rank, untilMs, value };
}

function isMoment(value: unknown, sharedMs: number): value is number {
  return typeof value === "number" && value >= 0 && value <= sharedMs + MOST_AHEAD_MS;
}
