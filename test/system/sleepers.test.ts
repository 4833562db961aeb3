import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Sleeper } from "../../src/kernel/model/ports.ts";
import { Sleepers } from "../../src/system/sleepers.ts";

const asleepUntil = (wakeAtMs: number): Sleeper => ({ wakeAtMs, slot: -1, wake: () => undefined });

/** The same by sorting. */
class SortedList {
  readonly #all: { sleeper: Sleeper; arrival: number }[] = [];
  #arrivals = 0;

  get sorted(): readonly { sleeper: Sleeper; arrival: number }[] {
    return this.#all.toSorted((a, b) => a.sleeper.wakeAtMs - b.sleeper.wakeAtMs || a.arrival - b.arrival);
  }

  push(sleeper: Sleeper): void {
    this.#all.push({ sleeper, arrival: this.#arrivals++ });
  }

  remove(sleeper: Sleeper): void {
    this.#all.splice(
      this.#all.findIndex((one) => one.sleeper === sleeper),
      1,
    );
  }
}

describe("sleepers", () => {
  test("E12: whatever comes and goes, the head is the earliest, and of equals the one that came first", () => {
    const step = fc.oneof(
      fc.record({ what: fc.constant("push" as const), atMs: fc.integer({ min: 0, max: 12 }) }),
      fc.record({ what: fc.constant("wake" as const) }),
      fc.record({ what: fc.constant("leave" as const), nth: fc.nat(30) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const sleepers = new Sleepers();
        const list = new SortedList();
        for (const one of steps) {
          const { sorted } = list;
          if (one.what === "push") {
            const sleeper = asleepUntil(one.atMs);
            sleepers.push(sleeper);
            list.push(sleeper);
          } else {
            const leaving = sorted[one.what === "wake" ? 0 : one.nth]?.sleeper;
            if (leaving === undefined) continue;
            sleepers.remove(leaving);
            list.remove(leaving);
            expect([sleepers.has(leaving), leaving.slot]).toEqual([false, -1]);
          }
          const now = list.sorted;
          expect(sleepers.size).toBe(now.length);
          expect(sleepers.head).toBe(now[0]?.sleeper);
          if (now[0] !== undefined) expect(sleepers.headArrival).toBe(now[0].arrival);
          expect(now.every(({ sleeper }) => sleepers.has(sleeper))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("E12: thousands that come in order leave in order, while others keep coming and some leave early", () => {
    const sleepers = new Sleepers();
    const all = Array.from({ length: 10_000 }, (_, n) => asleepUntil(n));
    const woken: number[] = [];
    for (const sleeper of all) {
      sleepers.push(sleeper);
      const early = all[sleeper.wakeAtMs - 5];
      if (early !== undefined && early.wakeAtMs % 7 === 0) sleepers.remove(early);
      // Up to 3,000 are asleep at a time.
      if (sleepers.size < 3000) continue;
      const head = sleepers.head as Sleeper;
      sleepers.remove(head);
      woken.push(head.wakeAtMs);
    }
    for (let { head } = sleepers; head !== undefined; { head } = sleepers) {
      sleepers.remove(head);
      woken.push(head.wakeAtMs);
    }
    const left = all.filter(({ wakeAtMs }) => wakeAtMs % 7 !== 0 || wakeAtMs + 5 >= all.length);
    expect(woken).toEqual(left.map(({ wakeAtMs }) => wakeAtMs));
    expect(sleepers.size).toBe(0);
  });

  test("E12: those that leave behind a long sleeper leave nothing behind", () => {
    const sleepers = new Sleepers();
    const long = asleepUntil(1_000_000);
    const next = asleepUntil(2_000_000);
    sleepers.push(long);
    let highest = 0;
    for (let n = 0; n < 50_000; n++) {
      const sleeper = asleepUntil(1_000_001 + n);
      sleepers.push(sleeper);
      highest = Math.max(highest, sleeper.slot);
      sleepers.remove(sleeper);
    }
    expect(highest).toBeLessThan(5000);
    sleepers.push(next);
    expect([sleepers.head === long, sleepers.size]).toEqual([true, 2]);
    sleepers.remove(long);
    expect([sleepers.head === next, sleepers.headArrival]).toEqual([true, 50_001]);
  });

  test("E12: one that was never here, or sleeps elsewhere, is not here", () => {
    const [here, elsewhere] = [new Sleepers(), new Sleepers()];
    const sleeper = asleepUntil(1);
    expect(here.has(sleeper)).toBe(false);
    here.push(asleepUntil(1));
    elsewhere.push(sleeper);
    expect([here.has(sleeper), elsewhere.has(sleeper)]).toEqual([false, true]);
  });
});
