import type { EventListenerOf, FrameGlobals } from "./host.ts";

/** Listens to events of the host. The answer ends it: `eventOn(…).stop()` of this host does nothing. */
export function listen(frame: FrameGlobals, listeners: Readonly<Record<string, EventListenerOf>>): () => void {
  for (const [event, listener] of Object.entries(listeners)) frame.eventOn(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) frame.eventRemoveListener(event, listener);
  };
}
