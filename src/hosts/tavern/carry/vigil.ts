import type { Ports, Watched } from "../../../kernel/index.ts";

/** A timer this late comes from a page that was hidden, frozen or asleep. */
const LATE_MS = 1000;
/** Tokens that arrived while the page was frozen have not been heard yet: they get this long. */
const CATCH_UP_MS = 250;

/** Watches the one attempt of a generation. */
type Vigil = Pick<Ports, "watch" | "unwatch">;

/**
 * Exact to the millisecond, unlike the engine's shared tick: this host promises a moment ("stopped at 35 s"). A token only moves the
 * due time; the running timer checks it when it fires.
 */
export function createVigil(): Vigil {
  let watched: Watched | undefined;
  let dueMs = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let firesAtMs = 0;
  let hasCaughtUp = false;

  function watch(next: Watched, limitMs: number): void {
    watched = next;
    next.place = 0;
    dueMs = performance.now() + limitMs;
    hasCaughtUp = false;
    if (timer === undefined || firesAtMs > dueMs) arm(dueMs);
  }

  function unwatch(who: Watched): number {
    if (who !== watched) return 0;
    const leftMs = Math.max(1, dueMs - performance.now());
    watched = undefined;
    who.place = -1;
    clearTimeout(timer);
    timer = undefined;
    return leftMs;
  }

  function arm(atMs: number): void {
    clearTimeout(timer);
    firesAtMs = atMs;
    timer = setTimeout(fire, Math.ceil(Math.max(0, atMs - performance.now())));
  }

  function fire(): void {
    timer = undefined;
    if (watched === undefined) return;
    const lateMs = performance.now() - dueMs;
    if (lateMs < 0) return arm(dueMs);
    if (lateMs > LATE_MS && !hasCaughtUp) {
      hasCaughtUp = true;
      return arm(performance.now() + CATCH_UP_MS);
    }
    const expired = watched;
    unwatch(expired);
    expired.expire();
  }

  return { watch, unwatch };
}
