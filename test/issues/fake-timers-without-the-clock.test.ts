import { afterEach, expect, test, vi } from "vitest";
import type { Sleeper } from "../../src/kernel/index.ts";
import { createAlarms } from "../../src/system/alarms.ts";

afterEach(() => {
  vi.useRealTimers();
});

const sleeper = (wake: () => void): Sleeper => ({ wakeAtMs: 0, slot: -1, wake });

test("E12: a timer that fires long before its moment by the clock is a fake one, and wakes its sleeper", () => {
  // Those of `node:test` never change `performance`.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const alarms = createAlarms(() => undefined);
  let wakings = 0;
  alarms.sleep(
    sleeper(() => {
      wakings += 1;
    }),
    60_000,
  );
  vi.advanceTimersByTime(59_000);
  expect(wakings).toBe(0);
  vi.advanceTimersByTime(2000);
  expect(wakings).toBe(1);
});

test("E13: a wait ends though the timer before it was a fake one that is gone", () => {
  let nowMs = 0;
  let fire = (): void => undefined;
  const setTimer = (go: () => void): number => {
    fire = go;
    return 1;
  };
  const timers = { now: () => nowMs, setTimer, clearTimer: () => undefined };
  const alarms = createAlarms(() => undefined, timers);
  const woken: string[] = [];
  // The clock of a test, which begins at 0; then that of the process, which has run for an hour.
  alarms.sleep(
    sleeper(() => woken.push("left behind")),
    60_000,
  );
  fire = () => undefined;
  nowMs = 3_600_000;
  alarms.sleep(
    sleeper(() => woken.push("new")),
    100,
  );
  fire();
  expect(woken).toEqual(["left behind"]);
  nowMs += 100;
  fire();
  expect(woken).toEqual(["left behind", "new"]);
});
