import { describe, expect, test } from "vitest";
import { type Health, InvalidInput, MemoryHealth, sessionPolicy } from "../../../src/index.ts";
import { answer, fails, World } from "../../support/world.ts";

describe("when the engine's surroundings break", () => {
  test("E19: a listener that throws is reported in every event and never felt", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(503), answer("fine")), {
      policy: sessionPolicy(),
      on: () => {
        throw new Error("broken listener");
      },
    });
    expect(result).toMatchObject({ ok: true, value: "fine" });
    expect(world.time.faults).toHaveLength(7);
    expect(world.time.faults.every(({ where }) => where === "listener")).toBe(true);
  });

  test("E19: a health store that throws at everything lets everything through", async () => {
    const broken = new Proxy(new MemoryHealth(), {
      get: (_, name) => {
        if (name === "isQuiet") return false;
        return () => {
          throw new Error(`broken ${String(name)}`);
        };
      },
    });
    const health: Health = new (class implements Health {
      get isQuiet() {
        return broken.isQuiet;
      }
      blockedForMs = broken.blockedForMs;
      admit = broken.admit;
      succeeded = broken.succeeded;
      failed = broken.failed;
      released = broken.released;
      coolDown = broken.coolDown;
    })();
    const world = new World();
    const result = await world.run(world.script(fails(503), answer("fine")), { health });
    expect(result).toMatchObject({ ok: true, value: "fine", receipt: { attempts: 2 } });
    expect(world.time.faults.length).toBeGreaterThan(3);
    expect(world.time.faults.every(({ where }) => where === "health")).toBe(true);
  });

  test("E19: a custom health is told of every retry, and not asked about a first call while it is free", async () => {
    const asked: boolean[] = [];
    const health: Health = {
      isQuiet: false,
      isFree: true,
      blockedForMs: () => 0,
      admit: (_target, _policy, _nowMs, isRetry) => {
        asked.push(isRetry);
        return 0;
      },
      succeeded: () => undefined,
      failed: () => undefined,
      released: () => undefined,
      coolDown: () => undefined,
    };
    const world = new World();
    await world.run(world.script(fails(503), fails(503), answer("fine")), { health });
    expect(asked).toEqual([true, true]);
    await world.run(world.script(fails(503), answer("fine")), { health: { ...health, isFree: false } });
    expect(asked.slice(2)).toEqual([false, true]);
    expect(world.time.faults).toEqual([]);
  });

  test("E19: a custom health that paces first calls is not taken for the retry budget", async () => {
    let denials = 3;
    const health: Health = {
      isQuiet: false,
      blockedForMs: () => 0,
      admit: () => (denials-- > 0 ? 200 : 0),
      succeeded: () => undefined,
      failed: () => undefined,
      released: () => undefined,
      coolDown: () => undefined,
    };
    const world = new World();
    await world.run(world.script(answer("fine")), { health });
    expect(world.event("wait-start").map(({ failure }) => failure.evidence)).toEqual(
      Array.from({ length: 3 }, () => "health:recovering"),
    );
  });

  test("E19: a fault of the engine itself gives the caller the provider's own error", async () => {
    const world = new World({
      random: () => {
        throw new Error("no entropy");
      },
    });
    const result = await world.run(world.script(fails(503, "Overloaded")));
    expect(result).toMatchObject({
      ok: false,
      reason: "engine-fault",
      failure: { message: "Overloaded", status: 503 },
    });
    expect(world.time.faults).toMatchObject([{ where: "engine" }]);
    expect(world.time.sleeping).toBe(0);
  });

  test("E19: a content check that throws or rejects is inconclusive: the answer is accepted with a warning", async () => {
    const checks = [
      () => {
        throw new Error("broken check");
      },
      () => Promise.reject(new Error("broken check")),
    ];
    for (const checkContent of checks) {
      const world = new World({ checkContent });
      const result = await world.run(world.script(answer("text")), { policy: { require: { pattern: "x+" } } });
      expect(result).toMatchObject({
        ok: true,
        receipt: { warnings: ["The required content could not be checked; the answer was accepted"] },
      });
      expect(world.time.faults).toMatchObject([{ where: "content-check" }]);
      expect(world.event("warning")).toHaveLength(1);
    }
  });
});

describe("required content", () => {
  const policy = {
    require: { text: "```json" },
    schedules: { general: { type: "fixed", delayMs: 100, atMost: 2 } },
  } as const;

  test("E16: an answer that lacks it is a failure and is made again", async () => {
    const world = new World();
    const result = await world.run(world.script(answer("no"), answer("```json {}")), { policy });
    expect(result).toMatchObject({ ok: true, value: "```json {}", receipt: { attempts: 2, waitedMs: 100 } });
    expect(world.event("attempt-end")[0]).toMatchObject({
      ok: false,
      failure: {
        kind: "invalid_content",
        message: "The answer lacks the required content",
        evidence: "content:missing",
      },
    });
  });

  test("E16: an empty answer lacks whatever is required", async () => {
    const world = new World({ checkContent: () => "present" });
    const result = await world.run(world.script(answer("")), { policy: { ...policy, require: { pattern: ".*" } } });
    expect(result).toMatchObject({ ok: false, failure: { kind: "invalid_content" } });
  });

  test("E16: a pattern that can't be checked in time is inconclusive and accepted", async () => {
    const world = new World({ checkContent: () => "inconclusive" });
    const result = await world.run(world.script(answer("text")), { policy: { require: { pattern: "(a+)+$" } } });
    expect(result.receipt.warnings).toHaveLength(1);
    expect(result.ok).toBe(true);
  });

  test("E16: a pattern without a content check is inconclusive", async () => {
    const world = new World();
    const result = await world.run(world.script(answer("text")), { policy: { require: { pattern: "x" } } });
    expect(result).toMatchObject({
      ok: true,
      receipt: { warnings: [expect.stringContaining("could not be checked")] },
    });
  });

  test("E16: an answer whose text can't be found ends the generation at once, whatever the policy says", async () => {
    const world = new World();
    const rules = { unknown: { action: "retry", when: "always" } } as const;
    const result = await world.run(world.script(answer({ odd: 1 })), { policy: { ...policy, rules } });
    expect(result).toMatchObject({
      ok: false,
      reason: "not-retryable",
      failure: {
        kind: "unknown",
        retryable: false,
        evidence: "usage:text-not-found",
        message: expect.stringContaining("Cannot find the text of the answer to check `require`"),
        cause: expect.any(InvalidInput),
      },
      receipt: { attempts: 1, warnings: [] },
    });
    expect(world.types()).toEqual(["attempt-start", "attempt-end", "generation-end"]);
  });

  test("E16: a known answer without text lacks the required content", async () => {
    const world = new World();
    const result = await world.run(world.script(answer({ choices: [] })), { policy });
    expect(result).toMatchObject({ ok: false, failure: { kind: "invalid_content" } });
  });

  test("E16: finds the text in common answer shapes, or takes it from the caller", async () => {
    for (const value of [{ text: "```json" }, { content: "```json" }]) {
      const world = new World();
      expect(await world.run(world.script(answer(value)), { policy })).toMatchObject({
        ok: true,
        receipt: { warnings: [] },
      });
    }
    const world = new World();
    const textOf = (value: unknown) => (value as { deep: string }).deep;
    expect(await world.run(world.script(answer({ deep: "nothing" })), { policy, textOf })).toMatchObject({ ok: false });
  });

  test("E13: an abort during a slow check ends at once, and its verdict no longer counts", async () => {
    let tell: (verdict: "present" | "missing") => void = () => undefined;
    const world = new World({
      checkContent: () =>
        new Promise((resolve) => {
          tell = resolve;
        }),
    });
    const controller = new AbortController();
    const generation = world.start(world.script(answer("text")), {
      policy: { require: { pattern: "x" } },
      signal: controller.signal,
    });
    await world.time.settle();
    controller.abort();
    expect(await generation.result).toMatchObject({ ok: false, reason: "aborted" });
    tell("present");
    await world.time.settle();
    expect(world.event("generation-end")).toHaveLength(1);
  });
});
