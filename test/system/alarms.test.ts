import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { Sleeper } from "../../src/kernel/model/ports.ts";
import { createAlarms } from "../../src/system/alarms.ts";
import { virtualTimers } from "./virtual-timers.ts";

const noFault = (fault: unknown) => {
  throw fault;
};

function sleeper(wake: () => void = () => {}): Sleeper {
  return { wakeAtMs: 0, slot: -1, wake };
}

function bedroom(earlyMs = 0) {
  const clock = virtualTimers(earlyMs);
  const woken: [name: string, atMs: number][] = [];
  const alarms = createAlarms(noFault, clock.timers);
  const named = (name: string) => sleeper(() => woken.push([name, clock.timers.now()]));
  return { clock, woken, alarms, named };
}

describe("waking", () => {
  test("E12: wakes each sleeper at its moment, in order, the same moments in order of their coming", () => {
    const { clock, woken, alarms, named } = bedroom();
    for (const [name, delayMs] of [
      ["c", 30],
      ["a", 10],
      ["b1", 20],
      ["b2", 20],
      ["b3", 20],
      ["z", 0],
    ] as const) {
      alarms.sleep(named(name), delayMs);
    }
    clock.advance(100);
    expect(woken).toEqual([
      ["z", 0],
      ["a", 10],
      ["b1", 20],
      ["b2", 20],
      ["b3", 20],
      ["c", 30],
    ]);
    expect(clock.counts()).toEqual({ pending: 0, held: 0 });
  });

  test("E12: writes the moment and the place into the sleeper, and takes the place back", () => {
    const { clock, alarms } = bedroom();
    clock.advance(7);
    const one = sleeper();
    alarms.sleep(one, 5);
    expect(one).toMatchObject({ wakeAtMs: 12, slot: 0 });
    clock.advance(5);
    expect(one.slot).toBe(-1);
  });

  test("E12: counts from the moment that the caller has just read, without another look at the clock", () => {
    const clock = virtualTimers();
    let reads = 0;
    const now = (): number => {
      reads++;
      return clock.timers.now();
    };
    const alarms = createAlarms(noFault, { ...clock.timers, now });
    clock.advance(7);
    const one = sleeper();
    alarms.sleep(one, 5, 6.5);
    expect([one.wakeAtMs, reads]).toEqual([12, 0]);
  });

  test("E12: never wakes anybody early, even when the host's timer fires early or takes whole milliseconds only", () => {
    const { clock, woken, alarms, named } = bedroom(0.9);
    alarms.sleep(named("a"), 10.3);
    alarms.sleep(named("b"), 25.7);
    clock.advance(1000);
    expect(woken.map(([name]) => name)).toEqual(["a", "b"]);
    expect(woken[0]?.[1]).toBeGreaterThanOrEqual(10.3);
    expect(woken[0]?.[1]).toBeLessThan(12);
    expect(woken[1]?.[1]).toBeGreaterThanOrEqual(25.7);
    expect(woken[1]?.[1]).toBeLessThan(28);
    expect(clock.asked.set.every(Number.isInteger)).toBe(true);
  });

  test("E12: reaches a moment beyond a timer's range in several steps", () => {
    const { clock, woken, alarms, named } = bedroom();
    alarms.sleep(named("far"), 5_000_000_000);
    clock.advance(4_999_999_999);
    expect(woken).toEqual([]);
    clock.advance(1);
    expect(woken).toEqual([["far", 5_000_000_000]]);
    expect(clock.asked.set).toEqual([2_147_483_647, 2_147_483_647, 705_032_706]);
  });

  test.each([Number.NaN, -1, Number.POSITIVE_INFINITY])("E12: refuses a delay of %s and stays in order", (delayMs) => {
    const { clock, woken, alarms, named } = bedroom();
    const bad = named("bad");
    expect(() => alarms.sleep(bad, delayMs)).toThrow(
      /^delayMs must be a finite number of milliseconds, 0 or more; got/,
    );
    expect(bad.slot).toBe(-1);
    alarms.sleep(named("good"), 5);
    clock.advance(5);
    expect(woken).toEqual([["good", 5]]);
  });

  test("E13: one that lies down again sleeps to its new moment only", () => {
    const { clock, woken, alarms, named } = bedroom();
    const one = named("one");
    alarms.sleep(one, 10);
    alarms.sleep(one, 30);
    clock.advance(100);
    expect(woken).toEqual([["one", 30]]);
  });

  test("E13: a roused sleeper is not woken; rousing it twice, or one that does not sleep, does nothing", () => {
    const { clock, woken, alarms, named } = bedroom();
    const [one, other] = [named("one"), named("other")];
    alarms.sleep(one, 10);
    alarms.sleep(other, 10);
    alarms.rouse(one);
    alarms.rouse(one);
    alarms.rouse(named("stranger"));
    expect(one.slot).toBe(-1);
    clock.advance(100);
    expect(woken).toEqual([["other", 10]]);
  });

  test("E13: one from other alarms is not taken for one of ours", () => {
    const { clock, woken, alarms, named } = bedroom();
    const ours = named("ours");
    alarms.sleep(ours, 10);
    alarms.rouse({ wakeAtMs: 3, slot: 0, wake() {} });
    clock.advance(10);
    expect(woken).toEqual([["ours", 10]]);
  });
});

test("T14: leaves no timer of a browser behind when nothing sleeps", () => {
  const pending = new Set<unknown>();
  const alarms = createAlarms(noFault, {
    now: () => 0,
    setTimer: (_, delayMs) => {
      pending.add(delayMs);
      return delayMs;
    },
    clearTimer: (timer) => pending.delete(timer),
  });
  const [one, other] = [sleeper(), sleeper()];
  alarms.sleep(one, 10);
  alarms.sleep(other, 20);
  alarms.rouse(one);
  expect([...pending]).toEqual([10]);
  alarms.rouse(other);
  expect([...pending]).toEqual([]);
  alarms.sleep(one, 30);
  expect([...pending]).toEqual([30]);
});

describe("waking and lying down at the same time", () => {
  test("E13: one that breaks on waking does not keep the others asleep, and is reported", () => {
    const clock = virtualTimers();
    const reportFault = vi.fn();
    const alarms = createAlarms(reportFault, clock.timers);
    const woken: string[] = [];
    const fault = new Error("broken");
    alarms.sleep(
      sleeper(() => woken.push("a")),
      5,
    );
    alarms.sleep(
      sleeper(() => {
        throw fault;
      }),
      5,
    );
    alarms.sleep(
      sleeper(() => woken.push("b")),
      5,
    );
    alarms.sleep(
      sleeper(() => woken.push("c")),
      6,
    );
    clock.advance(10);
    expect(woken).toEqual(["a", "b", "c"]);
    expect(reportFault.mock.calls).toEqual([[fault, "alarms"]]);
  });

  test("E13: even a report that breaks does not stop the clock", () => {
    const { clock, woken, alarms, named } = bedroom();
    alarms.sleep(
      sleeper(() => {
        throw new Error("broken");
      }),
      5,
    );
    alarms.sleep(named("later"), 6);
    expect(() => clock.advance(5)).toThrow("broken");
    clock.advance(5);
    expect(woken).toEqual([["later", 6]]);
  });

  test("E13: a waking sleeper may rouse another of the same moment and put a new one to bed", () => {
    const { clock, woken, alarms, named } = bedroom();
    const [victim, late] = [named("victim"), named("late")];
    alarms.sleep(
      sleeper(() => {
        alarms.rouse(victim);
        alarms.sleep(late, 5);
      }),
      10,
    );
    alarms.sleep(victim, 10);
    alarms.sleep(named("last"), 12);
    clock.advance(100);
    expect(woken).toEqual([
      ["last", 12],
      ["late", 15],
    ]);
    expect(clock.counts()).toEqual({ pending: 0, held: 0 });
  });

  test("E13: one that always lies down again without delay does not stop the world", () => {
    const { clock, alarms } = bedroom();
    let times = 0;
    const restless: Sleeper = sleeper(() => {
      if (++times < 5) alarms.sleep(restless, 0);
    });
    alarms.sleep(restless, 0);
    clock.advance(0);
    expect(times).toBe(5);
    // Each time a turn of its own: the host could do something else in between.
    expect(clock.asked.set).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("the one timer", () => {
  test("E20: thousands of sleepers that are roused at once cost one timer", () => {
    const { clock, alarms } = bedroom();
    const one = sleeper();
    for (let call = 0; call < 5000; call++) {
      alarms.sleep(one, 30_000);
      clock.advance(1);
      alarms.rouse(one);
    }
    expect(clock.asked).toEqual({ set: [30_000], cleared: 0 });
    expect(clock.counts()).toEqual({ pending: 1, held: 0 });
    clock.advance(60_000);
    expect(clock.counts()).toEqual({ pending: 0, held: 0 });
  });

  test("E15: a watchdog that is put off with every token costs no timer and barks once, in time", () => {
    const { clock, woken, alarms, named } = bedroom();
    const watchdog = named("stalled");
    for (let token = 0; token < 1000; token++) {
      alarms.sleep(watchdog, 30_000);
      clock.advance(10);
    }
    expect(clock.asked).toEqual({ set: [30_000], cleared: 0 });
    clock.advance(60_000);
    // The last token came at 9,990.
    expect(woken).toEqual([["stalled", 39_990]]);
  });

  test("E20: it holds the process only while there are sleepers", () => {
    const { clock, alarms } = bedroom();
    const [one, other] = [sleeper(), sleeper()];
    alarms.sleep(one, 100);
    alarms.sleep(other, 200);
    expect(clock.counts().held).toBe(1);
    alarms.rouse(one);
    expect(clock.counts().held).toBe(1);
    alarms.rouse(other);
    expect(clock.counts()).toEqual({ pending: 1, held: 0 });
    alarms.sleep(one, 150);
    expect(clock.counts().held).toBe(1);
  });

  test("E20: it is set anew only for an earlier moment, and finds the head when it fires too early", () => {
    const { clock, woken, alarms, named } = bedroom();
    alarms.sleep(named("later"), 100);
    alarms.sleep(named("latest"), 200);
    expect(clock.asked).toEqual({ set: [100], cleared: 0 });
    const early = named("early");
    alarms.sleep(early, 40);
    expect(clock.asked).toEqual({ set: [100, 40], cleared: 1 });
    alarms.rouse(early);
    clock.advance(300);
    expect(woken).toEqual([
      ["later", 100],
      ["latest", 200],
    ]);
    expect(clock.asked).toEqual({ set: [100, 40, 60, 100], cleared: 1 });
  });

  test("E20: works with a browser's timers, which are numbers", () => {
    const fires: (() => void)[] = [];
    let nowMs = 0;
    const alarms = createAlarms(noFault, { now: () => nowMs, setTimer: (fire) => fires.push(fire), clearTimer() {} });
    const wake = vi.fn();
    const one = sleeper(wake);
    alarms.sleep(one, 5);
    alarms.rouse(one);
    alarms.sleep(one, 5);
    nowMs = 5;
    fires[0]?.();
    expect(wake).toHaveBeenCalledTimes(1);
  });

  test("E12: uses the host's own timers by default", async () => {
    const alarms = createAlarms(noFault);
    const startMs = performance.now();
    const wokenMs = await new Promise<number>((resolve) => {
      alarms.sleep(
        sleeper(() => resolve(performance.now())),
        20,
      );
      const roused = sleeper(() => resolve(-1));
      alarms.sleep(roused, 1);
      alarms.rouse(roused);
    });
    expect(wokenMs - startMs).toBeGreaterThanOrEqual(20);
  });
});

describe("many sleepers", () => {
  test("E20: 100,000 sleepers wake in order, half of them roused before", () => {
    const { clock, alarms } = bedroom();
    let [count, lastMs] = [0, 0];
    const all = Array.from({ length: 100_000 }, () => {
      const one: Sleeper = sleeper(() => {
        count++;
        if (one.wakeAtMs < lastMs) throw new Error("out of order");
        lastMs = one.wakeAtMs;
      });
      return one;
    });
    all.forEach((one, index) => {
      alarms.sleep(one, (index * 7919) % 100_003);
    });
    for (let index = 0; index < all.length; index += 2) alarms.rouse(all[index] as Sleeper);
    clock.advance(200_000);
    expect(count).toBe(50_000);
    expect(all.every((one) => one.slot === -1)).toBe(true);
    expect(clock.counts()).toEqual({ pending: 0, held: 0 });
  });

  test("E12: behaves like a sorted list, whatever is put to bed and roused", () => {
    const step = fc.record({
      who: fc.integer({ min: 0, max: 15 }),
      delayMs: fc.option(fc.integer({ min: 0, max: 20 })),
      thenMs: fc.integer({ min: 0, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { clock, woken, alarms, named } = bedroom();
        const beds = Array.from({ length: 16 }, (_, who) => named(String(who)));
        const model: { who: number; atMs: number }[] = [];
        const expected: [string, number][] = [];
        const pass = (untilMs: number) => {
          for (;;) {
            const due = model.filter(({ atMs }) => atMs <= untilMs);
            if (due.length === 0) return;
            const first = due.reduce((one, other) => (other.atMs < one.atMs ? other : one));
            model.splice(model.indexOf(first), 1);
            expected.push([String(first.who), first.atMs]);
          }
        };
        for (const { who, delayMs, thenMs } of steps) {
          const asleep = model.findIndex((entry) => entry.who === who);
          if (asleep >= 0) model.splice(asleep, 1);
          if (delayMs === null) alarms.rouse(beds[who] as Sleeper);
          else {
            alarms.sleep(beds[who] as Sleeper, delayMs);
            model.push({ who, atMs: clock.timers.now() + delayMs });
          }
          clock.advance(thenMs);
          pass(clock.timers.now());
          expect(clock.counts().held).toBe(model.length > 0 ? 1 : 0);
        }
        clock.advance(100);
        pass(1e9);
        expect(woken).toEqual(expected);
        expect(clock.counts().held).toBe(0);
      }),
    );
  });
});
