import type { Listener, Ports } from "../kernel/index.ts";
import { checkFunction } from "./setup.ts";

/** Those who hear the events of all generations of one wrapper. */
export class Listeners {
  // Boxed, so that the same listener may be subscribed twice and each subscription ends by itself.
  private readonly boxes: Set<{ readonly hear: Listener }>;
  private readonly ports: Ports;
  private readonly onChange: (listener: Listener | undefined) => void;

  /** `onChange` gets the one listener for all, or undefined if there is none: then no event is made. It is called at once. */
  constructor(on: Listener | undefined, ports: Ports, onChange: (listener: Listener | undefined) => void) {
    this.boxes = new Set(on === undefined ? [] : [{ hear: on }]);
    this.ports = ports;
    this.onChange = onChange;
    this.change();
  }

  subscribe(listener: Listener): () => void {
    checkFunction("listener", listener);
    const box = { hear: listener };
    this.boxes.add(box);
    this.change();
    return () => {
      this.boxes.delete(box);
      this.change();
    };
  }

  private change(): void {
    this.onChange(this.boxes.size === 0 ? undefined : this.tell);
  }

  /** A listener that throws does not affect the others. */
  private readonly tell: Listener = (event, generation) => {
    for (const { hear } of this.boxes) {
      try {
        const heard: unknown = hear(event, generation);
        if (heard instanceof Promise) heard.catch((fault) => this.ports.reportFault(fault, "listener"));
      } catch (fault) {
        this.ports.reportFault(fault, "listener");
      }
    }
  };
}
