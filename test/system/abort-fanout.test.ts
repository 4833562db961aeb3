import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { createAbortFanout } from "../../src/system/abort-fanout.ts";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

function fanout() {
  const reportFault = vi.fn();
  const told: [name: string, reason: unknown][] = [];
  const named = (name: string) => ({ onAbort: (reason: unknown) => void told.push([name, reason]) });
  return { ...createAbortFanout(reportFault), reportFault, told, named };
}

describe("one listener per signal", () => {
  test("E13: calls every subscriber with the reason, in order of subscription, once", () => {
    const { onAbort, told, named } = fanout();
    const { signal, abort } = controller();
    const [a, b, c] = [named("a"), named("b"), named("c")];
    for (const subscriber of [a, b, c, a]) onAbort(signal, subscriber);
    expect(listeners(signal)).toBe(1);
    abort("stop");
    expect(told).toEqual([
      ["a", "stop"],
      ["b", "stop"],
      ["c", "stop"],
    ]);
    expect(listeners(signal)).toBe(0);
  });

  test("E13: an aborted signal calls its subscriber at once", () => {
    const { onAbort, told, named } = fanout();
    const signal = AbortSignal.abort("gone");
    onAbort(signal, named("late"));
    expect(told).toEqual([["late", "gone"]]);
    expect(listeners(signal)).toBe(0);
  });

  test("E20: the listener goes with the last subscriber and comes back with the next", () => {
    const { onAbort, offAbort, told, named } = fanout();
    const { signal, abort } = controller();
    const [a, b] = [named("a"), named("b")];
    onAbort(signal, a);
    onAbort(signal, b);
    offAbort(signal, a);
    expect(listeners(signal)).toBe(1);
    offAbort(signal, b);
    expect(listeners(signal)).toBe(0);
    offAbort(signal, b);
    onAbort(signal, a);
    expect(listeners(signal)).toBe(1);
    abort("stop");
    expect(told).toEqual([["a", "stop"]]);
  });

  test("E13: leaving a signal that one never listened to does nothing", () => {
    const { onAbort, offAbort, told, named } = fanout();
    const { signal, abort } = controller();
    offAbort(signal, named("stranger"));
    onAbort(signal, named("a"));
    offAbort(signal, named("stranger"));
    expect(listeners(signal)).toBe(1);
    abort("stop");
    expect(told).toEqual([["a", "stop"]]);
  });

  test("E13: a subscriber that throws is reported, and the others are still called", () => {
    const { onAbort, reportFault, told, named } = fanout();
    const { signal, abort } = controller();
    const fault = new Error("broken");
    const broken = {
      onAbort() {
        throw fault;
      },
    };
    onAbort(signal, broken);
    onAbort(signal, named("b"));
    abort("stop");
    onAbort(signal, broken);
    expect(told).toEqual([["b", "stop"]]);
    expect(reportFault.mock.calls).toEqual([
      [fault, "abort-fanout"],
      [fault, "abort-fanout"],
    ]);
  });

  test("E13: a subscriber removed during the abort is not called; one added during it is called at once", () => {
    const { onAbort, offAbort, told, named } = fanout();
    const { signal, abort } = controller();
    const victim = named("victim");
    onAbort(signal, {
      onAbort() {
        offAbort(signal, victim);
        onAbort(signal, named("newcomer"));
      },
    });
    onAbort(signal, victim);
    onAbort(signal, named("last"));
    abort("stop");
    expect(told).toEqual([
      ["newcomer", "stop"],
      ["last", "stop"],
    ]);
  });

  test("E13: subscriptions to different signals are independent", () => {
    const { onAbort, told, named } = fanout();
    const [one, other] = [controller(), controller()];
    const both = named("both");
    onAbort(one.signal, both);
    onAbort(other.signal, both);
    one.abort(1);
    expect(told).toEqual([["both", 1]]);
    other.abort(2);
    expect(told).toEqual([
      ["both", 1],
      ["both", 2],
    ]);
  });

  test("E20: 10,000 calls on one signal take linear time", () => {
    const { onAbort, offAbort, named } = fanout();
    const { signal } = controller();
    const timed = (count: number) => {
      const all = Array.from({ length: count }, (_, index) => named(String(index)));
      const startMs = performance.now();
      for (const one of all) onAbort(signal, one);
      expect(listeners(signal)).toBe(1);
      for (const one of all) offAbort(signal, one);
      return performance.now() - startMs;
    };
    timed(10_000);
    const best = (count: number) => Math.min(...Array.from({ length: 5 }, () => timed(count)));
    // Quadratic would be 100 times as long; the machine is noisy.
    expect(best(100_000)).toBeLessThan(best(10_000) * 40 + 5);
    expect(listeners(signal)).toBe(0);
  });
});

function controller() {
  const made = new AbortController();
  return { signal: made.signal, abort: (reason: unknown) => made.abort(reason) };
}
