import type { Ports } from "../model/ports.ts";

const SETTLED = Promise.resolve();

let clock: Ports | undefined;
let momentMs = 0;

const forget = (): void => {
  clock = undefined;
};

/**
 * The time now, for a failure. When a connection breaks, all its calls fail together, one microtask after another: the clock,
 * which costs as much as the classification, is read for the first, and the others wait from the same moment.
 */
export function momentOf(ports: Ports): number {
  if (clock !== ports) {
    momentMs = ports.now();
    clock = ports;
    // Behind the failures that are known already, before anything that comes later.
    SETTLED.then(forget);
  }
  return momentMs;
}
