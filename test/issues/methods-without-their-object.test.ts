import { describe, expect, test } from "vitest";
import { type GenerationHandle, sessionPolicy } from "../../src/index.ts";
import { answer, fails, hangs, read, World } from "../support/world.ts";

describe("what a callback receives can be destructured", () => {
  test("E15: progress() of an attempt works without its object", async () => {
    const world = new World();
    const result = await world.run(
      async ({ progress, signal, attempt, target, generationId }) => {
        progress();
        await Promise.resolve();
        progress();
        return [signal.aborted, attempt, target.model, generationId];
      },
      { id: "named", policy: { watchdog: { firstContentMs: 1000, idleMs: 500 } } },
    );
    expect(result).toMatchObject({ ok: true, value: [false, 1, "", "named"] });
  });

  test("E15: a destructured progress() moves the limit like the method", async () => {
    const world = new World();
    const stopped = world.start(
      ({ progress }) => {
        progress();
        return new Promise(() => undefined);
      },
      {
        policy: {
          watchdog: { firstContentMs: 100_000, idleMs: 500 },
          schedules: { general: { type: "fixed", delayMs: 0, atMost: 0 } },
        },
      },
    );
    expect(await world.time.until(stopped.result)).toMatchObject({ ok: false, failure: { kind: "stalled" } });
    expect(world.time.nowMs).toBeLessThan(2000);
  });

  test("B8: retryNow() of a listener's handle works without its object", async () => {
    const world = new World();
    const seen: unknown[] = [];
    const result = await world.run(world.script(fails(503), answer("fine")), {
      policy: sessionPolicy(),
      on: ({ type }, { retryNow, id, isWaiting }) => {
        if (type === "wait-start") seen.push(isWaiting, typeof id, retryNow());
      },
    });
    expect(result).toMatchObject({ ok: true, value: "fine" });
    expect(seen).toEqual([true, "string", true]);
    expect(world.time.nowMs).toBe(0);
    expect(world.time.faults).toEqual([]);
  });

  test("B8: giveUp() of a listener's handle works without its object", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(503)), {
      policy: sessionPolicy(),
      on: ({ type }, { giveUp }) => type === "wait-start" && giveUp(),
    });
    expect(result).toMatchObject({ ok: false, reason: "gave-up" });
    expect(world.time.faults).toEqual([]);
  });

  test("B8: the handles of start() and stream() work without their object", async () => {
    const world = new World();
    const { giveUp, retryNow, result } = world.start(world.script(hangs));
    await world.time.settle();
    expect([retryNow(), giveUp()]).toEqual([false, true]);
    expect(await result).toMatchObject({ ok: false, reason: "gave-up" });

    const items = world.stream(async function* () {
      yield "a";
      await new Promise(() => undefined);
    });
    const handle: GenerationHandle = items;
    const { giveUp: endStream } = handle;
    await items.next();
    expect(endStream()).toBe(true);
    expect((await read(items)).error).toMatchObject({ reason: "gave-up" });
  });

  test("E19: a listener whose promise rejects is reported, and the process lives on", async () => {
    const world = new World();
    const result = await world.run(world.script(answer()), {
      on: async () => {
        throw new Error("no disk");
      },
    });
    await world.time.settle();
    expect(result.ok).toBe(true);
    expect(world.time.faults).toMatchObject(Array(3).fill({ where: "listener" }));
  });
});
