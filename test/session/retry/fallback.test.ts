import { describe, expect, test } from "vitest";
import { AgentSession, createTools, type SessionParts } from "../../../src/session/index.ts";
import { chainFor, modelOf } from "../../../src/session/retry/chain-for.ts";
import { policyFor } from "../../../src/session/retry/policy-for.ts";
import type { Tool } from "../../../src/turn/index.ts";
import { readRetrySettings, retrySettingsSchema } from "../../../src/wire/index.ts";
import { calls, emits, says } from "../../support/scripted-provider.ts";
import { SessionWorld } from "../sessions.ts";

const QUOTA = "HTTP 429: You exceeded your current quota, please check your plan and billing details.";

function withChain(...chain: readonly string[]): SessionWorld {
  const world = new SessionWorld();
  world.settings = { fallbackChains: { default: chain } };
  return world;
}

describe("fallback", () => {
  test("S4b: the chain of a role starts after the current model", () => {
    const settings = retrySettingsSchema.parse({
      fallbackChains: { default: ["a/1", "b/2", "c/3"], small: ["d/4"] },
    });
    expect(chainFor("default", "a/1", settings)).toEqual(["a/1", "b/2", "c/3"]);
    expect(chainFor("default", "b/2", settings)).toEqual(["b/2", "c/3"]);
    expect(chainFor("default", "c/3", settings)).toEqual(["c/3"]);
    expect(chainFor("default", "x/9", settings)).toEqual(["x/9", "a/1", "b/2", "c/3"]);
    expect(chainFor("small", "d/4", settings)).toEqual(["d/4"]);
    expect(chainFor("vision", "d/4", settings)).toEqual(["d/4"]);
  });

  test.each(["constructor", "toString", "__proto__"])("S4b: %s is a role like any other", async (role) => {
    const none = retrySettingsSchema.parse({});
    expect(chainFor(role, "a/1", none)).toEqual(["a/1"]);
    expect(modelOf(role, "a/1", none)).toBe("a/1");
    const chains = Object.fromEntries([[role, ["b/2", "c/3"]]]);
    expect(chainFor(role, "b/2", { ...none, fallbackChains: chains })).toEqual(["b/2", "c/3"]);
    expect(modelOf(role, "a/1", { ...none, fallbackChains: chains })).toBe("b/2");
    const world = new SessionWorld();
    world.provider("acme", [calls(["a", "ask", { question: "Why?", role }]), says("because"), says("done")]);
    const session = await world.open({}, { tools: createTools(".") });
    await world.time.until(session.prompt("Hello"));
    expect(world.event("tool_end")).toMatchObject([{ content: "because", isError: false }]);
  });

  test.each(["constructor", "__proto__"])("C10: a provider named %s has its own policy or none", (provider) => {
    const settings = retrySettingsSchema.parse({});
    const maxDelayOf = (policies: SessionParts["policies"]): unknown =>
      policyFor(
        {
          parts: { ...new SessionWorld().parts(), ...(policies && { policies }) },
          options: {},
          settings,
          experience: undefined,
        },
        provider,
        () => undefined,
      ).policy.maxDelayMs;
    expect(maxDelayOf(Object.create({ [provider]: { maxDelayMs: 7 } }))).toBe(300_000);
    expect(maxDelayOf(Object.fromEntries([[provider, { maxDelayMs: 7 }]]))).toBe(7);
  });

  test("S5: a usage limit goes to another credential first, at once", async () => {
    const world = withChain("acme/large", "other/big");
    const acme = world.provider("acme", [emits(429, QUOTA), says("there")], ["key-1", "key-2"]);
    const other = world.provider("other", [says("never")]);
    const session = await world.open();
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(acme.requests.map(({ credential }) => credential)).toEqual(["key-1", "key-2"]);
    expect(other.requests).toHaveLength(0);
    expect(world.time.nowMs).toBe(0);
    expect(world.retries()).toMatchObject([
      { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 0, errorMessage: QUOTA },
      { type: "auto_retry_end", success: true, attempt: 1 },
    ]);
    // The limited key is left out of the next prompt as well.
    await world.time.until(session.prompt("Again"));
    expect(acme.requests.at(-1)?.credential).toBe("key-2");
  });

  test("E17, S5: a model that was refused is not waited for by the next prompt either", async () => {
    const world = withChain("acme/large", "other/big");
    const acme = world.provider("acme", [emits(404, "HTTP 404: no such model")]);
    const other = world.provider("other", [emits(429, "HTTP 429: slow down", { "retry-after": "600" })]);
    const session = await world.open();
    expect(await world.time.until(session.prompt("One"))).toMatchObject({
      status: "error",
      error: "HTTP 429: slow down",
    });
    expect(await world.time.until(session.prompt("Two"))).toMatchObject({
      status: "error",
      error: "HTTP 404: no such model",
    });
    expect([acme.requests.length, other.requests.length]).toEqual([2, 1]);
    expect(world.time.nowMs).toBe(0);
  });

  test("E18: a prompt that does not wait for a limit fails with the time left", async () => {
    const world = new SessionWorld();
    const acme = world.provider("acme", [says("never")]);
    world.health.coolDown({ provider: "acme", model: "large", credential: "key-1" }, "credential", 86_400_000);
    const session = await world.open();
    expect(await world.time.until(session.prompt("Hello"))).toMatchObject({
      status: "error",
      error: "The target is cooling down after an earlier limit, for another 24 h",
    });
    expect(acme.requests).toHaveLength(0);
  });

  test("S5, S6, S7: then switches to the next model at once; the change is stored and emitted", async () => {
    const world = withChain("acme/large", "other/big");
    world.provider("acme", [emits(429, QUOTA)]);
    const other = world.provider("other", [says("there")]);
    const session = await world.open();
    await world.time.until(session.prompt("Hello"));
    expect(other.requests[0]?.model).toBe("big");
    expect(world.time.nowMs).toBe(0);
    expect(world.retries()).toMatchObject([
      { type: "retry_fallback_applied", from: "acme/large", to: "other/big", role: "default" },
      { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 0, errorMessage: QUOTA },
      { type: "auto_retry_end", success: true, attempt: 1 },
      { type: "retry_fallback_succeeded", model: "other/big", role: "default" },
    ]);
    expect(world.kept("model_change").map(({ data }) => data)).toEqual([
      { from: "acme/large", to: "other/big", role: "default", reason: "fallback" },
    ]);
    expect(session.model).toBe("other/big");
  });

  test("S5: with everything limited the earliest is waited for, if it is within the cap", async () => {
    const world = withChain("acme/large", "other/big");
    const acme = world.provider("acme", [emits(429, QUOTA, { "retry-after": "120" }), says("back")]);
    world.provider("other", [emits(429, QUOTA, { "retry-after": "240" })]);
    const session = await world.open();
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(acme.startedAt).toEqual([0, 120_000]);
    expect(world.event("auto_retry_start").map(({ attempt, delayMs }) => [attempt, delayMs])).toEqual([
      [1, 0],
      [2, 120_000],
    ]);
  });

  test("S6: the primary is restored when its cooldown is over", async () => {
    const world = withChain("acme/large", "other/big");
    world.provider("acme", [emits(429, QUOTA, { "retry-after": "100" }), says("back")]);
    const other = world.provider("other", [says("there")]);
    const session = await world.open();
    await world.time.until(session.prompt("One"));
    await world.time.advance(50_000);
    await world.time.until(session.prompt("Two"));
    expect(session.model).toBe("other/big");
    // It has been the active model all along: nothing new to tell.
    expect(world.event("retry_fallback_applied")).toHaveLength(1);
    await world.time.advance(60_000);
    await world.time.until(session.prompt("Three"));
    expect(session.model).toBe("acme/large");
    expect(other.requests).toHaveLength(2);
    expect(world.event("model_change").map(({ to, reason }) => [to, reason])).toEqual([
      ["other/big", "fallback"],
      ["acme/large", "restored"],
    ]);
  });

  test("S6: with the policy never the primary does not return, and the chain continues from the fallback", async () => {
    const world = new SessionWorld();
    world.settings = {
      fallbackChains: { default: ["acme/large", "other/big", "third/one"] },
      fallbackRevertPolicy: "never",
    };
    const acme = world.provider("acme", [emits(429, QUOTA, { "retry-after": "10" }), says("never")]);
    world.provider("other", [says("there"), emits(429, QUOTA)]);
    const third = world.provider("third", [says("third")]);
    const session = await world.open();
    await world.time.until(session.prompt("One"));
    await world.time.advance(60_000);
    await world.time.until(session.prompt("Two"));
    expect(acme.requests).toHaveLength(1);
    expect(third.requests).toHaveLength(1);
    expect(session.model).toBe("third/one");
  });

  test("S4b: an entry that can't be used is skipped, with one warning", async () => {
    const world = withChain("acme/large", "nobody/knows", "other/big");
    world.provider("acme", [emits(401), says("back")]);
    world.provider("other", [says("there")]);
    const session = await world.open();
    await world.time.until(session.prompt("One"));
    await world.time.until(session.prompt("Two"));
    expect(world.event("warning")).toHaveLength(1);
    expect(world.event("warning")[0]?.message).toContain("nobody/knows");
    expect(session.model).toBe("other/big");
  });

  test("S8: a model that a person chooses counts from the next prompt on", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("one")]);
    const other = world.provider("other", [says("two")]);
    const session = await world.open();
    await session.setModel("other/big");
    await world.time.until(session.prompt("Hello"));
    expect(other.requests).toHaveLength(1);
    expect(world.kept("model_change")[0]?.data).toMatchObject({
      from: "acme/large",
      to: "other/big",
      reason: "chosen",
    });
    await expect(session.setModel("nobody/knows")).rejects.toThrow(/known provider \(acme, other\)/);
    await expect(session.setModel("nonsense")).rejects.toThrow("provider/model");
  });

  test("S5: a key whose wait is over the cap is marked as limited, though the prompt ends with it", async () => {
    const world = new SessionWorld();
    const long = emits(429, QUOTA, { "retry-after": "3600" });
    const acme = world.provider("acme", [long, emits(429, QUOTA, { "retry-after": "7200" }), says("back")], ["a", "b"]);
    const session = await world.open();
    expect(await world.time.until(session.prompt("One"))).toMatchObject({ status: "error", error: QUOTA });
    expect(acme.requests.map(({ credential }) => credential)).toEqual(["a", "b"]);
    // Both are known to be limited for longer than anybody waits: no call is made for nothing.
    expect(await world.time.until(session.prompt("Two"))).toMatchObject({ status: "error" });
    expect(acme.requests).toHaveLength(2);
    await world.time.advance(3_600_000);
    expect(await world.time.until(session.prompt("Three"))).toMatchObject({ status: "done" });
    expect(acme.requests.at(-1)?.credential).toBe("a");
  });

  test("S5: the last key of a prompt that runs out of retries is marked, and the next prompt begins with a free one", async () => {
    const world = new SessionWorld();
    world.settings = { maxRetries: 1 };
    const acme = world.provider("acme", [emits(429, QUOTA), emits(429, QUOTA), says("there")], ["a", "b", "c"]);
    const session = await world.open();
    expect(await world.time.until(session.prompt("One"))).toMatchObject({ status: "error" });
    expect(await world.time.until(session.prompt("Two"))).toMatchObject({ status: "done" });
    expect(acme.requests.map(({ credential }) => credential)).toEqual(["a", "b", "c"]);
  });

  test("S5: a key that is waited for is left alone by other sessions meanwhile", async () => {
    const world = new SessionWorld();
    const limit = (seconds: string) => emits(429, QUOTA, { "retry-after": seconds });
    const acme = world.provider("acme", [limit("9"), limit("5"), says("there")], ["a", "b"]);
    const first = (await world.open()).prompt("One");
    await world.time.advance(1000);
    expect(acme.startedAt).toEqual([0, 0]);
    const second = (await world.open({ conversationId: "c2" })).prompt("Two");
    await world.time.until(Promise.all([first, second]));
    expect(acme.startedAt).toEqual([0, 0, 5000, 5000]);
  });

  test("S5: two sessions share what they learned about a key", async () => {
    const world = withChain("acme/large", "other/big");
    const acme = world.provider("acme", [emits(429, QUOTA), says("never")]);
    world.provider("other", [says("there")]);
    const first = await world.open();
    await world.time.until(first.prompt("Hello"));
    const second = await world.open({ conversationId: "c2" });
    await world.time.until(second.prompt("Hello"));
    expect(acme.requests).toHaveLength(1);
    expect(second.model).toBe("other/big");
  });
});

describe("fallback of calls beside the conversation", () => {
  test("S4b, C11: the role small has its own chain, and its moves do not change the session's model", async () => {
    const world = new SessionWorld();
    world.settings = { fallbackChains: { default: ["acme/large"], small: ["nonsense", "mini/one", "tiny/one"] } };
    world.provider("acme", [calls(["a", "ask"]), says("done")]);
    world.provider("mini", [emits(429, QUOTA)]);
    world.provider("tiny", [says("small answer")]);
    const ask: Tool = {
      spec: { name: "ask", description: "", parameters: {} },
      run: (_, context) => context.ask({ prompt: "And?", role: "small" }),
    };
    const session = await world.open({}, { tools: [ask] });
    await world.time.until(session.prompt("Hello"));
    expect(world.retries()).toMatchObject([
      { type: "retry_fallback_applied", from: "mini/one", to: "tiny/one", role: "small", origin: "a" },
      { type: "auto_retry_start", attempt: 1, delayMs: 0, origin: "a" },
      { type: "auto_retry_end", success: true, origin: "a" },
      { type: "retry_fallback_succeeded", model: "tiny/one", role: "small", origin: "a" },
    ]);
    expect(session.model).toBe("acme/large");
    expect(world.event("model_change")).toEqual([]);
    expect(world.event("tool_end")).toMatchObject([{ content: "small answer", isError: false }]);
  });

  test("S4b: a role whose chain is damaged costs no other role its own", () => {
    const { fallbackChains } = readRetrySettings({
      fallbackChains: { default: ["a/1", {}], small: null, "": ["b/2"] },
    });
    expect(fallbackChains).toEqual({ default: ["a/1", "object"], small: ["object"] });
    for (const fallbackChains of [null, ["a/1"], "a/1", 5])
      expect(readRetrySettings({ maxRetries: 9, fallbackChains })).toMatchObject({ maxRetries: 9, fallbackChains: {} });
  });

  test("S4b: an invalid selector is skipped with a warning, and the other entries still work", async () => {
    const world = withChain("acme/large", "nonsense", "other/big");
    world.provider("acme", [emits(401)]);
    world.provider("other", [says("there")]);
    const session = await world.open();
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
    expect(world.event("warning")).toMatchObject([{ message: expect.stringContaining("nonsense") }]);
  });

  test("C10: opening a session with an invalid policy throws", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("x")]);
    await expect(world.open({}, { policies: { acme: { maxDelayMs: -1 } } })).rejects.toThrow("policy.maxDelayMs");
  });
});

describe("taking up a conversation that had fallen back", () => {
  test.each([
    ["cooldown-expiry", "acme/large"],
    ["never", "other/big"],
  ])("S6: with the policy %s it goes on with %s", async (fallbackRevertPolicy, model) => {
    const world = new SessionWorld();
    world.settings = { fallbackChains: { default: ["acme/large", "other/big"] }, fallbackRevertPolicy };
    world.provider("acme", [emits(429, QUOTA)]);
    world.provider("other", [says("there")]);
    await world.time.until((await world.open()).prompt("Hello"));
    const parts = world.parts();
    expect((await AgentSession.open(parts, { conversationId: "c1" })).model).toBe(model);
  });
});
