import { expect, test } from "vitest";
import { createAlarms, type Timers } from "../../src/system/alarms.ts";

test("E20: 500 sleepers that wake in the same millisecond share one timer and wake together", () => {
  let nowMs = 10.3;
  const set: { readonly fire: () => void; readonly delayMs: number }[] = [];
  const timers: Timers = {
    now: () => nowMs,
    setTimer: (fire, delayMs) => set.push({ fire, delayMs }),
    clearTimer: () => undefined,
  };
  const alarms = createAlarms((fault) => {
    throw fault;
  }, timers);
  const woken: number[] = [];
  for (let i = 0; i < 500; i++) {
    // A little later each, as in real time.
    nowMs += 0.001;
    alarms.sleep({ wakeAtMs: 0, slot: -1, wake: () => woken.push(i) }, 1);
  }
  expect(set.map(({ delayMs }) => delayMs)).toEqual([2]);
  nowMs = 12.301;
  set[0]?.fire();
  expect(woken).toEqual(Array.from({ length: 500 }, (_, i) => i));
  expect(set.length).toBe(1);
});
