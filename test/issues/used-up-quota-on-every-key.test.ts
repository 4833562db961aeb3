import { describe, expect, test } from "vitest";
import {
  type AttemptContext,
  backgroundPolicy,
  consolePolicy,
  defaultPolicy,
  definePolicy,
  MemoryHealth,
  patientPolicy,
  type RunOptions,
  sessionPolicy,
  tavernPolicy,
} from "../../src/index.ts";
import { SessionWorld } from "../session/sessions.ts";
import { emits, says } from "../support/scripted-provider.ts";
import { httpError, World } from "../support/world.ts";

const QUOTA = "You exceeded your current quota, please check your plan and billing details.";
const CHAIN = [
  { provider: "openai", model: "big", credentials: ["k1", "k2"] },
  { provider: "other", model: "small", credentials: ["k3"] },
];

/** Each key's hint in seconds; 0: its quota is used up without a hint; none: it answers. */
type Keys = Readonly<Record<string, number>>;

/** Runs one generation on these keys. A key with a hint answers once that time has passed. */
async function carry(keys: Keys, options: RunOptions) {
  const world = new World();
  const tried: string[] = [];
  const call = world.script(({ target: { credential } }: AttemptContext) => {
    tried.push(credential);
    const seconds = keys[credential];
    if (seconds === undefined || (seconds > 0 && world.time.nowMs >= seconds * 1000)) return credential;
    const error = httpError(429, QUOTA, seconds === 0 ? {} : { "retry-after": String(seconds) });
    // Without the code, a short hint makes it a rate limit.
    throw Object.assign(error, { code: "insufficient_quota" });
  });
  const result = await world.run(call, { targets: CHAIN, ...options });
  return { result, tried, tookMs: world.time.nowMs };
}

describe.each([
  ["default", defaultPolicy()],
  ["background", backgroundPolicy()],
  ["session", sessionPolicy()],
  ["console", consolePolicy()],
  ["neutral", definePolicy({})],
])("E17: a used-up quota that does not say when it returns, with the policy %s", (_, policy) => {
  test("E17: on every key and model, ends the generation at once with the provider's error", async () => {
    const { result, tried, tookMs } = await carry({ k1: 0, k2: 0, k3: 0 }, { policy });
    expect(result).toMatchObject({
      ok: false,
      reason: "not-retryable",
      failure: { kind: "usage_limit", status: 429, message: QUOTA },
    });
    expect(tried).toEqual(["k1", "k2", "k3"]);
    expect(tookMs).toBe(0);
  });

  test("E17: ends the next generation at once as well, with the provider's error after one call", async () => {
    const health = new MemoryHealth();
    const keys = { k1: 0, k2: 0, k3: 0 };
    await carry(keys, { policy, health });
    const { result, tried, tookMs } = await carry(keys, { policy, health });
    expect(result).toMatchObject({
      ok: false,
      reason: "not-retryable",
      failure: { kind: "usage_limit", message: QUOTA },
    });
    expect(tried).toHaveLength(1);
    expect(tookMs).toBe(0);
  });

  test("E17: does not lock out a key whose quota has returned", async () => {
    const health = new MemoryHealth();
    await carry({ k1: 0, k2: 0, k3: 0 }, { policy, health });
    const { result, tookMs } = await carry({}, { policy, health });
    expect(result.ok).toBe(true);
    expect(tookMs).toBe(0);
  });

  test("E17: is skipped by the next generation while another key is free", async () => {
    const health = new MemoryHealth();
    await carry({ k1: 0 }, { policy, health });
    expect((await carry({ k1: 0 }, { policy, health })).tried).toEqual(["k2"]);
  });

  test("E17: on the only key, ends at once", async () => {
    const targets = [{ provider: "openai", model: "big", credentials: ["k1"] }];
    expect(await carry({ k1: 0 }, { policy, targets })).toMatchObject({
      tried: ["k1"],
      tookMs: 0,
      result: { ok: false },
    });
  });
});

describe.each([
  ["default", defaultPolicy()],
  ["background", backgroundPolicy()],
  ["session", sessionPolicy()],
])("E17, S5: a quota that says when it returns beside one that does not, with the policy %s", (_, policy) => {
  const targets = [{ provider: "openai", model: "big", credentials: ["k1", "k2"] }];

  test.each([
    ["first", { k1: 20, k2: 0 }, "k1"],
    ["second", { k1: 0, k2: 20 }, "k2"],
  ])("E17: waits for the %s key", async (_, keys, value) => {
    const { result, tried, tookMs } = await carry(keys, { policy, targets });
    expect(result).toMatchObject({ ok: true, value });
    expect(tried).toEqual(["k1", "k2", value]);
    expect(tookMs).toBe(20_000);
  });

  test("E17: the next generation waits for that key as well", async () => {
    const health = new MemoryHealth();
    health.refuse({ provider: "openai", model: "big", credential: "k1" }, "credential", 60_000, "usage_limit");
    health.coolDown({ provider: "openai", model: "big", credential: "k2" }, "credential", 20_000);
    const { result, tried, tookMs } = await carry({ k1: 0 }, { policy, targets, health });
    expect(result).toMatchObject({ ok: true, value: "k2" });
    expect(tried).toEqual(["k2"]);
    expect(tookMs).toBe(20_000);
  });

  test("E18: a quota that returns after the cap ends at once", async () => {
    const { result, tookMs } = await carry({ k1: 3600, k2: 0 }, { policy, targets });
    expect(result.ok).toBe(false);
    expect(tookMs).toBe(0);
  });
});

test("E17: a wait for another key says that the first one's quota is used up", async () => {
  const world = new World();
  const health = new MemoryHealth();
  const targets = [{ provider: "openai", model: "big", credentials: ["k1", "k2"] }];
  health.refuse({ provider: "openai", model: "big", credential: "k1" }, "credential", 60_000, "usage_limit");
  health.coolDown({ provider: "openai", model: "big", credential: "k2" }, "credential", 20_000);
  await world.run(
    world.script(() => "there"),
    { targets, health },
  );
  const [wait] = world.event("wait-start");
  expect(wait?.failure).toMatchObject({ kind: "usage_limit", evidence: "health:used-up", retryable: false });
});

test("T3: the tavern preset still waits for a used-up quota like for a rate limit", async () => {
  const targets = [{ provider: "openai", model: "big" }];
  const { tried, tookMs } = await carry({ "": 0 }, { policy: tavernPolicy(), targets });
  expect(tried).toHaveLength(6);
  expect(tookMs).toBe(150_000);
});

test("K8: the patient preset still retries a used-up quota on its schedule, and returns to the first key", async () => {
  const targets = [{ provider: "openai", model: "big", credentials: ["k1", "k2"] }];
  const { tried, tookMs } = await carry({ k1: 0, k2: 0 }, { policy: patientPolicy(), targets });
  expect(tookMs).toBe(27_105_000);
  expect(tried.slice(2)).toContain("k1");
});

describe("S5: a session", () => {
  const limit = (headers?: Record<string, string>) => emits(429, `HTTP 429: ${QUOTA}`, headers);

  test("E17, S5: with every key and model used up, ends the prompt at once, and the next one too", async () => {
    const world = new SessionWorld();
    world.settings = { fallbackChains: { default: ["acme/large", "other/big"] } };
    const acme = world.provider("acme", [limit()], ["a", "b"]);
    const other = world.provider("other", [limit()]);
    const session = await world.open();
    for (const prompt of ["One", "Two"]) {
      const ended = await world.time.until(session.prompt(prompt));
      expect(ended).toMatchObject({ status: "error", error: `HTTP 429: ${QUOTA}` });
      expect(world.time.nowMs).toBe(0);
    }
    expect([acme.requests.length, other.requests.length]).toEqual([3, 1]);
  });

  test("S5: waits for the key that says when it returns", async () => {
    const world = new SessionWorld();
    const acme = world.provider("acme", [limit({ "retry-after": "60" }), limit(), says("there")], ["a", "b"]);
    const session = await world.open();
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(acme.startedAt).toEqual([0, 0, 60_000]);
    expect(acme.requests.map(({ credential }) => credential)).toEqual(["a", "b", "a"]);
  });
});
