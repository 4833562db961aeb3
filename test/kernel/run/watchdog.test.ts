import { describe, expect, test } from "vitest";
import { definePolicy, type Reading, run, tavernPolicy } from "../../../src/index.ts";
import { answer, fails, hangs, hangsUntilAborted, read, World } from "../../support/world.ts";

const inspect = (item: string): Reading => {
  if (item === "[DONE]") return "end";
  return item === "" ? "noise" : item === "~" ? "life" : "content";
};

/** Items with the moment at which they come; after the last one the stream says nothing more until it is aborted. */
function timed(world: World, ...items: readonly (readonly [atMs: number, item: string])[]) {
  return async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<string> {
    for (const [atMs, item] of items) {
      await until(world, atMs, signal);
      yield item;
    }
    if (items.at(-1)?.[1] !== "[DONE]") await until(world, Number.POSITIVE_INFINITY, signal);
  };
}

function until(world: World, atMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    const wake = (): void => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    const delayMs = Math.max(0, atMs - world.time.nowMs);
    if (Number.isFinite(delayMs)) world.ports.sleep({ wakeAtMs: 0, slot: -1, wake }, delayMs);
  });
}

describe("without streaming", () => {
  test("E15: the thinking limit is the time limit of the whole call", async () => {
    const world = new World();
    const result = await world.run(world.script(hangs, answer("second try")), { policy: tavernPolicy() });
    expect(result).toMatchObject({ ok: true, value: "second try" });
    expect(world.startedAt).toEqual([0, 120_000]);
    expect(world.event("attempt-end")[0]).toMatchObject({
      failure: { kind: "silent", message: "No content within 2 min", evidence: "watchdog:silent", retryable: true },
    });
  });

  test("E15: the attempt is really cancelled before it is judged", async () => {
    const world = new World();
    const aborted: unknown[] = [];
    await world.run(
      world.script((context) => {
        context.signal.addEventListener("abort", () => aborted.push(context.signal.reason));
        return hangs(context);
      }, answer()),
      { policy: tavernPolicy() },
    );
    expect(aborted).toEqual([new Error("No content within 2 min")]);
  });

  test("T5: after a thinking timeout the retry starts at once and counts against the retries", async () => {
    const world = new World();
    const result = await world.run(world.script(hangs), { policy: tavernPolicy({ thinkingTimeLimitMs: 10_000 }) });
    expect(world.startedAt).toEqual([0, 10_000, 20_000, 30_000]);
    expect(result).toMatchObject({ ok: false, reason: "retries-exhausted", failure: { kind: "silent" } });
  });

  test("E15: a call that reports progress is held to the idle limit from then on", async () => {
    const world = new World();
    const result = await world.run(
      world.script(async (context) => {
        for (const atMs of [5000, 10_000, 39_000]) {
          await until(world, atMs, context.signal);
          context.progress();
        }
        return new Promise(() => undefined);
      }, answer("again")),
      { policy: tavernPolicy() },
    );
    expect(result).toMatchObject({ ok: true, value: "again" });
    expect(world.startedAt).toEqual([0, 69_000]);
    expect(world.event("attempt-end")[0]).toMatchObject({
      failure: { kind: "stalled", message: "No new content for 30 s" },
    });
  });

  test("E15: progress of an attempt that was given up does not feed the watchdog of the next", async () => {
    const world = new World();
    let stale: (() => void) | undefined;
    const generation = world.start(
      world.script((context) => {
        stale ??= () => context.progress();
        return hangs(context);
      }),
      { policy: tavernPolicy({ thinkingTimeLimitMs: 10_000, maxRetries: 1 }) },
    );
    await world.time.advance(15_000);
    stale?.();
    await world.time.advance(5000);
    expect(await generation.result).toMatchObject({ ok: false, failure: { kind: "silent" } });
    expect(world.time.nowMs).toBe(20_000);
  });

  test("E15: no limit means no watchdog, not even after progress", async () => {
    const world = new World();
    const policy = definePolicy({ watchdog: { firstContentMs: null, idleMs: null } });
    const generation = world.start(
      (context) => {
        context.progress();
        return hangs(context);
      },
      { policy },
    );
    await world.time.advance(10_000_000);
    expect(world.time.sleeping).toBe(0);
    generation.giveUp();
    await generation.result;
  });

  test("E15: an idle limit alone starts with the first sign of life", async () => {
    const world = new World();
    const policy = definePolicy({
      watchdog: { firstContentMs: null, idleMs: 1000 },
      schedules: { general: { type: "fixed", delayMs: 0, atMost: 0 } },
    });
    const result = await world.run(
      async (context) => {
        await until(world, 50_000, context.signal);
        context.progress();
        return hangs(context);
      },
      { policy },
    );
    expect(result).toMatchObject({ ok: false, failure: { kind: "stalled" } });
    expect(world.time.nowMs).toBe(51_000);
  });

  test("E15: a cancelled attempt gets the grace it was promised to settle before the next one starts", async () => {
    const world = new World();
    const policy = tavernPolicy({ thinkingTimeLimitMs: 10_000 });
    const slow = world.script((context) => {
      const { signal } = context;
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          world.ports.sleep({ wakeAtMs: 0, slot: -1, wake: () => reject(new Error("stopped")) }, 400);
        });
      });
    }, answer("after the old one was gone"));
    const result = await world.run(slow, { policy, cancelGraceMs: 5000 });
    expect(result.ok).toBe(true);
    expect(world.startedAt).toEqual([0, 10_400]);
    expect(world.event("attempt-end")[0]).toMatchObject({ failure: { kind: "silent" } });
  });

  test("E15: an attempt that does not settle within the grace is not waited for any longer", async () => {
    const world = new World();
    const policy = tavernPolicy({ thinkingTimeLimitMs: 10_000 });
    const result = await world.run(world.script(hangs, answer()), { policy, cancelGraceMs: 5000 });
    expect(result.ok).toBe(true);
    expect(world.startedAt).toEqual([0, 15_000]);
  });

  test("E15: a late answer within the grace does not count: the attempt was given up", async () => {
    const world = new World();
    const policy = tavernPolicy({ thinkingTimeLimitMs: 10_000 });
    const late = world.script(
      ({ signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("partial text"))),
      answer("whole text"),
    );
    const result = await world.run(late, { policy, cancelGraceMs: 5000 });
    expect(result).toMatchObject({ ok: true, value: "whole text" });
    expect(world.startedAt).toEqual([0, 10_000]);
  });

  test("E13: an abort within the grace ends at once", async () => {
    const world = new World();
    const controller = new AbortController();
    const policy = tavernPolicy({ thinkingTimeLimitMs: 10_000 });
    const generation = world.start(world.script(hangs), { policy, cancelGraceMs: 5000, signal: controller.signal });
    await world.time.advance(12_000);
    controller.abort();
    expect(await generation.result).toMatchObject({ ok: false, reason: "aborted" });
    expect(world.time.sleeping).toBe(0);
  });
});

describe("with streaming", () => {
  const policy = tavernPolicy();

  test("T4: last token at 5000 ms, limit 30000 ms: stopped and tried again at 35000 ms", async () => {
    const world = new World();
    const attempts = [timed(world, [1000, "a"], [5000, "b"]), timed(world, [35_000, "c"], [35_001, "[DONE]"])];
    const starts: number[] = [];
    const items = world.stream(
      (context) => {
        starts.push(world.time.nowMs);
        return (attempts[starts.length - 1] ?? attempts[1])?.(context) as AsyncIterable<string>;
      },
      { policy, inspect, sink: "buffered" },
    );
    const got = await world.time.until(read(items));
    expect(starts).toEqual([0, 35_000]);
    expect(got.items).toEqual(["c", "[DONE]"]);
    expect(world.event("attempt-end")[0]).toMatchObject({ failure: { kind: "stalled", evidence: "watchdog:stalled" } });
  });

  test("E15: keep-alives and empty deltas are no progress, before and after the first content", async () => {
    const silent = new World();
    const pings = Array.from({ length: 40 }, (_, i) => [(i + 1) * 5000, ""] as const);
    await silent.time.until(
      read(silent.stream(timed(silent, ...pings), { policy: tavernPolicy({ maxRetries: 1 }), inspect })),
    );
    expect(silent.event("attempt-end")[0]).toMatchObject({ failure: { kind: "silent" } });
    expect(silent.event("attempt-end")[0]?.at).toBe((silent.event("attempt-start")[0]?.at ?? 0) + 120_000);

    const stalled = new World();
    const source = timed(stalled, [1000, "a"], ...pings);
    await stalled.time.until(read(stalled.stream(source, { policy, inspect })));
    expect(stalled.event("attempt-end")[0]).toMatchObject({ failure: { kind: "stalled" } });
    expect(stalled.time.nowMs).toBe(31_000);
  });

  test("E15: reasoning counts as progress", async () => {
    const world = new World();
    const thinking = Array.from({ length: 20 }, (_, i) => [(i + 1) * 25_000, "~"] as const);
    const source = timed(world, ...thinking, [510_000, "a"], [511_000, "[DONE]"]);
    const { items, error } = await world.time.until(read(world.stream(source, { policy, inspect })));
    expect(error).toBeUndefined();
    expect(items.slice(-2)).toEqual(["a", "[DONE]"]);
  });

  test("E15: a slow reader is not a stalled stream", async () => {
    const world = new World();
    const items = world.stream(timed(world, [10, "a"], [20, "b"], [30, "[DONE]"]), { policy, inspect });
    const first = items.next();
    await world.time.advance(100);
    expect((await first).value).toBe("a");
    await world.time.advance(1_000_000);
    const rest = await world.time.until(read(items));
    expect(rest).toEqual({ items: ["b", "[DONE]"], error: undefined });
  });

  test("E15: what was left of the limit before a pause is what is left after it", async () => {
    const world = new World();
    const source = timed(world, [0, "a"], [20_000, ""]);
    const items = world.stream(source, { policy, inspect });
    const first = items.next();
    await world.time.advance(1);
    await first;
    // The reader took 1 ms. A keep-alive comes after 19,999 ms of silence and is given out; the reader takes its time;
    // 10,001 ms of the limit are left.
    const second = items.next();
    await world.time.advance(20_000);
    expect((await second).value).toBe("");
    await world.time.advance(500_000);
    const before = world.time.nowMs;
    const third = items.next();
    void third.catch(() => undefined);
    await world.time.until(third.catch(() => undefined));
    expect(world.time.nowMs - before).toBe(10_001);
  });

  test("E15: a stalled stream that never reacts to its signal is left behind all the same", async () => {
    const world = new World();
    let calls = 0;
    async function* deaf(): AsyncGenerator<string> {
      if (calls++ > 0) {
        yield "a";
        yield "[DONE]";
        return;
      }
      await new Promise(() => undefined);
    }
    const got = await world.time.until(read(world.stream(deaf, { policy, inspect })));
    expect(got.items).toEqual(["a", "[DONE]"]);
    expect(world.time.nowMs).toBe(120_000);
  });
});

test("E20: an attempt that reports progress after its end is not watched again", async () => {
  const world = new World();
  let late: (() => void) | undefined;
  await world.run(
    (context) => {
      late = () => context.progress();
      return "done";
    },
    { policy: tavernPolicy() },
  );
  late?.();
  expect(world.time.sleeping).toBe(0);
});

test("E19: a clock that fails when the wait is over ends with the provider's error", async () => {
  const world = new World();
  let isBroken = false;
  const ports = {
    ...world.ports,
    now: () => {
      if (isBroken) throw new Error("no clock");
      return world.time.nowMs;
    },
  };
  const generation = world.start(world.script(fails(503, "Overloaded")), { policy: tavernPolicy(), ports });
  await world.time.advance(500);
  isBroken = true;
  await world.time.advance(600).catch(() => undefined);
  isBroken = false;
  expect(await generation.result).toMatchObject({
    ok: false,
    reason: "engine-fault",
    failure: { message: "Overloaded" },
  });
});

test("E19: a clock that can't watch costs the watchdog, not the call", async () => {
  const world = new World({
    watch: () => {
      throw new Error("no watch");
    },
  });
  const result = await run(() => "fine", { ports: world.ports, policy: tavernPolicy() });
  expect(result).toMatchObject({ ok: true, value: "fine" });
  expect(world.time.faults).toMatchObject([{ where: "watchdog" }]);
});

test("E15: a failed attempt is no longer watched while the generation waits", async () => {
  const world = new World();
  const generation = world.start(world.script(fails(503), hangsUntilAborted), { policy: tavernPolicy() });
  await world.time.advance(500);
  expect(world.time.sleeping).toBe(1);
  generation.giveUp();
  expect(world.time.sleeping).toBe(0);
});
