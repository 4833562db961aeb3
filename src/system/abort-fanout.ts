import type { Abortable, Ports } from "../kernel/model/ports.ts";

type AbortFanout = Pick<Ports, "onAbort" | "offAbort">;

/**
 * One listener per signal, whatever the number of subscribers. Listeners of an `AbortSignal` are a list that is walked at
 * every removal, so thousands of calls that share one signal would otherwise cost quadratic time.
 */
export function createAbortFanout(reportFault: Ports["reportFault"]): AbortFanout {
  const fans = new WeakMap<AbortSignal, Fan>();

  function onAbort(signal: AbortSignal, subscriber: Abortable): void {
    if (signal.aborted) {
      tell(subscriber, signal.reason);
      return;
    }
    let fan = fans.get(signal);
    if (fan === undefined) {
      fan = new Fan(signal, tell);
      fans.set(signal, fan);
    }
    fan.add(subscriber);
  }

  function offAbort(signal: AbortSignal, subscriber: Abortable): void {
    fans.get(signal)?.remove(subscriber);
  }

  function tell(subscriber: Abortable, reason: unknown): void {
    try {
      subscriber.onAbort(reason);
    } catch (fault) {
      reportFault(fault, "abort-fanout");
    }
  }

  return { onAbort, offAbort };
}

/** The subscribers of one signal; itself the listener, so that it costs no closure. */
class Fan {
  readonly #signal: AbortSignal;
  readonly #tell: (subscriber: Abortable, reason: unknown) => void;
  readonly #subscribers = new Set<Abortable>();

  constructor(signal: AbortSignal, tell: (subscriber: Abortable, reason: unknown) => void) {
    this.#signal = signal;
    this.#tell = tell;
  }

  add(subscriber: Abortable): void {
    if (this.#subscribers.size === 0) this.#signal.addEventListener("abort", this);
    this.#subscribers.add(subscriber);
  }

  remove(subscriber: Abortable): void {
    if (!this.#subscribers.delete(subscriber)) return;
    if (this.#subscribers.size === 0) this.#signal.removeEventListener("abort", this);
  }

  handleEvent(): void {
    this.#signal.removeEventListener("abort", this);
    // A Set may change under its iteration: a subscriber that is removed meanwhile is not called.
    for (const subscriber of this.#subscribers) {
      this.#subscribers.delete(subscriber);
      this.#tell(subscriber, this.#signal.reason);
    }
  }
}
