import type { AbortHandle } from "../../kernel/index.ts";

/**
 * Ends one attempt. Does what the gateway needs of an `AbortController`, which costs more than all the rest that the engine does for a
 * request: one listener, heard once.
 */
export class CancelMark implements AbortHandle {
  aborted = false;
  reason: unknown = undefined;
  private listener: (() => void) | undefined = undefined;

  get signal(): AbortSignal {
    return this as unknown as AbortSignal;
  }

  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.listener?.();
  }

  /** Heard at once if it has happened. */
  onAbort(listener: () => void): void {
    if (this.aborted) listener();
    else this.listener = listener;
  }
}

/** The gateway's attempts have no other signals: its ports make them. */
export function cancelMarkOf(signal: AbortSignal): CancelMark {
  return signal as unknown as CancelMark;
}
