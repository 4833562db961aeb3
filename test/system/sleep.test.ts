import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sleep } from "../../src/system/sleep.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

describe("the abortable sleep", () => {
  test("E13: wakes after the time and leaves neither timer nor listener", async () => {
    const { signal } = new AbortController();
    const woken = vi.fn();
    const sleeping = sleep(1000, signal).then(woken);
    expect(vi.getTimerCount()).toBe(1);
    expect(listeners(signal)).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(woken).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(woken).toHaveBeenCalledTimes(1);
    expect(listeners(signal)).toBe(0);
  });

  test("E13: an abort ends it at once with the signal's reason and leaves neither timer nor listener", async () => {
    const controller = new AbortController();
    const sleeping = sleep(1000, controller.signal);
    controller.abort("enough");
    await expect(sleeping).rejects.toBe("enough");
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners(controller.signal)).toBe(0);
  });

  test("E13: a signal that has aborted before ends it before it begins", async () => {
    const signal = AbortSignal.abort("before");
    await expect(sleep(1000, signal)).rejects.toBe("before");
    expect(vi.getTimerCount()).toBe(0);
    expect(listeners(signal)).toBe(0);
  });

  test("E13: needs no signal, and rounds up", async () => {
    const woken = vi.fn();
    const sleeping = sleep(1.2).then(woken);
    await vi.advanceTimersByTimeAsync(1);
    expect(woken).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
  });

  test.each([Number.NaN, -1, 2 ** 31, Number.POSITIVE_INFINITY])("E13: refuses %s", async (ms) => {
    await expect(sleep(ms, AbortSignal.abort())).rejects.toThrow(
      /^ms must be a number of milliseconds from 0 to 2147483647; got/,
    );
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([0, 2 ** 31 - 1])("E13: takes %d", async (ms) => {
    const sleeping = sleep(ms);
    await vi.advanceTimersByTimeAsync(ms);
    await expect(sleeping).resolves.toBeUndefined();
  });
});
