import {
  type FailureKind,
  type GenerationEvent,
  type GenerationHandle,
  InvalidInput,
  type Listener,
  type Target,
} from "../kernel/index.ts";
import { WAITING_WORDS } from "./waiting-words.ts";

/** Anything whose generations can be listened to: what `resilient` returns, what `start` and `stream` return. */
export interface WaitSource {
  subscribe(listener: Listener): () => void;
}

/** A generation that waits for its next attempt, as far as people want to know. */
export interface Wait {
  /** The id of the generation. */
  readonly id: string;
  readonly kind: FailureKind;
  /** In plain words: "Rate limited". */
  readonly message: string;
  /** The endpoint's own words. Untrusted: show them as text, never as HTML. */
  readonly verbatim: string;
  /** When the wait ends, in epoch milliseconds. */
  readonly until: number;
  /** The number of the retry that follows, from 1, and how many there may be; null: no fixed number. */
  readonly retry: number;
  readonly maxRetries: number | null;
  /** Where the attempt that failed went. */
  readonly target: Target | undefined;
  /** What the generation has waited before, and the longest that its policy lets it wait in all; null: no limit. */
  readonly waitedMs: number;
  readonly patienceMs: number | null;
  /** Ends this wait and tries again. False: it had ended. */
  readonly retryNow: () => boolean;
  /** Ends the generation for good. False: it had ended. */
  readonly giveUp: () => boolean;
}

/** What is waiting now, as a store that React's `useSyncExternalStore` takes as it is. Every field can be destructured. */
export interface Waits {
  /** Calls `onChange` after every change. Returns a function that unsubscribes. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** The waits, the oldest first. The same array until something changes. */
  readonly getSnapshot: () => readonly Wait[];
  /** Stops listening to the source. The next `waits(source)` starts anew. */
  readonly close: () => void;
}

const NONE: readonly Wait[] = Object.freeze([]);

/** One store for each source, so that `waits(ask)` may be called anywhere and as often as a component renders. */
const stores = new WeakMap<object, Waits>();

/**
 * What is waiting now in all calls of a wrapper, or in one generation, for a countdown with "Retry now" and "Give up".
 *
 * ```ts
 * export const { subscribe, getSnapshot } = waits(ask); // Beside the wrapper, and in a component:
 * const waiting = useSyncExternalStore(subscribe, getSnapshot);
 * ```
 *
 * It listens from the first call on and for as long as the source lives, so that a component that is shown later sees the waits that are
 * under way. Of a wrapper it can't know those that began before the first call.
 */
export function waits(source: WaitSource): Waits {
  if (typeof source?.subscribe !== "function")
    throw new InvalidInput("source", source, "what resilient, start or stream returns, or an object with subscribe");
  const known = stores.get(source);
  if (known !== undefined) return known;
  const made = open(source);
  stores.set(source, made);
  return made;
}

function open(source: WaitSource): Waits {
  // By generation, not by its id: the caller may give one id twice.
  const waiting = new Map<GenerationHandle, Wait>();
  const subscribers = new Set<{ readonly hear: () => void }>();
  let snapshot = NONE;

  const change = (): void => {
    snapshot = waiting.size === 0 ? NONE : Object.freeze([...waiting.values()]);
    const faults: unknown[] = [];
    for (const { hear } of [...subscribers]) {
      try {
        hear();
      } catch (fault) {
        faults.push(fault);
      }
    }
    // The source reports it, as for any listener.
    if (faults.length > 0) throw faults[0];
  };
  const leave = source.subscribe((event, generation) => {
    // No delay, no countdown: it would only flicker.
    if (event.type === "wait-start" && event.delayMs > 0) {
      const wait: Wait = waitOf(event, generation, () => waiting.get(generation) === wait);
      waiting.set(generation, wait);
      change();
    } else if ((event.type === "wait-end" || event.type === "generation-end") && waiting.delete(generation)) change();
  });

  return {
    getSnapshot: () => snapshot,
    subscribe(onChange) {
      const subscriber = { hear: onChange };
      subscribers.add(subscriber);
      return () => {
        subscribers.delete(subscriber);
      };
    },
    close() {
      leave();
      stores.delete(source);
      waiting.clear();
      if (snapshot !== NONE) change();
    },
  };
}

function waitOf(
  event: Extract<GenerationEvent, { type: "wait-start" }>,
  generation: GenerationHandle,
  isCurrent: () => boolean,
): Wait {
  const { failure, generationId: id, until, retry, maxRetries, waitedMs, patienceMs } = event;
  const { kind, message: verbatim, target } = failure;
  return Object.freeze({
    ...{ id, kind, message: WAITING_WORDS[kind], verbatim, until, retry, maxRetries, target, waitedMs, patienceMs },
    // A button that is pressed late must not end a later wait.
    retryNow: () => isCurrent() && generation.retryNow(),
    giveUp: () => generation.giveUp(),
  });
}
