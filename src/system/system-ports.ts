import { checkObject } from "../kernel/model/check.ts";
import type { ContentCheck, Ports } from "../kernel/model/ports.ts";
import { type AbortFanout, createAbortFanout } from "./abort-fanout.ts";
import { type Alarms, createAlarms } from "./alarms.ts";
import { createContentCheck } from "./guarded-pattern/content-check.ts";
import { createIdSource } from "./new-id.ts";
import { reportFault } from "./report-fault.ts";
import { createWatch, type Watch } from "./watch.ts";

// One of each for the whole process: one timer, one listener per signal, one worker, however many engines there are.
let alarms: Alarms | undefined;
let watch: Watch | undefined;
let fanout: AbortFanout | undefined;
let contentCheck: ContentCheck | undefined;
let ids: (() => string) | undefined;

/**
 * The real world: clock, timers, chance, signals. An override takes the place of a port; those that hang together
 * (`now`, `sleep` and `rouse`; `onAbort` and `offAbort`) are overridden together.
 */
export function systemPorts(overrides: Partial<Ports> = {}): Ports {
  checkObject("overrides", overrides);
  alarms ??= createAlarms(reportFault);
  watch ??= createWatch(reportFault);
  fanout ??= createAbortFanout(reportFault);
  contentCheck ??= createContentCheck();
  ids ??= createIdSource();
  return {
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
    checkContent: contentCheck,
    newId: ids,
    reportFault,
    ...overrides,
  };
}
