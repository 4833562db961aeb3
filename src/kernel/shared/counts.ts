/** What happens to calls, as far as other processes need to know. The place in the list is the place in a message. */
export const CALL_EVENTS = [
  "started",
  "answered",
  /** An answer to a call from before the breaker's last change: it shows only that the call is over. */
  "answeredLate",
  "sick",
  "timedOut",
  "limited",
  /** The provider answered, if only to refuse. */
  "refused",
  "released",
  /** Over, and nothing else follows from it. */
  "ended",
  "admitted",
  /** The same for a retry that took a token of the budget. */
  "admittedRetry",
  "denied",
] as const;

export type CallEvent = (typeof CALL_EVENTS)[number];

/**
 * How often each event has happened since the process started, by its place. Never less than before, so the greater of two counts is the
 * later one. A list and not an object: with a hundred processes, thousands of these are compared in a second.
 */
export type Counts = readonly number[];

export const PLACE_OF = Object.freeze(
  Object.fromEntries(CALL_EVENTS.map((event, place) => [event, place])) as Record<CallEvent, number>,
);

/** So many events of a kind are replayed of one message, one by one: a faulty process must not hold up the others. */
export const MOST_REPLAYED = 10_000;

const FIRST_END = PLACE_OF.answered;
const LAST_END = PLACE_OF.ended;

export function newCounts(): number[] {
  return new Array<number>(CALL_EVENTS.length).fill(0);
}

export function countOf(counts: Counts, event: CallEvent): number {
  return counts[PLACE_OF[event]] ?? 0;
}

/** Calls that have started and not ended. */
export function underWayOf(counts: Counts): number {
  let underWay = countOf(counts, "started");
  for (let place = FIRST_END; place <= LAST_END; place++) underWay -= counts[place] ?? 0;
  return Math.max(0, underWay);
}

export interface Advance {
  readonly counts: Counts;
  /** What is new in it. */
  readonly news: Counts;
}

/** What a process says now against what was known of it. An older message, or the same one again, changes nothing. */
export function advance(known: Counts, heard: Counts): Advance {
  const counts = newCounts();
  const news = newCounts();
  for (let place = 0; place < counts.length; place++) {
    const before = known[place] ?? 0;
    counts[place] = Math.max(before, heard[place] ?? 0);
    news[place] = (counts[place] ?? 0) - before;
  }
  return { counts, news };
}

/** What a process that is new here brings with it: the calls that it has under way. What it did before is history. */
export function firstNews(heard: Counts): Counts {
  const news = newCounts();
  news[PLACE_OF.started] = underWayOf(heard);
  return news;
}

/** As it is sent: without the zeros at the end. */
export function sentCounts(counts: Counts): readonly number[] {
  return counts.slice(0, counts.findLastIndex((count) => count > 0) + 1);
}

/** Undefined for anything that is no list of counts. */
export function readCounts(sent: unknown): Counts | undefined {
  if (!Array.isArray(sent) || sent.length > CALL_EVENTS.length) return undefined;
  return sent.every((count) => Number.isSafeInteger(count) && count >= 0) ? sent : undefined;
}
