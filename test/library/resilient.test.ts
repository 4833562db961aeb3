import { describe, expect, test } from "vitest";
import {
  type GenerationEvent,
  InvalidInput,
  receiptOf,
  resilient,
  SecondwindError,
  sessionPolicy,
} from "../../src/index.ts";
import { httpError, World } from "../support/world.ts";

describe("resilient", () => {
  test("E20: the wrapped call takes the same arguments and gives the same answer", async () => {
    const world = new World();
    const add = resilient((_context, a: number, b: number) => a + b, undefined, { ports: world.ports });
    expect(await add(2, 3)).toBe(5);
    const nothing = resilient(async () => "no arguments", undefined, { ports: world.ports });
    expect(await nothing()).toBe("no arguments");
  });

  test("E4: carries a call through a fault that passes", async () => {
    const world = new World();
    let calls = 0;
    const ask = resilient(
      (context, question: string) => {
        if (++calls === 1) throw httpError(503);
        return `${question} → attempt ${context.attempt}`;
      },
      sessionPolicy(),
      { ports: world.ports },
    );
    expect(await world.time.until(ask("why?"))).toBe("why? → attempt 2");
    expect(world.time.nowMs).toBe(2000);
  });

  test.each([
    [null, 1],
    [{}, 2],
  ])(
    "E11: with the retry budget %j a retry reads the clock %i times, and a call that succeeds at first does not",
    async (budget, expected) => {
      let reads = 0;
      const world = new World();
      const now = (): number => {
        reads++;
        return world.ports.now();
      };
      let calls = 0;
      const ask = resilient(
        async () => {
          if (++calls === 1) throw httpError(503);
          return "ok";
        },
        { schedules: { general: { type: "fixed", delayMs: 5, atMost: 2 } }, budget },
        { ports: { ...world.ports, now } },
      );
      expect(await world.time.until(ask())).toBe("ok");
      expect([calls, reads]).toEqual([2, expected]);
      expect(await ask()).toBe("ok");
      expect(reads).toBe(expected);
    },
  );

  test("E11: calls that fail together read the clock once and wait from the same moment; later ones read it anew", async () => {
    let reads = 0;
    const world = new World();
    const now = (): number => {
      reads++;
      return world.ports.now();
    };
    const startedAt: number[] = [];
    const ask = resilient(
      async (context) => {
        startedAt.push(world.time.nowMs);
        if (context.attempt === 1) throw httpError(503);
        return "ok";
      },
      { schedules: { general: { type: "fixed", delayMs: 5, atMost: 2 } }, breaker: null, budget: null },
      { ports: { ...world.ports, now } },
    );
    await world.time.until(Promise.all([ask(), ask(), ask()]));
    expect(reads).toBe(1);
    await world.time.until(Promise.all([ask(), ask()]));
    expect(reads).toBe(2);
    expect(startedAt).toEqual([0, 0, 0, 5, 5, 5, 5, 5, 10, 10]);
  });

  test("E2: throws the original error, untouched, if nothing was retried", async () => {
    const world = new World();
    const original = httpError(400, "bad");
    const ask = resilient(
      () => {
        throw original;
      },
      undefined,
      { ports: world.ports },
    );
    await expect(ask()).rejects.toBe(original);
    expect(receiptOf(original)).toMatchObject({ outcome: "not-retryable", attempts: 1 });
  });

  test("B4: throws one error with reason, attempts, cause and receipt after retries", async () => {
    const world = new World();
    const original = httpError(503, "Overloaded");
    const ask = resilient(
      () => {
        throw original;
      },
      sessionPolicy(),
      { ports: world.ports },
    );
    const error = await world.time.until(ask().catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(error).toMatchObject({
      name: "SecondwindError",
      message: "Overloaded (retries-exhausted after 4 attempts; overloaded)",
      reason: "retries-exhausted",
      attempts: 4,
      cause: original,
      failure: { kind: "overloaded", status: 503 },
      receipt: { attempts: 4, waitedMs: 14_000, elapsedMs: 14_000 },
    });
    expect(receiptOf(error)).toBe((error as SecondwindError).receipt);
    expect(receiptOf(new Error("of somebody else"))).toBeUndefined();
    expect(receiptOf("no object")).toBeUndefined();
  });

  test("E15: what the engine found by itself is its own error, even at the first attempt", async () => {
    const world = new World();
    const ask = resilient(
      () => new Promise(() => undefined),
      { schedules: { general: { type: "fixed", delayMs: 0, atMost: 0 } } },
      { ports: world.ports },
    );
    const error = await world.time.until(ask().catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({
      name: "SecondwindError",
      reason: "retries-exhausted",
      message: "No content within 5 min (retries-exhausted after 1 attempt; silent)",
    });
  });

  test("E13: an abort rejects with the signal's own reason, as fetch does", async () => {
    const world = new World();
    const ask = resilient(() => new Promise(() => undefined), undefined, { ports: world.ports });
    const controller = new AbortController();
    const pending = ask.with({ signal: controller.signal, id: "named" })();
    controller.abort(new Error("the user left"));
    await expect(pending).rejects.toThrow("the user left");

    const silent = new AbortController();
    const other = ask.with({ signal: silent.signal })();
    silent.abort();
    await expect(other).rejects.toMatchObject({ name: "AbortError" });
  });

  test("B8: giving up by hand rejects with the reason", async () => {
    const world = new World();
    const ask = resilient(
      () => {
        throw httpError(503, "Overloaded");
      },
      sessionPolicy(),
      { ports: world.ports, on: (event, generation) => event.type === "wait-start" && generation.giveUp() },
    );
    await expect(ask()).rejects.toThrow("Overloaded");
  });

  test("E12: subscriptions come and go; a broken one does not disturb the others", async () => {
    const world = new World();
    const first: GenerationEvent["type"][] = [];
    const second: GenerationEvent["type"][] = [];
    const ask = resilient(() => "fine", undefined, { ports: world.ports, on: (event) => first.push(event.type) });
    const unsubscribeBroken = ask.subscribe(() => {
      throw new Error("broken");
    });
    const unsubscribe = ask.subscribe((event) => second.push(event.type));
    await ask();
    unsubscribe();
    unsubscribeBroken();
    await ask();
    expect(first).toHaveLength(6);
    expect(second).toEqual(["attempt-start", "attempt-end", "generation-end"]);
    expect(world.time.faults).toHaveLength(3);
    expect(ask.policy.name).toBe("default");
  });

  test("B5: calls of one wrapper share what they learned; two wrappers do not", async () => {
    const world = new World();
    let calls = 0;
    const call = () => {
      calls++;
      throw httpError(503);
    };
    const policy = {
      breaker: { failures: 1, cooldownMs: 50_000 },
      maxDelayMs: 1000,
      schedules: { general: { type: "fixed", delayMs: 0, atMost: 0 } },
    } as const;
    const one = resilient(call, policy, { ports: world.ports });
    const two = resilient(call, policy, { ports: world.ports });
    await one().catch(() => undefined);
    await expect(one()).rejects.toThrow("API unavailable (circuit breaker triggered)");
    expect(calls).toBe(1);
    await two().catch(() => undefined);
    expect(calls).toBe(2);
  });

  test("E2: invalid options throw InvalidInput with the field, the value and what is allowed", () => {
    const call = () => 1;
    const cases: [() => unknown, string][] = [
      [() => resilient("call" as never), 'call must be a function; got "call"'],
      [() => resilient(call, 7 as never), "policy must be an object; got 7"],
      [() => resilient(call, { maxDelay: 5 } as never), "policy.maxDelay must be omitted"],
      [() => resilient(call, undefined, null as never), "options must be an object; got null"],
      [() => resilient(call, undefined, { target: [] } as never), "options.target must be omitted"],
      [() => resilient(call, undefined, { targets: "gpt" as never }), 'targets must be an array; got "gpt"'],
      [() => resilient(call, undefined, { health: null as never }), "options.health must be an object; got null"],
      [
        () => resilient(call).with({ signal: { aborted: false } as never }),
        "options.signal must be an AbortSignal; got an object",
      ],
      [() => resilient(call, undefined, { on: 1 as never }), "options.on must be a function; got 1"],
      [() => resilient(call, undefined, { textOf: "x" as never }), 'options.textOf must be a function; got "x"'],
      [
        () => resilient(call, undefined, { cancelGraceMs: -1 }),
        "options.cancelGraceMs must be a number from 0 to 2147483647; got -1",
      ],
      [
        () => resilient(call, undefined, { health: { isQuiet: true } as never }),
        "options.health.blockedForMs must be a function; got undefined",
      ],
      [() => resilient(call, undefined, { ports: { now: 1 } as never }), "options.ports.now must be a function; got 1"],
      [() => resilient(call).with({ signal: "no" as never }), 'options.signal must be an AbortSignal; got "no"'],
      [() => resilient(call).with({ id: 5 as never }), "options.id must be a string; got 5"],
      [
        () => resilient(call).with({ timeout: 5 } as never),
        "options.timeout must be omitted (known fields: signal, id); got 5",
      ],
      [() => resilient(call).subscribe({} as never), "listener must be a function; got an object"],
    ];
    for (const [nonsense, message] of cases) {
      expect(nonsense).toThrow(InvalidInput);
      expect(nonsense).toThrow(message);
    }
  });
});
