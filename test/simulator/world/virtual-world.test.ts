import { describe, expect, test } from "vitest";
import { run, start, stream } from "../../../src/index.ts";
import {
  answers,
  createRandom,
  drawExponential,
  hangs,
  refuses,
  scriptedTarget,
  VirtualWorld,
} from "../../../src/simulator/world/index.ts";

const HOUR = 3_600_000;

describe("E12: a virtual world", () => {
  test("E12: lets events happen in the order of their time, those of one moment in the order of their coming", async () => {
    const world = new VirtualWorld();
    for (const [ms, what] of [
      [20, "c"],
      [10, "a"],
      [10, "b"],
      [0, "now"],
    ] as const)
      world.after(ms, () => world.note(what));
    await world.advance(15);
    expect(world.log.lines()).toEqual(["0 now", "10 a", "10 b"]);
    expect(world.nowMs).toBe(15);
    await world.advance(5);
    expect(world.log.lines().at(-1)).toBe("20 c");
    expect(world.sleeping).toBe(0);
  });

  test("E12: what was called off does not happen", async () => {
    const world = new VirtualWorld();
    const callOff = world.after(10, () => world.note("no"));
    callOff();
    callOff();
    await world.advance(100);
    expect(world.log.count).toBe(0);
  });

  test("E12: a promise that nobody will ever settle is told apart from one that takes hours", async () => {
    const world = new VirtualWorld();
    await world.until(world.pause(8 * HOUR));
    expect(world.nowMs).toBe(8 * HOUR);
    await expect(world.until(new Promise(() => undefined))).rejects.toThrow("still pending");
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("E12: %d is no delay", (delayMs) => {
    expect(() => new VirtualWorld().after(delayMs, () => undefined)).toThrow("Not a delay");
  });

  test("E12: a stopped world goes no further", async () => {
    const world = new VirtualWorld();
    world.after(10, () => {
      world.isStopped = true;
    });
    world.after(20, () => world.note("too late"));
    await world.runUntil(100);
    expect({ nowMs: world.nowMs, count: world.log.count }).toEqual({ nowMs: 10, count: 0 });
  });
});

describe("E12: the engine in a virtual world", () => {
  test("E12: carries a generation through its scripted target, to the millisecond", async () => {
    const world = new VirtualWorld();
    const call = scriptedTarget(world, [
      refuses(503, { afterMs: 20 }),
      refuses(429, { retryAfterMs: 5000 }),
      answers("yes", 300),
    ]);
    const policy = { schedules: { general: { type: "fixed", delayMs: 1000 } } } as const;
    const result = await world.until(
      run(call, { policy, ports: world.ports, targets: [{ provider: "p", model: "m" }] }),
    );
    expect(result).toMatchObject({ ok: true, value: "yes", receipt: { attempts: 3, waitedMs: 6000, elapsedMs: 6320 } });
    expect(world.log.lines()).toEqual([
      "0 call 1 p/m",
      "20 fail",
      "1020 call 2 p/m",
      "1020 fail",
      "6020 call 3 p/m",
      "6320 answer",
    ]);
    expect({ sleeping: world.sleeping, faults: world.faults }).toEqual({ sleeping: 0, faults: [] });
  });

  test("E15: a target that hangs is cancelled at its limit, exactly", async () => {
    const world = new VirtualWorld();
    const policy = {
      watchdog: { firstContentMs: 5000 },
      schedules: { general: { type: "fixed", delayMs: 0 } },
    } as const;
    const result = await world.until(run(scriptedTarget(world, [hangs(), answers()]), { policy, ports: world.ports }));
    expect(result).toMatchObject({ ok: true, receipt: { attempts: 2, elapsedMs: 5000 } });
    expect(world.log.lines()[1]).toBe("5000 abandoned");
    expect(world.sleeping).toBe(0);
  });

  test("E15: a stream is watched token by token, and every new token counts anew", async () => {
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

  test("E13: an abort while it sleeps ends it at once and leaves nobody behind", async () => {
    const world = new VirtualWorld();
    const abort = new AbortController();
    const generation = start(scriptedTarget(world, [refuses(503)]), { ports: world.ports, signal: abort.signal });
    await world.advance(1);
    abort.abort();
    expect(await world.until(generation.result)).toMatchObject({ ok: false, reason: "aborted" });
    expect(world.sleeping).toBe(0);
  });

  test("E12: the same seed gives the identical log, twice; another seed another one", async () => {
    const live = async (seed: number): Promise<VirtualWorld> => {
      const world = new VirtualWorld({ seed });
      const policy = {
        schedules: { general: { type: "exponential", baseMs: 1000, jitter: "full", atMost: 8 } },
      } as const;
      const all = Array.from({ length: 50 }, (_, n) => {
        const steps = [...Array.from({ length: n % 7 }, () => refuses(503, { afterMs: n })), answers()];
        return run(scriptedTarget(world, steps), { policy, ports: world.ports, on: (event) => world.note(event.type) });
      });
      await world.until(Promise.all(all));
      return world;
    };
    const [first, second, other] = [await live(7), await live(7), await live(8)];
    expect(first.log.lines()).toEqual(second.log.lines());
    expect(first.log.digest).toBe(second.log.digest);
    expect(first.log.count).toBeGreaterThan(500);
    expect(other.log.digest).not.toBe(first.log.digest);
  });

  test("E12: the digest covers lines that are no longer kept", () => {
    const worlds = ["x", "y"].map((last) => {
      const world = new VirtualWorld({ keepLog: 1 });
      for (const what of ["a", last]) world.note(what);
      return world;
    });
    expect(worlds.map(({ log }) => log.lines())).toEqual([["0 a"], ["0 a"]]);
    expect(worlds[0]?.log.digest).not.toBe(worlds[1]?.log.digest);
  });
});

describe("E12: chance in a virtual world", () => {
  test("E12: is even, the same for the same seed, and independent between streams", () => {
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

  test("E12: draws exponential times around their mean, never infinite", () => {
    const random = createRandom(3);
    const times = Array.from({ length: 20_000 }, () => drawExponential(random, 1000));
    expect(times.reduce((sum, ms) => sum + ms) / 20_000).toBeCloseTo(1000, -2);
    expect(drawExponential(() => 1 - Number.EPSILON / 2, 1000)).toBeLessThan(40_000);
  });
});
