import { describe, expect, test } from "vitest";
import {
  consolePolicy,
  definePolicy,
  patientPolicy,
  receiptHeaders,
  sessionPolicy,
  tavernPolicy,
} from "../../../src/index.ts";
import { answer, fails, httpError, World } from "../../support/world.ts";

describe("the loop", () => {
  test("E20: a call that succeeds at first is made once, and nothing is left behind", async () => {
    const world = new World();
    const result = await world.run(world.script(answer("hello")));
    expect(result).toMatchObject({ ok: true, value: "hello" });
    expect(world.startedAt).toEqual([0]);
    expect(world.time.sleeping).toBe(0);
  });

  test("T2: with the tavern defaults and immediate failures the retries start at 1000, 2500 and 4750 ms", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(502)), { policy: tavernPolicy() });
    expect(world.startedAt).toEqual([0, 1000, 2500, 4750]);
    expect(result).toMatchObject({ ok: false, reason: "retries-exhausted", receipt: { attempts: 4, waitedMs: 4750 } });
  });

  test("S1: a session waits 2, 4 and 8 seconds", async () => {
    const world = new World();
    await world.run(world.script(fails(503)), { policy: sessionPolicy() });
    expect(world.startedAt).toEqual([0, 2000, 6000, 14_000]);
  });

  test("E10: the patient schedule makes 21 retries in 27,105 s and then gives the provider's error", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(503, "Overloaded")), { policy: patientPolicy() });
    expect(world.startedAt).toHaveLength(22);
    expect(world.time.nowMs).toBe(27_105_000);
    expect(result).toMatchObject({ ok: false, failure: { message: "Overloaded", status: 503 } });
  });

  test("C1: the console retries in Fibonacci steps until it has an answer", async () => {
    const world = new World();
    const steps = Array.from({ length: 40 }, () => fails(503));
    const result = await world.run(world.script(...steps, answer("at last")), { policy: consolePolicy() });
    expect(result).toMatchObject({ ok: true, value: "at last" });
    expect(world.startedAt.slice(0, 7)).toEqual([0, 1000, 3000, 6000, 11_000, 16_000, 21_000]);
    expect(world.startedAt).toHaveLength(41);
  });

  test("T3: rate limits wait longer and count apart from other failures", async () => {
    const world = new World();
    const call = world.script(fails(429), fails(502), fails(429), fails(502), answer());
    await world.run(call, { policy: tavernPolicy() });
    expect(world.startedAt).toEqual([0, 30_000, 31_000, 61_000, 62_500]);
  });

  test("E6: waits as long as the endpoint asks when that is longer than the schedule", async () => {
    const world = new World();
    const call = world.script(fails(429, "slow down", { "retry-after": "45" }), answer());
    await world.run(call, { policy: tavernPolicy() });
    expect(world.startedAt).toEqual([0, 45_000]);
  });

  test("E18: fails at once when the server asks for more than the cap and nothing can be switched to", async () => {
    const world = new World();
    const call = world.script(fails(429, "Rate limited", { "retry-after-ms": "600000" }));
    const result = await world.run(call, { policy: sessionPolicy({ maxDelayMs: 300_000 }) });
    expect(result).toMatchObject({ ok: false, reason: "delay-cap", failure: { message: "Rate limited" } });
    expect(world.time.nowMs).toBe(0);
  });

  test("E5: hands an overflow over instead of sending it again", async () => {
    const world = new World();
    const call = world.script(fails(500, "prompt is too long: 213462 tokens > 200000 maximum"));
    const result = await world.run(call);
    expect(result).toMatchObject({ ok: false, reason: "hand-over", failure: { kind: "context_overflow" } });
    expect(world.startedAt).toEqual([0]);
  });

  test("B2: the same body of a 500 twice in a row is hopeless, a changing one is not", async () => {
    const same = new World();
    const result = await same.run(same.script(fails(500, "assertion failed in sampler")));
    expect(result).toMatchObject({ ok: false, reason: "hopeless", receipt: { attempts: 2 } });

    const changing = new World();
    let calls = 0;
    const other = await changing.run(
      () => {
        throw httpError(500, `internal error, request ${++calls}`);
      },
      { policy: { breaker: null } },
    );
    expect(other).toMatchObject({ ok: false, reason: "patience", receipt: { waitedMs: 300_000 } });
    expect(other.receipt.attempts).toBeGreaterThan(10);
  });

  test("E1: a call that throws before it returns a promise is retried like any other", async () => {
    const world = new World();
    const policy = definePolicy({ schedules: { general: { type: "fixed", delayMs: 0, atMost: 20_000 } } });
    // A loop that called itself would have no stack left long before the end.
    const result = await world.run(world.script(fails(503)), { policy, on: () => undefined });
    expect(result).toMatchObject({ ok: false, receipt: { attempts: 20_001 } });
  });

  test("E11: a delay of zero needs no sleep", async () => {
    const slept: number[] = [];
    const world = new World();
    const { sleep } = world.ports;
    const ports = {
      ...world.ports,
      sleep: (sleeper: Parameters<typeof sleep>[0], ms: number) => {
        slept.push(ms);
        sleep(sleeper, ms);
      },
    };
    const policy = definePolicy({ schedules: { general: { type: "fixed", delayMs: 0, atMost: 2 } } });
    const result = await world.run(world.script(fails(503), answer()), { policy, ports });
    expect(result.ok).toBe(true);
    expect(slept).toEqual([]);
  });

  test("E2: the attempt learns its number, its target and its generation", async () => {
    const world = new World();
    const seen: unknown[] = [];
    const call = world.script(fails(503), answer());
    await world.run(
      (context) => {
        seen.push([context.attempt, context.target.model, context.generationId]);
        return call(context);
      },
      { targets: [{ provider: "p", model: "m" }], id: "mine" },
    );
    expect(seen).toEqual([
      [1, "m", "mine"],
      [2, "m", "mine"],
    ]);
  });

  test("T8: a generation that the filter leaves out is called once, as if we were not there", async () => {
    const filter = { mode: "blacklist", ids: ["left-out"] } as const;
    const world = new World();
    const result = await world.run(world.script(fails(503)), { policy: { filter }, id: "left-out" });
    expect(result).toMatchObject({ ok: false, reason: "filtered", receipt: { attempts: 1, generationId: "left-out" } });
  });

  test("T8: a call without an id gets a fresh one and counts as the empty id in the filter", async () => {
    const filter = { mode: "whitelist", ids: [""] } as const;
    const world = new World();
    const result = await world.run(world.script(fails(503), answer()), { policy: { filter } });
    expect(result.ok).toBe(true);
    expect(result.receipt.generationId).toBe("g1");
  });
});

describe("events", () => {
  test("E12: emits every step in order, and a wait before it starts", async () => {
    const world = new World();
    await world.run(world.script(fails(503, "Overloaded"), answer()), { policy: sessionPolicy() });
    expect(world.types()).toEqual([
      "attempt-start",
      "attempt-end",
      "wait-start",
      "wait-end",
      "attempt-start",
      "attempt-end",
      "generation-end",
    ]);
    const [wait] = world.event("wait-start");
    expect(wait).toMatchObject({
      attempt: 1,
      retry: 1,
      maxRetries: 3,
      schedule: "general",
      delayMs: 2000,
      until: Date.UTC(2026, 0, 1) + 2000,
      at: Date.UTC(2026, 0, 1),
      generationId: "g1",
      failure: { kind: "overloaded", message: "Overloaded" },
      because: "overloaded usually passes",
    });
    expect(world.event("wait-end")).toMatchObject([{ attempt: 1, waitedMs: 2000, ended: "elapsed" }]);
  });

  test("E2: the failure in an event carries message, status, hint, scope and target", async () => {
    const world = new World();
    const targets = [{ provider: "openai", model: "gpt", credentials: ["key-1"] }];
    const call = world.script(fails(429, "Rate limit reached", { "retry-after": "3" }), answer());
    await world.run(call, { targets });
    expect(world.event("attempt-end")[0]).toMatchObject({
      ok: false,
      failure: {
        kind: "rate_limit",
        scope: "credential",
        retryable: true,
        message: "Rate limit reached",
        status: 429,
        hintMs: 3000,
        target: { provider: "openai", model: "gpt", credential: "key-1" },
      },
    });
  });
});

describe("receipt", () => {
  test("B4: contains attempts, waits, targets and complete", async () => {
    const world = new World();
    const targets = [{ provider: "a", model: "m", credentials: ["k"] }];
    const call = world.script(fails(503), fails(502), answer());
    const { receipt } = await world.run(call, { policy: sessionPolicy(), targets });
    const target = { provider: "a", model: "m", credential: "k" };
    expect(receipt).toEqual({
      generationId: "g1",
      complete: true,
      truncated: false,
      outcome: "succeeded",
      attempts: 3,
      calls: 3,
      waitedMs: 6000,
      patienceMs: null,
      elapsedMs: 6000,
      targets: [target],
      history: [
        { attempt: 1, target, kind: "overloaded", status: 503, waitedMs: 2000 },
        { attempt: 2, target, kind: "server", status: 502, waitedMs: 4000 },
        { attempt: 3, target },
      ],
      warnings: [],
    });
  });

  test("B4: a failure without a retry has one record and no wait", async () => {
    const world = new World();
    const { receipt } = await world.run(world.script(fails(400, "bad")));
    expect(receipt).toMatchObject({
      complete: false,
      truncated: false,
      outcome: "not-retryable",
      attempts: 1,
      waitedMs: 0,
    });
    expect(receipt.history).toEqual([
      { attempt: 1, target: { provider: "", model: "", credential: "" }, kind: "bad_request", status: 400 },
    ]);
  });

  test("B4: a generation that retries for hours remembers its last fifty attempts", async () => {
    const world = new World();
    const steps = Array.from({ length: 120 }, () => fails(503));
    const { receipt } = await world.run(world.script(...steps, answer()), { policy: consolePolicy() });
    expect(receipt.attempts).toBe(121);
    expect(receipt.history).toHaveLength(51);
    expect(receipt.history[0]).toMatchObject({ attempt: 71 });
    expect(receipt.history.at(-1)).toMatchObject({ attempt: 121 });
  });

  test("B4: the final event carries the same receipt as the result", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(400, "no")));
    expect(world.event("generation-end")).toMatchObject([{ receipt: result.receipt, failure: { message: "no" } }]);
  });
});

describe("a receipt as headers", () => {
  test("B4: has the same content as the object, in ASCII that can't end a header", async () => {
    const world = new World();
    const targets = [{ provider: "openai", model: "größe,\r\nx-evil: 1", credentials: ["k"] }];
    const { receipt } = await world.run(world.script(fails(503), answer()), {
      targets,
      policy: sessionPolicy(),
      id: "g7",
    });
    expect(receiptHeaders(receipt)).toEqual({
      "x-secondwind-id": "g7",
      "x-secondwind-complete": "true",
      "x-secondwind-truncated": "false",
      "x-secondwind-outcome": "succeeded",
      "x-secondwind-attempts": "2",
      "x-secondwind-calls": "2",
      "x-secondwind-waited-ms": "2000",
      "x-secondwind-target": "openai/gr%C3%B6%C3%9Fe,%0D%0Ax-evil: 1 (k)",
    });
    expect(() => new Headers(receiptHeaders(receipt))).not.toThrow();
    expect(receiptHeaders({ ...receipt, patienceMs: 300_000 })).toEqual({
      ...receiptHeaders(receipt),
      "x-secondwind-patience-ms": "300000",
    });
  });
});

describe("handles", () => {
  test("B8: giving up during the attempt-end event of a good answer ends the generation once", async () => {
    const world = new World();
    const types: string[] = [];
    const result = await world.run(world.script(answer("fine")), {
      on: (event, generation) => {
        types.push(event.type);
        if (event.type === "attempt-end") generation.giveUp();
      },
    });
    expect(types).toEqual(["attempt-start", "attempt-end", "generation-end"]);
    expect(result).toMatchObject({ ok: false, reason: "gave-up" });
  });

  test("B8: giving up at a warning ends the generation once", async () => {
    const world = new World();
    // Without a content check in the ports, a pattern is inconclusive.
    const result = await world.run(world.script(answer("text")), {
      policy: { require: { pattern: "x" } },
      on: (event, generation) => {
        if (event.type === "warning") generation.giveUp();
        world.events.push(event);
      },
    });
    expect(result).toMatchObject({ ok: false, reason: "gave-up" });
    expect(world.event("generation-end")).toHaveLength(1);
  });

  test("B8: retry now ends the wait early, and the receipt contains the actual wait", async () => {
    const world = new World();
    const generation = world.start(world.script(fails(503), answer("soon")), { policy: patientPolicy() });
    await world.time.advance(1200);
    expect(generation.isWaiting).toBe(true);
    expect(generation.retryNow()).toBe(true);
    expect(generation.isWaiting).toBe(false);
    const result = await generation.result;
    expect(result).toMatchObject({ ok: true, value: "soon", receipt: { waitedMs: 1200 } });
    expect(world.startedAt).toEqual([0, 1200]);
    expect(world.event("wait-end")).toMatchObject([{ ended: "retry-now", waitedMs: 1200 }]);
    expect(world.time.sleeping).toBe(0);
  });

  test("B8: retry now does nothing when the generation does not wait", async () => {
    const world = new World();
    const generation = world.start(world.script(answer()));
    expect(generation.retryNow()).toBe(false);
    await generation.result;
    expect(generation.retryNow()).toBe(false);
    expect(world.startedAt).toEqual([0]);
  });

  test("B8: give up ends the wait for good and keeps the provider's error", async () => {
    const world = new World();
    const generation = world.start(world.script(fails(503, "Overloaded")), { policy: patientPolicy() });
    await world.time.advance(3000);
    expect(generation.giveUp()).toBe(true);
    expect(generation.giveUp()).toBe(false);
    const result = await generation.result;
    expect(result).toMatchObject({ ok: false, reason: "gave-up", failure: { message: "Overloaded" } });
    await world.time.advance(100_000);
    expect(world.startedAt).toEqual([0]);
    expect(world.event("wait-end")).toMatchObject([{ ended: "gave-up", waitedMs: 3000 }]);
  });

  test("B8: a listener can act on the generation that it hears of", async () => {
    const world = new World();
    const result = await world.run(world.script(fails(503), fails(503), answer("now")), {
      policy: patientPolicy(),
      on: (event, generation) => {
        if (event.type === "wait-start") generation.retryNow();
      },
    });
    expect(result).toMatchObject({ ok: true, value: "now", receipt: { attempts: 3, waitedMs: 0 } });
    expect(world.time.nowMs).toBe(0);
  });

  test("B8: a listener can give up in any event, and nothing more is started", async () => {
    for (const type of ["attempt-start", "attempt-end", "wait-start", "wait-end", "target-switch"]) {
      const world = new World();
      const ended: string[] = [];
      const result = await world.run(world.script(fails(429), fails(503), fails(503)), {
        policy: sessionPolicy(),
        targets: [
          { provider: "a", model: "one" },
          { provider: "b", model: "two" },
        ],
        on: (event, generation) => {
          if (event.type === type) generation.giveUp();
          if (event.type === "generation-end") ended.push(event.receipt.outcome);
        },
      });
      expect(result, type).toMatchObject({ ok: false, reason: "gave-up" });
      expect(ended, type).toEqual(["gave-up"]);
      expect(world.time.sleeping, type).toBe(0);
    }
  });
});
