/**
 * Those who were turned away and were told when to ask again, as a value: when each of them is due, in order. The engine does not
 * say who asks; only the time tells one who is due from one who has just come.
 */
export type Queue = readonly number[];

export const NO_QUEUE: Queue = Object.freeze([]);

/** Who is so late has gone away: its generation was ended. */
const GONE_MS = 1000;

/** Whether the one who asks now is the first of the queue. */
export function isDue(queue: Queue, nowMs: number): boolean {
  return (queue[0] ?? Number.POSITIVE_INFINITY) <= nowMs;
}

/** Without those who have gone away. */
export function present(queue: Queue, nowMs: number): Queue {
  if (!isDue(queue, nowMs - GONE_MS)) return queue;
  return queue.filter((dueMs) => dueMs > nowMs - GONE_MS);
}

/** When the last one is due. Undefined: no one waits. */
export function queueTail(queue: Queue): number | undefined {
  return queue.at(-1);
}

/** The first has got its place, or asks again later. */
export function withoutFirst(queue: Queue): Queue {
  return queue.slice(1);
}

export function withDue(queue: Queue, dueMs: number): Queue {
  const behind = queue.findIndex((one) => one > dueMs);
  return behind === -1 ? [...queue, dueMs] : queue.toSpliced(behind, 0, dueMs);
}
