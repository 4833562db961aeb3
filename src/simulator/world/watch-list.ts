import type { Sleeper, Watched } from "../../kernel/index.ts";
import type { Sleepers } from "../../system/sleepers.ts";

/** A watched attempt, as a sleeper in the clock's heap. */
class Guard implements Sleeper {
  wakeAtMs = 0;
  slot = -1;
  watched: Watched | undefined = undefined;
  readonly #list: WatchList;

  constructor(list: WatchList) {
    this.#list = list;
  }

  wake(): void {
    this.#list.guardWoke(this);
  }
}

/**
 * The watched attempts of a virtual world. Watching again only moves the deadline: the guard reads it when it wakes, so a
 * token costs two writes and no change to the heap.
 */
export class WatchList {
  readonly #heap: Sleepers;
  /** By `Watched.place`. */
  readonly #guards: Guard[] = [];
  readonly #free: number[] = [];

  constructor(heap: Sleepers) {
    this.#heap = heap;
  }

  watch(watched: Watched, dueAtMs: number): void {
    const guard = this.#guards[watched.place];
    watched.dueAt = dueAtMs;
    if (guard === undefined || guard.watched !== watched) return this.#post(watched, dueAtMs);
    // The guard finds a later deadline when it wakes; it would miss an earlier one.
    if (dueAtMs >= guard.wakeAtMs) return;
    this.#heap.remove(guard);
    guard.wakeAtMs = dueAtMs;
    this.#heap.push(guard);
  }

  unwatch(watched: Watched, nowMs: number): number {
    const guard = this.#guards[watched.place];
    if (guard === undefined || guard.watched !== watched) return 0;
    this.#heap.remove(guard);
    this.#dismiss(guard, watched);
    return Math.max(0, watched.dueAt - nowMs);
  }

  guardWoke(guard: Guard): void {
    const { watched } = guard;
    if (watched === undefined) return;
    if (watched.dueAt > guard.wakeAtMs) {
      guard.wakeAtMs = watched.dueAt;
      return this.#heap.push(guard);
    }
    this.#dismiss(guard, watched);
    watched.expire();
  }

  #post(watched: Watched, dueAtMs: number): void {
    const place = this.#free.pop() ?? this.#guards.length;
    const guard = this.#guards[place] ?? new Guard(this);
    this.#guards[place] = guard;
    watched.place = place;
    guard.watched = watched;
    guard.wakeAtMs = dueAtMs;
    this.#heap.push(guard);
  }

  #dismiss(guard: Guard, watched: Watched): void {
    this.#free.push(watched.place);
    guard.watched = undefined;
    watched.place = -1;
  }
}
