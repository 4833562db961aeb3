import type { AbortHandle, Ports } from "../kernel/index.ts";

/**
 * Ends one attempt. Does what our own transports need of an `AbortController`, which costs more than all the rest that the engine does
 * for a request: one listener, heard once. A real one is made for code that needs a signal.
 */
export class CancelMark implements AbortHandle {
  aborted = false;
  private given: unknown = undefined;
  private listener: (() => void) | undefined = undefined;
  private real: AbortHandle | undefined = undefined;

  /** What the engine passes on as the attempt's signal: see `cancelMarkOf`. */
  get signal(): AbortSignal {
    return this as unknown as AbortSignal;
  }

  /** With a real signal its reason: a layer below leaves its receipt there. */
  get reason(): unknown {
    return this.real === undefined ? this.given : this.real.signal.reason;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.given = reason;
    this.real?.abort(reason);
    this.listener?.();
  }

  /** Heard at once if it has happened. */
  onAbort(listener: () => void): void {
    if (this.aborted) listener();
    else this.listener = listener;
  }

  /** A real signal, made by these ports when it is first asked for. */
  toSignal(ports: Pick<Ports, "newAbort">): AbortSignal {
    if (this.real === undefined) {
      this.real = ports.newAbort();
      if (this.aborted) this.real.abort(this.given);
    }
    return this.real.signal;
  }
}

/**
 * The same ports for attempts that get a mark. One by one, and each called on its own object: they may be methods of a class, with
 * private fields.
 */
export function withCancelMarks(ports: Ports): Ports {
  const { checkContent } = ports;
  return {
    now: () => ports.now(),
    roughNow: () => ports.roughNow(),
    wallNow: () => ports.wallNow(),
    random: () => ports.random(),
    sleep: (sleeper, delayMs, nowMs) => ports.sleep(sleeper, delayMs, nowMs),
    rouse: (sleeper) => ports.rouse(sleeper),
    watch: (watched, limitMs) => ports.watch(watched, limitMs),
    unwatch: (watched) => ports.unwatch(watched),
    newAbort: () => new CancelMark(),
    reasonOf: (signal) => (signal instanceof CancelMark ? signal.reason : ports.reasonOf(signal)),
    onAbort: (signal, subscriber) => ports.onAbort(signal, subscriber),
    offAbort: (signal, subscriber) => ports.offAbort(signal, subscriber),
    newId: () => ports.newId(),
    reportFault: (fault, where) => ports.reportFault(fault, where),
    ...(checkContent !== undefined && { checkContent: checkContent.bind(ports) }),
  };
}

/** For attempts whose ports make no other signals. */
export function cancelMarkOf(signal: AbortSignal): CancelMark {
  return signal as unknown as CancelMark;
}
