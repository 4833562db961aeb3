import type { ContentRequirement } from "./policy.ts";

declare global {
  // The kernel is compiled without DOM and Node types, yet hands the host's own signals through. Where those types are
  // present this declaration merges with them.
  interface AbortSignal {
    readonly aborted: boolean;
  }
}

/** Something that waits for a moment. The fields are the clock's own book-keeping, so that a sleeper costs no extra object. */
export interface Sleeper {
  /** When to wake, on the clock's monotonic scale. Written by `Clock.wakeAt`. */
  wakeAtMs: number;
  /** Its place among the sleepers; -1 when not asleep. Written by the clock. */
  slot: number;
  wake(): void;
}

/** Something that must show life from time to time. The numbers are the clock's own book-keeping. */
export interface Watched {
  /** When its time is up, in the watch's own count. Written by `Ports.watch`. */
  dueAt: number;
  /** Its place among the watched; -1 when it is not watched. Written by the watch. */
  place: number;
  /** Its reader is not waiting (an unread stream), so it does not keep the process alive. Default: false. */
  readonly isPaused?: boolean;
  /** Its time is up; it is no longer watched. */
  expire(): void;
}

/** Something that ends when a signal aborts. */
export interface Abortable {
  onAbort(reason: unknown): void;
}

export interface AbortHandle {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
}

/** Time, chance and cancelling, from outside. `system/` has the real ones, tests and the simulator virtual ones. */
export interface Ports {
  /** Monotonic milliseconds: for measuring and for waking. Never jumps. */
  now(): number;
  /** Like `now`, but may be a tick of the watch old: for what every call does and only has to be roughly right. */
  roughNow(): number;
  /** Epoch milliseconds: for people, for HTTP dates, for `until`. May jump. */
  wallNow(): number;
  /** In [0, 1). */
  random(): number;
  /**
   * Wakes the sleeper once `delayMs` (finite, not negative) have passed. A sleeper sleeps once at a time.
   * `nowMs`: what `now` has just returned, if the caller knows it, because reading the clock costs more than the rest.
   */
  sleep(sleeper: Sleeper, delayMs: number, nowMs?: number): void;
  /** Lets a sleeper go without waking it. Nothing happens if it is not asleep. */
  rouse(sleeper: Sleeper): void;
  /**
   * Expires the watched one unless it is watched anew or let go within `limitMs`. Cheap enough to be called for every
   * token: many are watched by one coarse tick, so it may be late by two ticks, but it is not early.
   */
  watch(watched: Watched, limitMs: number): void;
  /** Stops watching. Returns how many milliseconds were left; 0 if it was not watched. */
  unwatch(watched: Watched): number;
  newAbort(): AbortHandle;
  reasonOf(signal: AbortSignal): unknown;
  /** One underlying listener per signal, whatever the number of subscribers. */
  onAbort(signal: AbortSignal, subscriber: Abortable): void;
  offAbort(signal: AbortSignal, subscriber: Abortable): void;
  /** Checks required content without ever hanging. Absent: patterns are inconclusive, plain text is still checked. */
  readonly checkContent?: ContentCheck;
  newId(): string;
  /** Receives faults around the engine: a broken listener, store or policy function. Must not throw. */
  reportFault(fault: unknown, where: string): void;
}

export type ContentVerdict = "present" | "missing" | "inconclusive";

export type ContentCheck = (text: string, requirement: ContentRequirement) => ContentVerdict | Promise<ContentVerdict>;
