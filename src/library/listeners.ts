import type { Listener, Ports } from "../kernel/index.ts";
import { checkFunction } from "./setup.ts";

/** Those who listen to all generations of one wrapper. */
export class Listeners {
  /** Undefined while there are none: then no event is made. */
  listener: Listener | undefined = undefined;
  // Boxed, so that the same listener may be subscribed twice and each subscription ends by itself.
  private readonly subscriptions = new Set<{ readonly hear: Listener }>();
  private readonly ports: Ports;

  constructor(first: Listener | undefined, ports: Ports) {
    this.ports = ports;
    if (first !== undefined) this.subscribe(first);
  }

  /** Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    checkFunction("listener", listener);
    const subscription = { hear: listener };
    this.subscriptions.add(subscription);
    this.update();
    return () => {
      this.subscriptions.delete(subscription);
      this.update();
    };
  }

  private update(): void {
    this.listener = this.subscriptions.size === 0 ? undefined : fanOut(this.subscriptions, this.ports);
  }
}

/** A listener that throws does not affect the others. */
function fanOut(subscriptions: ReadonlySet<{ readonly hear: Listener }>, ports: Ports): Listener {
  return (event, generation) => {
    for (const { hear } of subscriptions) {
      try {
        const heard: unknown = hear(event, generation);
        if (heard instanceof Promise) heard.catch((fault) => ports.reportFault(fault, "listener"));
      } catch (fault) {
        ports.reportFault(fault, "listener");
      }
    }
  };
}
