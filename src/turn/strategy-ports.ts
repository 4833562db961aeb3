import { InvalidInput, type Ports, type Sleeper } from "../kernel/index.ts";
import type { RetryStrategy } from "./retry-strategy.ts";

/**
 * The ports of a step: as given, except that the strategy does the sleeping. `onBroken` is called when its sleep fails: the
 * sleeper would never wake.
 */
export function strategyPorts(ports: Ports, strategy: RetryStrategy, onBroken: () => void): Ports {
  const asleep = new Map<Sleeper, AbortController>();

  function lieDown(sleeper: Sleeper, delayMs: number): void {
    const controller = new AbortController();
    asleep.set(sleeper, controller);
    sleeper.wakeAtMs = ports.now() + delayMs;
    // A sleeper that was roused meanwhile, or sleeps anew, is not woken by this sleep.
    const ends = (): boolean => asleep.get(sleeper) === controller && asleep.delete(sleeper);
    const sleep = async (): Promise<void> => {
      const slept: unknown = strategy.sleep(delayMs, controller.signal);
      // Not waited for, such a sleep would turn the schedule into a busy loop.
      if (!isThenable(slept)) throw new InvalidInput("the result of retry.sleep", slept, "a promise");
      await slept;
    };
    sleep().then(
      () => {
        if (ends()) sleeper.wake();
      },
      (fault) => {
        if (!ends()) return;
        ports.reportFault(fault, "sleep");
        // Not woken: a sleep that fails at once would turn the schedule into a busy loop.
        onBroken();
      },
    );
  }

  function rouse(sleeper: Sleeper): void {
    const controller = asleep.get(sleeper);
    asleep.delete(sleeper);
    controller?.abort(new Error("The wait was ended early"));
  }

  return { ...ports, sleep: lieDown, rouse };
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
