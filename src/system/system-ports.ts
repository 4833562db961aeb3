import { checkObject } from "../kernel/model/check.ts";
import type { Ports } from "../kernel/model/ports.ts";
import { createAbortFanout } from "./abort-fanout.ts";
import { createAlarms } from "./alarms.ts";
import { createContentCheck } from "./guarded-pattern/content-check.ts";
import { createIdSource } from "./new-id.ts";
import { reportFault } from "./report-fault.ts";
import { createWatch } from "./watch.ts";

// One of each for the whole process: one timer, one listener per signal, one worker, however many engines there are.
let system: Ports | undefined;

/**
 * The real world: clock, timers, chance, signals. An override takes the place of a port; those that hang together
 * (`now`, `sleep` and `rouse`; `onAbort` and `offAbort`) are overridden together.
 */
export function systemPorts(overrides?: Partial<Ports>): Ports {
  system ??= createPorts();
  if (overrides === undefined) return system;
  checkObject("overrides", overrides);
  return { ...system, ...overrides };
}

function createPorts(): Ports {
  const alarms = createAlarms(reportFault);
  const watch = createWatch(reportFault);
  const fanout = createAbortFanout(reportFault);
  // Frozen, because all engines share it.
  return Object.freeze<Ports>({
    now: () => performance.now(),
    roughNow: watch.roughNow,
    wallNow: () => Date.now(),
    random: () => Math.random(),
    sleep: alarms.sleep,
    rouse: alarms.rouse,
    watch: watch.watch,
    unwatch: watch.unwatch,
    newAbort: () => new AbortController(),
    reasonOf: (signal) => signal.reason,
    onAbort: fanout.onAbort,
    offAbort: fanout.offAbort,
    checkContent: createContentCheck(),
    newId: createIdSource(),
    reportFault,
  });
}
