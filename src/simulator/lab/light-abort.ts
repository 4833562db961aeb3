import type { AbortHandle } from "../../kernel/index.ts";

/** The part of an `AbortSignal` that the lab's providers use. */
class LightSignal {
  aborted = false;
  reason: unknown = undefined;
  listener: (() => void) | undefined = undefined;

  addEventListener(_type: "abort", listener: () => void): void {
    this.listener = listener;
  }
}

/** A real `AbortController` is a third of the cost of a simulated call, and only the provider model listens here. */
export function lightAbort(): AbortHandle {
  const signal = new LightSignal();
  return {
    signal: signal as unknown as AbortSignal,
    abort(reason) {
      if (signal.aborted) return;
      signal.aborted = true;
      signal.reason = reason;
      signal.listener?.();
    },
  };
}
