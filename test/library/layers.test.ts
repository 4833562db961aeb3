import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import {
  type Call,
  MemoryHealth,
  type PolicyInput,
  type Resilient,
  receiptHeaders,
  receiptOf,
  resilient,
  run,
  SecondwindError,
  stream,
} from "../../src/index.ts";
import { httpError, read, World } from "../support/world.ts";

const FIXED: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1000, atMost: 3 } } };
const TARGETS = [
  { provider: "a", model: "m" },
  { provider: "b", model: "n" },
];

/** A world with a call that always fails, after it has taken some time, and a count of the calls. */
function failing(status = 503, takesMs = 0) {
  const world = new World();
  const { ports } = world;
  let calls = 0;
  const call = ({ signal }: { readonly signal: AbortSignal }): Promise<string> => {
    calls++;
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      if (takesMs === 0) return reject(httpError(status));
      const sleeper = { wakeAtMs: 0, slot: -1, wake: () => reject(httpError(status, `HTTP ${status}`)) };
      ports.sleep(sleeper, takesMs);
    });
  };
  const wrap = (inner: Call<[], string>, policy: PolicyInput = FIXED, options = {}): Resilient<[], string> =>
    resilient(inner, policy, { ports, ...options });
  /** A layer around another one: it passes its signal on. */
  const around = (inner: Resilient<[], string>, policy?: PolicyInput, options = {}): Resilient<[], string> =>
    wrap(({ signal }) => inner.with({ signal })(), policy, options);
  const errorOf = (wrapped: () => Promise<string>): Promise<unknown> =>
    world.time.until(wrapped().catch((error: unknown) => error));
  return { world, ports, call, wrap, around, errorOf, calls: () => calls };
}

describe("layers", () => {
  test.each([0, 500, 40_000])(
    "B3: three layers around a call that fails after %i ms make no more calls than one",
    async (ms) => {
      const alone = failing(503, ms);
      await alone.errorOf(alone.wrap(alone.call, {}));
      const { call, wrap, around, errorOf, calls } = failing(503, ms);
      const error = await errorOf(around(around(wrap(call, {}), {}), {}));
      expect(alone.calls()).toBeGreaterThan(3);
      // Fewer if the limit for a whole call, which the outer layers have as well, is over first.
      expect(calls()).toBeLessThanOrEqual(alone.calls());
      expect(receiptOf(error)).toMatchObject({ attempts: 1, calls: calls() });
    },
  );

  test("B3: the error of the innermost layer comes through unchanged, with the calls in its receipt", async () => {
    const { call, wrap, around, errorOf, calls } = failing();
    const error = (await errorOf(around(around(wrap(call))))) as SecondwindError;
    expect(calls()).toBe(4);
    expect(error).toMatchObject({
      reason: "retries-exhausted",
      attempts: 4,
      calls: 4,
      failure: { kind: "overloaded" },
    });
    expect(error.message).toBe("HTTP 503 (retries-exhausted after 4 attempts; overloaded)");
    expect(receiptOf(error)).toMatchObject({ outcome: "given-up-below", attempts: 1, calls: 4 });
    expect(receiptHeaders(receiptOf(error) as SecondwindError["receipt"])).toMatchObject({
      "x-secondwind-attempts": "1",
      "x-secondwind-calls": "4",
    });
  });

  test("B3: the failure keeps the kind, the words, the status and the hint that the layer below found", async () => {
    const { ports, world, wrap } = failing();
    const inner = wrap(() => Promise.reject(httpError(429, "slow down", { "retry-after": "3" })));
    const result = await world.time.until(run(() => inner(), { ports, policy: FIXED }));
    expect(result).toMatchObject({
      ok: false,
      reason: "given-up-below",
      failure: { kind: "rate_limit", message: "slow down", status: 429, hintMs: 3000, below: { calls: 4 } },
      receipt: { attempts: 1, calls: 4, waitedMs: 0 },
    });
  });

  test("B3: a watchdog's finding below is not classified again", async () => {
    const { ports, world, wrap } = failing();
    const inner = wrap(() => new Promise(() => undefined), { ...FIXED, watchdog: { firstContentMs: 2000 } });
    const result = await world.time.until(run(() => inner(), { ports, policy: FIXED }));
    expect(result).toMatchObject({ failure: { kind: "silent", below: { calls: 4 } }, receipt: { calls: 4 } });
  });

  test("B3: goes on to another target, never back to one that was given up below", async () => {
    const { ports, world, wrap, call, calls } = failing();
    const inner = wrap(call);
    const tried: string[] = [];
    const outer = resilient(
      ({ target }) => {
        tried.push(target.model);
        return inner();
      },
      { ...FIXED, fallback: { cooldownMs: 1000 } },
      { ports, targets: TARGETS },
    );
    const error = (await world.time.until(outer().catch((thrown: unknown) => thrown))) as SecondwindError;
    expect(tried).toEqual(["m", "n"]);
    expect(error).toMatchObject({ reason: "given-up-below", attempts: 2, calls: calls() });
    expect(error.message).toBe("HTTP 503 (given-up-below after 2 attempts, 8 calls; overloaded)");
  });

  test("B3: waits for another target that cools down", async () => {
    const { ports, world, wrap, call } = failing();
    const health = new MemoryHealth();
    const [, b] = TARGETS;
    health.coolDown({ provider: "b", model: "n", credential: "" }, "model", ports.now() + 20_000);
    const inner = wrap(call);
    const result = await world.time.until(
      run(({ target }) => (target.model === b?.model ? "fine" : inner()), { ports, health, targets: TARGETS }),
    );
    expect(result).toMatchObject({ ok: true, value: "fine", receipt: { attempts: 2, calls: 5 } });
  });

  test("B3: a person who gives up below ends every layer, whatever targets are left", async () => {
    const { ports, world, wrap, call, calls } = failing();
    const inner = wrap(call);
    inner.subscribe((event, { giveUp }) => event.type === "wait-start" && giveUp());
    const result = await world.time.until(run(() => inner(), { ports, policy: FIXED, targets: TARGETS }));
    expect(result).toMatchObject({ ok: false, reason: "gave-up" });
    expect(calls()).toBe(1);
  });

  test("B3: an abort stays an abort, and its receipt has the calls below", async () => {
    const { world, wrap, around, call, calls } = failing();
    const controller = new AbortController();
    const outer = around(around(wrap(call)));
    const ending = outer
      .with({ signal: controller.signal })()
      .catch((error: unknown) => error);
    await world.time.advance(1500);
    expect(calls()).toBe(2);
    controller.abort(new Error("stopped by hand"));
    const error = await world.time.until(ending);
    expect(error).toBe(controller.signal.reason);
    expect(receiptOf(error)).toMatchObject({ outcome: "aborted", attempts: 1, calls: 2 });
  });

  test("B3: many generations that share one signal do not count each other's calls", async () => {
    const { world, wrap, around, call } = failing();
    const controller = new AbortController();
    const receipts: unknown[] = [];
    const plain = wrap(({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)), FIXED, {
      on: (event: { readonly type: string }) => event.type === "generation-end" && receipts.push(event),
    });
    const others = [around(wrap(call)), plain, around(wrap(call))].map((layer) =>
      layer
        .with({ signal: controller.signal })()
        .catch(() => undefined),
    );
    await world.time.advance(1500);
    controller.abort();
    await world.time.until(Promise.all(others));
    expect(receipts).toMatchObject([{ receipt: { attempts: 1, calls: 1 } }]);
  });

  test("B3: the time limit of the outer layer does not start the retries below again", async () => {
    const { wrap, around, call, errorOf, calls } = failing();
    const patient: PolicyInput = { schedules: { general: { type: "fixed", delayMs: 1000 } }, patienceMs: null };
    const outer = around(wrap(call, patient), { ...FIXED, watchdog: { firstContentMs: 5500 } });
    expect(await errorOf(outer)).toMatchObject({ failure: { kind: "silent" }, reason: "given-up-below" });
    expect(calls()).toBe(6);
  });

  test("B3: the time limit of the outer layer is retried if the layer below has made one call only", async () => {
    const { wrap, around, errorOf } = failing();
    let calls = 0;
    const inner = wrap(() => {
      calls++;
      return new Promise(() => undefined);
    });
    const error = await errorOf(around(inner, { ...FIXED, watchdog: { firstContentMs: 5000 } }));
    expect(error).toMatchObject({ reason: "retries-exhausted", attempts: 4, calls: 4 });
    expect(calls).toBe(4);
  });

  test("B3: what a layer below threw after one call is judged by the layer above", async () => {
    const { wrap, around, call, errorOf, calls } = failing();
    const error = await errorOf(around(wrap(call, { rules: { overloaded: "stop" } })));
    expect(error).toMatchObject({ attempts: 4, calls: 4 });
    expect(calls()).toBe(4);
  });

  test("B3: one error object that ends several calls stops no other call from being retried", async () => {
    const { ports, world } = failing();
    const shared = httpError(503, "the connection broke");
    let calls = 0;
    const once = resilient(() => Promise.reject(shared), { rules: { overloaded: "stop" } }, { ports });
    const patient = resilient(() => (calls++ === 0 ? Promise.reject(shared) : "fine"), FIXED, { ports });
    const both = Promise.allSettled([once(), patient()]);
    expect(await world.time.until(both)).toMatchObject([{ reason: shared }, { value: "fine" }]);
  });

  test("B3: a layer below that is switched off leaves the retries to the layer above", async () => {
    const { wrap, around, call, errorOf, calls } = failing();
    await errorOf(around(wrap(call, { enabled: false })));
    expect(calls()).toBe(4);
  });

  test("B3: a stream in a stream is not retried twice", async () => {
    const { ports, world } = failing();
    let calls = 0;
    const inner = () =>
      stream<string>(
        () => {
          calls++;
          throw httpError(503);
        },
        { ports, policy: FIXED },
      );
    const outer = stream<string>(inner, { ports, policy: FIXED });
    const { error } = await world.time.until(read(outer));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(calls).toBe(4);
    expect(outer.receipt).toMatchObject({ outcome: "given-up-below", attempts: 1, calls: 4 });
  });

  test("B3: a failed response of a layer below is not retried, and its calls count", async () => {
    const { ports, world } = failing();
    let calls = 0;
    const headers = { "x-secondwind-attempts": "2", "x-secondwind-calls": "7", "x-secondwind-outcome": "patience" };
    const fetched = () => {
      calls++;
      return new Response("overloaded", { status: 503, headers });
    };
    const result = await world.time.until(run(fetched, { ports, policy: FIXED }));
    expect(calls).toBe(1);
    expect(result).toMatchObject({ reason: "given-up-below", failure: { status: 503 }, receipt: { calls: 7 } });
  });

  // In real time: what the SDK does between two calls takes turns of the event loop that the virtual clock would not wait for.
  const SOON = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } } } as const;

  test("B3: the official SDK around a fetch of ours: its wrapped error is not retried again", async () => {
    let calls = 0;
    const inner = resilient((): Promise<Response> => {
      calls++;
      return Promise.reject(httpError(503));
    }, SOON);
    const client = new OpenAI({ apiKey: "k", maxRetries: 0, fetch: () => inner() });
    const result = await run(() => client.responses.create({ model: "m", input: "?" }), { policy: SOON });
    expect(calls).toBe(4);
    expect(result).toMatchObject({
      reason: "given-up-below",
      failure: { kind: "overloaded", status: 503, message: "HTTP 503", cause: expect.any(OpenAI.APIConnectionError) },
      receipt: { attempts: 1, calls: 4 },
    });
  });

  test("B3: the official SDK around a final answer of ours: the headers end both its retries and ours", async () => {
    let calls = 0;
    const headers = { "x-should-retry": "false", "x-secondwind-attempts": "6", "x-secondwind-outcome": "patience" };
    const answer = async (): Promise<Response> => {
      calls++;
      return new Response('{"error":{"message":"busy"}}', { status: 503, headers });
    };
    const client = new OpenAI({ apiKey: "k", maxRetries: 2, fetch: answer });
    const always = { ...SOON, rules: { overloaded: { action: "retry", when: "always" } } } as const;
    const result = await run(() => client.responses.create({ model: "m", input: "?" }), { policy: always });
    expect(calls).toBe(1);
    expect(result).toMatchObject({ reason: "given-up-below", receipt: { attempts: 1, calls: 6 } });
  });
});
