import { describe, expect, test } from "vitest";
import { run, start, stream } from "../../../src/index.ts";
import { createRandom, drawExponential, VirtualWorld } from "../../../src/simulator/world/index.ts";
import { answers, failsWith, hangs, LoggedWorld, scriptedTarget } from "./logged-world.ts";

const HOUR = 3_600_000;

describe("E12: a virtual world", () => {
  test("E12: runs events in the order of their time, and events of the same time in the order they were added", async () => {
    const world = new LoggedWorld();
    for (const [ms, what] of [
      [20, "c"],
      [10, "a"],
      [10, "b"],
      [0, "now"],
    ] as const)
      world.after(ms, () => world.note(what));
    await world.advance(15);
    expect(world.log).toEqual(["0 now", "10 a", "10 b"]);
    expect(world.nowMs).toBe(15);
    await world.advance(5);
    expect(world.log.at(-1)).toBe("20 c");
    expect(world.sleeping).toBe(0);
  });

  test("E12: does not run an event that was cancelled", async () => {
    const world = new LoggedWorld();
    const cancel = world.after(10, () => world.note("no"));
    cancel();
    cancel();
    await world.advance(100);
    expect(world.log).toEqual([]);
  });

  test("E12: throws for a promise that nothing can settle, and waits for one that takes hours", async () => {
    const world = new VirtualWorld();
    await world.until(world.pause(8 * HOUR));
    expect(world.nowMs).toBe(8 * HOUR);
    await expect(world.until(new Promise(() => undefined))).rejects.toThrow("still pending");
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("E12: rejects a delay of %d", (delayMs) => {
    expect(() => new VirtualWorld().after(delayMs, () => undefined)).toThrow("Not a delay");
  });

  test("E12: runs no further event after it was stopped", async () => {
    const world = new LoggedWorld();
    world.after(10, () => {
      world.isStopped = true;
    });
    world.after(20, () => world.note("too late"));
    await world.runUntil(100);
    expect({ nowMs: world.nowMs, log: world.log }).toEqual({ nowMs: 10, log: [] });
  });
});

describe("E12: the engine in a virtual world", () => {
  test("E12: retries a generation until it succeeds, exact to the millisecond", async () => {
    const world = new LoggedWorld();
    const call = scriptedTarget(world, [
      failsWith(503, { afterMs: 20 }),
      failsWith(429, { retryAfterMs: 5000 }),
      answers("yes", 300),
    ]);
    const policy = { schedules: { general: { type: "fixed", delayMs: 1000 } } } as const;
    const result = await world.until(
      run(call, { policy, ports: world.ports, targets: [{ provider: "p", model: "m" }] }),
    );
    expect(result).toMatchObject({ ok: true, value: "yes", receipt: { attempts: 3, waitedMs: 6000, elapsedMs: 6320 } });
    expect(world.log).toEqual([
      "0 call 1 p/m",
      "20 fail",
      "1020 call 2 p/m",
      "1020 fail",
      "6020 call 3 p/m",
      "6320 answer",
    ]);
    expect({ sleeping: world.sleeping, faults: world.faults }).toEqual({ sleeping: 0, faults: [] });
  });

  test("E15: cancels a target that hangs exactly at its limit", async () => {
    const world = new LoggedWorld();
    const policy = {
      watchdog: { firstContentMs: 5000 },
      schedules: { general: { type: "fixed", delayMs: 0 } },
    } as const;
    const result = await world.until(run(scriptedTarget(world, [hangs(), answers()]), { policy, ports: world.ports }));
    expect(result).toMatchObject({ ok: true, receipt: { attempts: 2, elapsedMs: 5000 } });
    expect(world.log[1]).toBe("5000 abandoned");
    expect(world.sleeping).toBe(0);
  });

  test("E15: restarts the watchdog of a stream with every token", async () => {
    const world = new VirtualWorld();
    const policy = { watchdog: { firstContentMs: 300, idleMs: 100 } } as const;
    async function* slow() {
      for (const word of ["a", "b", "c"]) {
        await world.pause(90);
        yield word;
      }
      await world.pause(101);
      yield "never";
    }
    const items: string[] = [];
    const read = async (): Promise<unknown> => {
      try {
        for await (const item of stream(slow, { policy, ports: world.ports })) items.push(item);
        return undefined;
      } catch (error) {
        return error;
      }
    };
    const error = await world.until(read());
    expect(items).toEqual(["a", "b", "c"]);
    expect(error).toMatchObject({ failure: { kind: "stalled" } });
    expect(world.nowMs).toBe(370);
  });

  test("E13: ends at once when it is aborted during a wait, and leaves no sleeper", async () => {
    const world = new LoggedWorld();
    const abort = new AbortController();
    const generation = start(scriptedTarget(world, [failsWith(503)]), { ports: world.ports, signal: abort.signal });
    await world.advance(1);
    abort.abort();
    expect(await world.until(generation.result)).toMatchObject({ ok: false, reason: "aborted" });
    expect(world.sleeping).toBe(0);
  });

  test("E12: gives the identical log for the same seed, and a different one for another seed", async () => {
    const live = async (seed: number): Promise<readonly string[]> => {
      const world = new LoggedWorld({ seed });
      const policy = {
        schedules: { general: { type: "exponential", baseMs: 1000, jitter: "full", atMost: 8 } },
      } as const;
      const all = Array.from({ length: 50 }, (_, n) => {
        const steps = [...Array.from({ length: n % 7 }, () => failsWith(503, { afterMs: n })), answers()];
        return run(scriptedTarget(world, steps), { policy, ports: world.ports, on: (event) => world.note(event.type) });
      });
      await world.until(Promise.all(all));
      return world.log;
    };
    const [first, second, other] = [await live(7), await live(7), await live(8)];
    expect(first).toEqual(second);
    expect(first.length).toBeGreaterThan(500);
    expect(other).not.toEqual(first);
  });
});

describe("E12: random numbers of a virtual world", () => {
  test("E12: are uniform, the same for the same seed, and independent between streams", () => {
    const draw = (seed: number, stream: number): number[] => {
      const random = createRandom(seed, stream);
      return Array.from({ length: 10_000 }, random);
    };
    const numbers = draw(1, 0);
    expect(numbers).toEqual(draw(1, 0));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, number) => sum + number) / 10_000).toBeCloseTo(0.5, 1);
    const other = draw(1, 1);
    const correlation =
      numbers.reduce((sum, number, at) => sum + (number - 0.5) * ((other[at] ?? 0) - 0.5), 0) / 10_000 / (1 / 12);
    expect(Math.abs(correlation)).toBeLessThan(0.05);
    expect(draw(2, 0)[0]).not.toBe(numbers[0]);
  });

  test("E12: give exponential times around their mean, never infinite", () => {
    const random = createRandom(3);
    const times = Array.from({ length: 20_000 }, () => drawExponential(random, 1000));
    expect(times.reduce((sum, ms) => sum + ms) / 20_000).toBeCloseTo(1000, -2);
    expect(drawExponential(() => 1 - Number.EPSILON / 2, 1000)).toBeLessThan(40_000);
  });
});
