import type { Ports, Sleeper } from "../kernel/index.ts";
import type { RetryStrategy } from "./retry-strategy.ts";

export interface StrategyPortsInput {
  readonly ports: Ports;
  readonly strategy: RetryStrategy;
  /** The strategy's sleep failed by itself: the sleeper would never wake. */
  readonly onBroken: () => void;
}

/** The ports of a step: as given, except that the strategy does the sleeping. */
export function strategyPorts({ ports, strategy, onBroken }: StrategyPortsInput): Ports {
  const asleep = new Map<Sleeper, AbortController>();

  function lieDown(sleeper: Sleeper, delayMs: number): void {
    const controller = new AbortController();
    asleep.set(sleeper, controller);
    sleeper.wakeAtMs = ports.now() + delayMs;
    // A sleeper that was roused meanwhile, or sleeps anew, is not woken by this sleep.
    const ends = (): boolean => asleep.get(sleeper) === controller && asleep.delete(sleeper);
    startSleep(delayMs, controller.signal).then(
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

  async function startSleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return strategy.sleep(delayMs, signal);
  }

  function rouse(sleeper: Sleeper): void {
    const controller = asleep.get(sleeper);
    asleep.delete(sleeper);
    controller?.abort(new Error("The wait was ended early"));
  }

  return { ...ports, sleep: lieDown, rouse };
}
