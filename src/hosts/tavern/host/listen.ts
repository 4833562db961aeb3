import type { EventListenerOf, FrameGlobals } from "./host.ts";

/** Listens to events of the host. Returns a function that ends it: this host's `eventOn(…).stop()` does nothing. */
export function listen(frame: FrameGlobals, listeners: Readonly<Record<string, EventListenerOf>>): () => void {
  for (const [event, listener] of Object.entries(listeners)) frame.eventOn(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) frame.eventRemoveListener(event, listener);
  };
}
