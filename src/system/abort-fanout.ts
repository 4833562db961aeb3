import type { Abortable, Ports } from "../kernel/model/ports.ts";

type AbortFanout = Pick<Ports, "onAbort" | "offAbort">;

/**
 * One listener per signal, whatever the number of subscribers. Listeners of an `AbortSignal` are a list that is walked at
 * every removal, so thousands of calls that share one signal would otherwise cost quadratic time.
 */
export function createAbortFanout(reportFault: Ports["reportFault"]): AbortFanout {
  /** Where a signal has its fan. Not a `WeakMap`: SDKs make a signal for each call, and an entry costs the collector more than the call. */
  const FAN = Symbol("fan");
  type Fanned = AbortSignal & { [FAN]?: Fan };

  function onAbort(signal: AbortSignal, subscriber: Abortable): void {
    if (signal.aborted) {
      tell(subscriber, signal.reason);
      return;
    }
    const known = (signal as Fanned)[FAN];
    const fan = known ?? new Fan(signal, tell);
    if (known === undefined) Reflect.defineProperty(signal, FAN, { value: fan });
    fan.add(subscriber);
  }

  function offAbort(signal: AbortSignal, subscriber: Abortable): void {
    (signal as Fanned)[FAN]?.remove(subscriber);
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
  /** Most signals have one. */
  #first: Abortable | undefined = undefined;
  #others: Set<Abortable> | undefined = undefined;
  #isListening = false;

  constructor(signal: AbortSignal, tell: (subscriber: Abortable, reason: unknown) => void) {
    this.#signal = signal;
    this.#tell = tell;
  }

  add(subscriber: Abortable): void {
    if (!this.#isListening) this.#signal.addEventListener("abort", this);
    this.#isListening = true;
    if (this.#first === subscriber) return;
    if (this.#first === undefined && (this.#others?.size ?? 0) === 0) {
      this.#first = subscriber;
      return;
    }
    this.#others ??= new Set();
    this.#others.add(subscriber);
  }

  remove(subscriber: Abortable): void {
    if (this.#first === subscriber) this.#first = undefined;
    else if (this.#others?.delete(subscriber) !== true) return;
    if (this.#first === undefined && (this.#others?.size ?? 0) === 0) this.#stopListening();
  }

  handleEvent(): void {
    this.#stopListening();
    const { reason } = this.#signal;
    const first = this.#first;
    this.#first = undefined;
    if (first !== undefined) this.#tell(first, reason);
    // A Set may change under its iteration: a subscriber that is removed meanwhile is not called.
    for (const subscriber of this.#others ?? []) {
      this.#others?.delete(subscriber);
      this.#tell(subscriber, reason);
    }
  }

  #stopListening(): void {
    this.#isListening = false;
    this.#signal.removeEventListener("abort", this);
  }
}
