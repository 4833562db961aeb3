import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Watched } from "../../src/kernel/index.ts";
import { createWatch, TICK_MS, type Ticker } from "../../src/system/watch.ts";

/** A clock that is moved by hand; ticks come when they are due, unless the world stands still. */
function world() {
  const faults: unknown[] = [];
  let nowMs = 1234.5;
  let tick: (() => void) | undefined;
  let starts = 0;
  let idle: (() => void) | undefined;
  const held: boolean[] = [];
  const ticker: Ticker = {
    now: () => nowMs,
    every: (fire) => {
      starts++;
      tick = fire;
      return { ref: () => held.push(true), unref: () => held.push(false) };
    },
    stop: () => {
      tick = undefined;
    },
    onIdle: (listener) => {
      idle = listener;
    },
    offIdle: () => {
      idle = undefined;
    },
  };
  const watch = createWatch((fault) => faults.push(fault), ticker);
  return {
    ...watch,
    faults,
    held,
    get now() {
      return nowMs;
    },
    get isTicking() {
      return tick !== undefined;
    },
    get starts() {
      return starts;
    },
    get hearsIdle() {
      return idle !== undefined;
    },
    /** The event loop has nothing else to do. */
    goIdle: () => idle?.(),
    /** Time passes with a tick every 100 ms. */
    pass(ms: number): void {
      for (let left = ms; left > 0; left -= TICK_MS) {
        nowMs += Math.min(left, TICK_MS);
        tick?.();
      }
    },
    /** Time passes without anything being able to run; then one tick. */
    freeze(ms: number): void {
      nowMs += ms;
      tick?.();
    },
  };
}

function watched(onExpire: () => void = () => undefined): Watched & { expired: number } {
  return {
    dueAt: 0,
    place: -1,
    expired: 0,
    expire() {
      this.expired++;
      onExpire();
    },
  };
}

describe("the watch", () => {
  test("E15: expires once, never early, and at most two ticks late", () => {
    const time = world();
    const one = watched();
    time.watch(one, 1000);
    const start = time.now;
    while (one.expired === 0) time.pass(TICK_MS);
    expect(time.now - start).toBeGreaterThanOrEqual(1000);
    expect(time.now - start).toBeLessThanOrEqual(1000 + 2 * TICK_MS);
    time.pass(5000);
    expect(one.expired).toBe(1);
  });

  test("E15: a sign of life starts the limit anew, without touching the timer", () => {
    const time = world();
    const one = watched();
    for (let i = 0; i < 50; i++) {
      time.watch(one, 1000);
      time.pass(900);
    }
    expect(one.expired).toBe(0);
    expect(time.starts).toBe(1);
    time.pass(1200);
    expect(one.expired).toBe(1);
  });

  test("E20: the tick stops by itself if nothing is watched, and calls in between do not start another", () => {
    const time = world();
    const one = watched();
    for (let i = 0; i < 1000; i++) {
      time.watch(one, 1000);
      time.unwatch(one);
    }
    expect(time.starts).toBe(1);
    time.pass(TICK_MS);
    expect(time.isTicking).toBe(false);
    expect(time.hearsIdle).toBe(false);
    time.watch(one, 1000);
    expect(time.starts).toBe(2);
  });

  test("E15: unwatch answers what was left, at least a millisecond, or 0 if it was not watched", () => {
    const time = world();
    const one = watched();
    expect(time.unwatch(one)).toBe(0);
    time.watch(one, 1000);
    expect(time.unwatch(one)).toBe(1000);
    expect(time.unwatch(one)).toBe(0);
    time.watch(one, 1000);
    time.pass(400);
    expect(time.unwatch(one)).toBe(600);
    time.watch(one, 10);
    time.pass(TICK_MS);
    expect(time.unwatch(one)).toBe(1);
  });

  test("E15: many are watched side by side; letting some go does not disturb the others", () => {
    const time = world();
    const all = Array.from({ length: 50 }, () => watched());
    for (const [index, each] of all.entries()) time.watch(each, 1000 + (index % 5) * 1000);
    for (const [index, each] of all.entries()) if (index % 3 === 0) time.unwatch(each);
    time.pass(3200);
    expect(all.map((each) => each.expired)).toEqual(all.map((_, index) => (index % 3 !== 0 && index % 5 <= 2 ? 1 : 0)));
    time.pass(3000);
    expect(all.map((each) => each.expired)).toEqual(all.map((_, index) => (index % 3 === 0 ? 0 : 1)));
  });

  test("E15: an expiry callback may watch and unwatch others", () => {
    const time = world();
    const second = watched();
    const third = watched();
    const first = watched(() => {
      time.unwatch(second);
      time.watch(third, 500);
    });
    time.watch(first, 100);
    time.watch(second, 100);
    time.pass(300);
    expect([first.expired, third.expired]).toEqual([1, 0]);
    time.pass(800);
    expect([first.expired, second.expired <= 1, third.expired]).toEqual([1, true, 1]);
  });

  test("E15: after a gap the watched get one more tick to be heard, but only one", () => {
    const busy = world();
    const one = watched();
    busy.watch(one, 1000);
    busy.freeze(3_600_000);
    expect(one.expired).toBe(0);
    // What came in while the process stood still is heard now.
    busy.watch(one, 1000);
    busy.pass(500);
    expect(one.expired).toBe(0);

    const hidden = world();
    const other = watched();
    hidden.watch(other, 1000);
    for (let i = 0; i < 4; i++) hidden.freeze(1000);
    expect(other.expired).toBe(1);
  });

  test("E19: one that throws is reported and does not keep the others from expiring", () => {
    const time = world();
    const bad = watched(() => {
      throw new Error("broken");
    });
    const good = watched();
    time.watch(good, 100);
    time.watch(bad, 100);
    time.pass(300);
    expect(good.expired).toBe(1);
    expect(time.faults).toEqual([new Error("broken")]);
  });

  test("E20: the tick keeps the process alive only if nothing else does and something is watched", () => {
    const time = world();
    const one = watched();
    time.watch(one, 1000);
    expect(time.held).toEqual([false]);
    time.goIdle();
    expect(time.held).toEqual([false, true]);
    time.unwatch(one);
    expect(time.held).toEqual([false, true, false]);
    time.goIdle();
    expect(time.held).toEqual([false, true, false]);
  });

  test("E20: rough time is at most a tick old while the watch ticks, and fresh while it does not", () => {
    const time = world();
    expect(time.now - time.roughNow()).toBeLessThan(TICK_MS);
    time.pass(1000);
    expect(time.now - time.roughNow()).toBeLessThan(TICK_MS);
    time.watch(watched(), 10_000);
    time.pass(1050);
    expect(time.now - time.roughNow()).toBeLessThanOrEqual(TICK_MS);
  });

  test("E15: a process with nothing but a hanging call stays alive until the watchdog has spoken, then ends", () => {
    const script = `
      import { createWatch } from "./src/system/watch.ts";
      const watch = createWatch(() => undefined);
      const call = { dueAt: 0, place: -1, expire: () => console.log("expired", process.getActiveResourcesInfo().length) };
      watch.watch(call, 150);
    `;
    const { stdout, status } = spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(/^expired/);
    expect(status).toBe(0);
  });
});
