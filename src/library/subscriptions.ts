import { type Generation, type Listener, type Ports, runningWait } from "../kernel/index.ts";
import { checkFunction } from "./setup.ts";

/** What events go through. Without a listener no event is made. */
interface Outlet {
  readonly ports: Ports;
  listener: Listener | undefined;
}

export type Subscribe = (listener: Listener) => () => void;

/** Lets an outlet have any number of listeners, the first of which came with the options. */
export function subscriptionsOf(outlet: Outlet, first: Listener | undefined): Subscribe {
  // Boxed, so that the same listener may be subscribed twice and each subscription ends by itself.
  const listeners = new Set<{ readonly hear: Listener }>(first === undefined ? [] : [{ hear: first }]);
  const listen = (): void => {
    outlet.listener = listeners.size === 0 ? undefined : fanOut(listeners, outlet);
  };
  listen();
  return (listener) => {
    checkFunction("listener", listener);
    const subscription = { hear: listener };
    listeners.add(subscription);
    listen();
    return () => {
      listeners.delete(subscription);
      listen();
    };
  };
}

/** Subscribes to a generation that is under way: the wait that it is in comes at once. */
export function joinLate(generation: Generation, subscribe: Subscribe, listener: Listener): () => void {
  const leave = subscribe(listener);
  const { ports } = generation;
  const wait = runningWait(generation);
  if (wait !== undefined) fanOut([{ hear: listener }], { ports })(wait, generation);
  return leave;
}

/** A listener that throws does not affect the others. */
function fanOut(listeners: Iterable<{ readonly hear: Listener }>, { ports }: Pick<Outlet, "ports">): Listener {
  return (event, generation) => {
    for (const { hear } of listeners) {
      try {
        const heard: unknown = hear(event, generation);
        if (heard instanceof Promise) heard.catch((fault) => ports.reportFault(fault, "listener"));
      } catch (fault) {
        ports.reportFault(fault, "listener");
      }
    }
  };
}
