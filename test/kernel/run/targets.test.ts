import { describe, expect, test } from "vitest";
import {
  type AttemptContext,
  definePolicy,
  MemoryHealth,
  type PolicyInput,
  type Result,
  sessionPolicy,
  tavernPolicy,
} from "../../../src/index.ts";
import { answer, fails, httpError, World } from "../../support/world.ts";

const QUOTA = "You exceeded your current quota, please check your plan and billing details.";

const CHAIN = [
  { provider: "openai", model: "big", credentials: ["k1", "k2"] },
  { provider: "anthropic", model: "other", credentials: ["k3"] },
];

/** Fails for the targets that are named with what is given for them, answers for the others. */
function world(problems: Record<string, () => unknown>) {
  const inner = new World();
  const tried: string[] = [];
  const call = inner.script(({ target }: AttemptContext) => {
    const name = `${target.model}/${target.credential}`;
    tried.push(name);
    const problem = problems[name];
    if (problem === undefined) return `answer of ${name}`;
    throw problem();
  });
  return { inner, tried, call };
}

const quota = () => httpError(429, QUOTA);
const overloaded = () => httpError(529, "Overloaded");

describe("moving on", () => {
  test("E17: a usage limit tries another credential of the same model first, at once", async () => {
    const { inner, tried, call } = world({ "big/k1": quota });
    const result = await inner.run(call, { policy: sessionPolicy(), targets: CHAIN });
    expect(result).toMatchObject({ ok: true, value: "answer of big/k2" });
    expect(tried).toEqual(["big/k1", "big/k2"]);
    expect(inner.time.nowMs).toBe(0);
    expect(inner.event("target-switch")).toMatchObject([
      { how: "rotate", from: { credential: "k1" }, to: { credential: "k2" }, failure: { kind: "usage_limit" } },
    ]);
  });

  test("E17: then the next model of the chain, at once", async () => {
    const { inner, tried, call } = world({ "big/k1": quota, "big/k2": quota });
    const result = await inner.run(call, { policy: sessionPolicy(), targets: CHAIN });
    expect(result).toMatchObject({ ok: true, value: "answer of other/k3" });
    expect(tried).toEqual(["big/k1", "big/k2", "other/k3"]);
    expect(inner.time.nowMs).toBe(0);
    expect(inner.event("target-switch").map((event) => event.how)).toEqual(["rotate", "switch"]);
  });

  test("S5: with everything limited a session waits for the earliest, if that is within the cap", async () => {
    const hinted = (seconds: number) => () => httpError(429, `${QUOTA} Please try again in ${seconds}s`);
    const inner = new World();
    let calls = 0;
    const result = await inner.run(
      inner.script(({ target }) => {
        if (++calls > 3) return `answer of ${target.credential}`;
        throw hinted({ k1: 90, k2: 20, k3: 60 }[target.credential] ?? 0)();
      }),
      { policy: sessionPolicy(), targets: CHAIN },
    );
    expect(result).toMatchObject({ ok: true, value: "answer of k2" });
    expect(inner.startedAt).toEqual([0, 0, 0, 20_000]);
  });

  test("E17: a key that is limited for one model may still answer for the next", async () => {
    const chain = ["opus", "haiku"].map((model) => ({ provider: "anthropic", model, credentials: ["k1"] }));
    const { inner, tried, call } = world({ "opus/k1": quota });
    const result = await inner.run(call, { policy: sessionPolicy(), targets: chain });
    expect(result).toMatchObject({ ok: true, value: "answer of haiku/k1" });
    expect(tried).toEqual(["opus/k1", "haiku/k1"]);
    expect(inner.time.nowMs).toBe(0);
  });

  test("E17: failures that only another target can cure go straight to the next one, and end where there is none", async () => {
    for (const status of [401, 403, 404]) {
      const { inner, tried, call } = world({ "big/k1": () => httpError(status), "big/k2": () => httpError(status) });
      const result = await inner.run(call, { policy: tavernPolicy(), targets: CHAIN });
      expect(result).toMatchObject({ ok: true, value: "answer of other/k3" });
      expect(tried.at(-1)).toBe("other/k3");
      expect(inner.time.nowMs).toBe(0);

      const alone = new World();
      const failed = await alone.run(alone.script(fails(status)), { policy: tavernPolicy() });
      expect(failed).toMatchObject({ ok: false, reason: "not-retryable", receipt: { attempts: 1 } });
    }
  });

  test("E17: immediate fallback leaves a failing model without a wait", async () => {
    const { inner, tried, call } = world({ "big/k1": overloaded });
    await inner.run(call, { policy: sessionPolicy(), targets: CHAIN });
    expect(tried).toEqual(["big/k1", "other/k3"]);
    expect(inner.time.nowMs).toBe(0);
  });

  test("T7: after its retries each fallback gets its tries in all, then the last error", async () => {
    const bad = () => httpError(502);
    const { inner, tried, call } = world({ "one/": bad, "two/": bad, "three/": bad });
    const targets = ["one", "two", "three"].map((model) => ({ provider: "p", model }));
    const result = await inner.run(call, { policy: tavernPolicy(), targets });
    expect(tried).toEqual([...Array(4).fill("one/"), ...Array(3).fill("two/"), ...Array(3).fill("three/")]);
    expect(inner.startedAt).toEqual([0, 1000, 2500, 4750, 4750, 5750, 7250, 7250, 8250, 9750]);
    expect(result).toMatchObject({ ok: false, reason: "retries-exhausted", receipt: { attempts: 10 } });
    expect(result.receipt.targets.map((target) => target.model)).toEqual(["one", "two", "three"]);
  });

  test("E17: long-wait stays for a short wait and moves on for a long one", async () => {
    const policy: PolicyInput = {
      fallback: { when: "long-wait", longWaitMs: 5000, patienceMs: null },
      schedules: { general: { type: "fixed", delayMs: 1000, atMost: 3 } },
    };
    const short = world({ "big/k1": () => httpError(429, "slow down", { "retry-after": "5" }) });
    const generation = short.inner.start(short.call, { policy, targets: CHAIN });
    await short.inner.time.advance(4999);
    expect(short.tried).toEqual(["big/k1"]);
    await short.inner.time.until(generation.result);
    const long = world({ "big/k1": () => httpError(429, "slow down", { "retry-after": "6" }) });
    await long.inner.run(long.call, { policy, targets: CHAIN });
    expect(long.tried).toEqual(["big/k1", "big/k2"]);
    expect(long.inner.time.nowMs).toBe(0);
  });

  test("E17: the primary comes back when its cooldown is over by the end of a wait", async () => {
    const policy = definePolicy({
      fallback: { when: "immediate", cooldownMs: 3000 },
      schedules: { general: { type: "fixed", delayMs: 4000, atMost: 3 } },
    });
    const inner = new World();
    const tried: string[] = [];
    let calls = 0;
    const result = await inner.run(
      inner.script(({ target }) => {
        tried.push(target.model);
        if (++calls <= 2) throw overloaded();
        return target.model;
      }),
      { policy, targets: CHAIN },
    );
    expect(tried).toEqual(["big", "other", "big"]);
    expect(result).toMatchObject({ ok: true, value: "big" });
    expect(inner.event("target-switch").map((event) => event.how)).toEqual(["switch", "revert"]);
  });

  test("E17: with revert never it does not come back within a generation", async () => {
    const policy = definePolicy({
      fallback: { when: "immediate", cooldownMs: 3000, revert: "never" },
      schedules: { general: { type: "fixed", delayMs: 4000, atMost: 3 } },
    });
    const { inner, tried, call } = world({ "big/k1": overloaded, "big/k2": overloaded, "other/k3": overloaded });
    await inner.run(call, { policy, targets: CHAIN });
    expect(tried).toEqual(["big/k1", "other/k3", "other/k3", "other/k3", "other/k3"]);
  });

  test("E17: an unusable entry is skipped with a warning", async () => {
    const inner = new World();
    const targets = [{ provider: "openai", model: "big", credentials: [] }, ...CHAIN];
    const result = await inner.run(inner.script(answer("fine")), { targets });
    expect(result).toMatchObject({ ok: true });
    expect(result.receipt.warnings).toEqual(["targets[0] (openai/big) is skipped: it has no key"]);
    expect(result.receipt.targets).toEqual([{ provider: "openai", model: "big", credential: "k1" }]);
  });

  test("E17: without a usable target, the failure contains the reason, and no call is made", async () => {
    const inner = new World();
    const result = await inner.run(inner.script(answer()), {
      targets: [{ provider: "openai", model: "", credentials: ["k"] }],
    });
    expect(result).toMatchObject({
      ok: false,
      reason: "no-target",
      failure: { message: "No usable target: targets[0] (openai/) is skipped: it names no model" },
      receipt: { attempts: 0 },
    });
    expect(inner.startedAt).toEqual([]);
    expect(await inner.run(inner.script(answer()), { targets: [] })).toMatchObject({
      failure: { message: "No target was given" },
    });
  });
});

describe("what generations learn together", () => {
  test("T8: a generation that the filter leaves out is called as it is, whatever others have learned", async () => {
    const health = new MemoryHealth();
    const { inner, tried, call } = world({ "big/k1": () => httpError(529, "Overloaded") });
    const policy = { ...sessionPolicy(), filter: { mode: "blacklist", ids: ["left-out"] } } as const;
    await inner.run(call, { policy, targets: CHAIN, health });
    await inner.run(call, { policy, targets: CHAIN, health, id: "left-out" });
    expect(tried).toEqual(["big/k1", "other/k3", "big/k1"]);
  });

  test("S4: going round a target that is cooling down before the first call uses up no retry", async () => {
    const health = new MemoryHealth();
    const { inner, call } = world({ "big/k1": overloaded, "big/k2": overloaded });
    const options = { policy: sessionPolicy(), targets: CHAIN, health };
    await inner.run(call, options);
    const failing = world({ "other/k3": () => httpError(503) });
    const before = failing.inner.time.nowMs;
    await failing.inner.run(failing.call, options);
    expect(failing.tried).toEqual(["other/k3", "other/k3", "other/k3", "other/k3"]);
    expect(failing.inner.startedAt.map((at) => at - before)).toEqual([0, 2000, 6000, 14_000]);
  });

  test("B2: the first 500 of one target is not the second of another", async () => {
    const inner = new World();
    const tried: string[] = [];
    const result = await inner.run(
      inner.script(({ target }) => {
        tried.push(target.model);
        throw httpError(500, "the same words");
      }),
      {
        policy: definePolicy({
          sameServerError: 2,
          fallback: { when: "immediate" },
          schedules: { general: { type: "fixed", delayMs: 10, atMost: 9 } },
        }),
        targets: CHAIN,
      },
    );
    expect(result).toMatchObject({ ok: false, reason: "hopeless" });
    expect(tried).toEqual(["big", "other", "other"]);
  });

  test("E17: a generation skips a credential that an earlier one found limited, until the limit ends", async () => {
    const health = new MemoryHealth();
    const { inner, tried, call } = world({ "big/k1": () => httpError(429, `${QUOTA} Please try again in 1h`) });
    const options = { policy: sessionPolicy(), targets: CHAIN, health };
    await inner.run(call, options);
    await inner.run(call, options);
    expect(tried).toEqual(["big/k1", "big/k2", "big/k2"]);
    await inner.time.advance(3_600_000);
    await inner.run(call, options);
    expect(tried.slice(3)).toEqual(["big/k1", "big/k2"]);
  });

  test("B5: an open breaker holds new generations back until one probe may go", async () => {
    const health = new MemoryHealth();
    const policy = definePolicy({
      breaker: { failures: 2, cooldownMs: 10_000, maxCooldownMs: 60_000 },
      schedules: { general: { type: "fixed", delayMs: 1000, atMost: 5 } },
    });
    const inner = new World();
    const options = { policy, health, targets: [{ provider: "p", model: "m" }] };
    await inner.run(inner.script(fails(503), fails(503), answer()), options);
    // Opened at 1000 ms by the second failure, probed at 11000 ms by the third attempt, closed by its success.
    expect(inner.startedAt).toEqual([0, 1000, 11_000]);
    await inner.run(inner.script(answer()), options);
    expect(inner.startedAt.at(-1)).toBe(11_000);
  });

  test("C9: while the breaker is open and the wait exceeds the cap, no call is made and the error names the breaker", async () => {
    const health = new MemoryHealth();
    const policy = definePolicy({
      breaker: { failures: 1, cooldownMs: 10_000, maxCooldownMs: 60_000 },
      maxDelayMs: 5000,
      schedules: { general: { type: "fixed", delayMs: 1000, atMost: 5 } },
    });
    const inner = new World();
    const options = { policy, health, targets: [{ provider: "p", model: "m" }] };
    const first = await inner.run(inner.script(fails(503)), options);
    expect(first).toMatchObject({ ok: false, reason: "delay-cap", failure: { status: 503 } });
    const second = await inner.run(inner.script(answer()), options);
    expect(second).toMatchObject({
      ok: false,
      reason: "delay-cap",
      failure: {
        kind: "overloaded",
        message: "API unavailable (circuit breaker triggered)",
        evidence: "health:breaker",
      },
      receipt: { attempts: 0 },
    });
    expect(inner.startedAt).toEqual([0]);
  });

  test("B5: an aborted probe lets the next generation probe at once", async () => {
    const health = new MemoryHealth();
    const policy = definePolicy({
      breaker: { failures: 1, cooldownMs: 10_000, maxCooldownMs: 60_000 },
      schedules: { general: { type: "fixed", delayMs: 0, atMost: 0 } },
    });
    const inner = new World();
    const options = { policy, health, targets: [{ provider: "p", model: "m" }] };
    await inner.run(inner.script(fails(503)), options);
    await inner.time.advance(10_000);
    const probe = inner.start(() => new Promise(() => undefined), options);
    await inner.time.settle();
    probe.giveUp();
    await probe.result;
    expect(await inner.run(inner.script(answer("closed again")), options)).toMatchObject({ ok: true });
  });

  test("B5: with an empty retry budget a retry waits for room, for two minutes at most, and successes fill it again", async () => {
    const health = new MemoryHealth();
    const policy = definePolicy({
      budget: { capacity: 1, capacitySeconds: 0, refillPerSuccess: 0.5, refillPerSecond: 0 },
      schedules: { general: { type: "fixed", delayMs: 10, atMost: 3 } },
    });
    const inner = new World();
    const options = { policy, health, targets: [{ provider: "p", model: "m" }] };
    const twoMinutes = (result: Result<unknown>): void => {
      expect(result.receipt.waitedMs).toBeGreaterThan(118_000);
      expect(result.receipt.waitedMs).toBeLessThanOrEqual(120_020);
    };
    const first = await inner.run(inner.script(fails(503)), options);
    expect(first).toMatchObject({ ok: false, reason: "retry-budget", receipt: { attempts: 2 } });
    twoMinutes(first);
    const second = await inner.run(inner.script(fails(503)), options);
    expect(second).toMatchObject({ ok: false, reason: "retry-budget", receipt: { attempts: 1 } });
    twoMinutes(second);
    await inner.run(inner.script(answer()), options);
    await inner.run(inner.script(answer()), options);
    expect(await inner.run(inner.script(fails(503), answer()), options)).toMatchObject({
      ok: true,
      receipt: { attempts: 2, waitedMs: 10 },
    });
  });

  test("B5: with an empty retry budget a retry goes to another provider instead of waiting for room", async () => {
    const health = new MemoryHealth();
    const policy = definePolicy({
      budget: { capacity: 1, capacitySeconds: 0, refillPerSuccess: 0, refillPerSecond: 0 },
      fallback: { when: "long-wait", longWaitMs: 1000 },
      schedules: { general: { type: "fixed", delayMs: 10, atMost: 3 } },
    });
    const down = () => httpError(503);
    const { inner, tried, call } = world({ "big/k1": down, "big/k2": down, "mini/": down });
    const targets = [
      { provider: "p", model: "big", credentials: ["k1", "k2"] },
      { provider: "p", model: "mini" },
      { provider: "q", model: "other" },
    ];
    const result = await inner.run(call, { policy, health, targets });
    expect(result).toMatchObject({ ok: true, receipt: { attempts: 3, waitedMs: 20 } });
    expect(tried).toEqual(["big/k1", "big/k1", "other/"]);
    expect(inner.event("target-switch")).toMatchObject([
      { how: "switch", because: "there is no room to retry here, and another target is free" },
    ]);
  });
});
