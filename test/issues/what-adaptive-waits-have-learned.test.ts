import { describe, expect, test } from "vitest";
import { openAssembly, sessionParts } from "../../src/assembly/index.ts";
import { AgentSession } from "../../src/session/index.ts";
import { policyFor } from "../../src/session/retry/policy-for.ts";
import { readRetrySettings } from "../../src/wire/index.ts";
import { ConsoleWorld, ScriptedInput } from "../hosts/console/console-world.ts";
import { emits, says, throws } from "../support/scripted-provider.ts";

describe("console", () => {
  test("C10: /info shows what adaptive waits have learned, by provider, endpoint and status, and whether it is used", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", emits(502), emits(502), emits(502), says("Yes."));
    const { experience } = world.store;
    for (let count = 0; count < 30; count++) {
      await experience.add({ provider: "other", endpoint: "chat", status: "429", ok: false, waitedMs: 5000 });
    }
    await world.run(
      new ScriptedInput(["/config api_retry_adaptive true", "/config api_retry_adaptive.other false", "Hi", "/info"]),
    );
    expect(world.out).toContain("Waits for acme            5 s at most, breaker off\n");
    expect(world.out).toContain("Adaptive waits            on\n");
    expect(world.out).toMatch(/ {2}acme chat 502 {11}33 % of 3 retries worked \(after [\d.]+ s\): waits × 1\.05\n/);
    expect(world.out).toContain("  other chat 429          0 % of 30 retries worked: waits × 1.68, not used\n");
  });

  test("C10: a stream that broke off is not counted as status 200", async () => {
    const world = new ConsoleWorld();
    const broken = Object.assign(new Error("read ECONNRESET"), { status: 200, code: "ECONNRESET" });
    world.provider("acme", throws(broken), says("Yes."));
    await world.run(new ScriptedInput(["/config api_retry_adaptive true", "Hi", "/info"]));
    expect(world.out).toContain("  network                 1 failure, 1 retry, 100 % worked\n");
    expect(world.out).toMatch(/ {2}acme chat network {7}100 % of 1 retry worked/);
  });

  test("C10: /info shows that adaptive waits are off, and what an earlier run has learned", async () => {
    const world = new ConsoleWorld();
    world.provider("acme", says("Yes."));
    await world.run(new ScriptedInput(["/info"]));
    expect(world.out).toContain("Adaptive waits            off, nothing learned yet\n");
    await world.store.experience.add({ provider: "acme", endpoint: "chat", status: "503", ok: true, waitedMs: 2000 });
    await world.run(new ScriptedInput(["/info"]));
    expect(world.out).toContain(
      "  acme chat 503           100 % of 1 retry worked (after 2 s): waits × 0.94, not used\n",
    );
  });

  test("C10: /config sets the longest wait of one provider, shows it, and resets it to that of all", async () => {
    const world = new ConsoleWorld();
    const provider = world.provider("acme", emits(502), emits(502), emits(502), emits(502), says("Yes."));
    world.provider("other", emits(502), emits(502), says("No."));
    const input = new ScriptedInput([
      "/config api_retry_max_delay.acme 1",
      "Hi",
      "/config",
      "/info",
      "/config api_retry_max_delay.acme default",
      "/info",
    ]);
    await world.run(input, { model: "acme/large" });
    expect(provider.requests).toHaveLength(5);
    expect(world.time.nowMs).toBe(4000);
    expect(world.out).toContain("api_retry_max_delay.acme = 1\n  for acme: longest wait");
    expect(world.out).toContain("\napi_retry_max_delay = 5 (default)\n");
    expect(world.out).toContain("Waits for acme            1 s at most");
    expect(world.out).toContain("api_retry_max_delay.acme = 5 (default)");
    expect(world.out).toContain("Waits for acme            5 s at most");
  });
});

describe("agent sessions", () => {
  test("C10: settings for one provider apply to it alone", async () => {
    const assembly = await openAssembly({ env: {}, storePath: ":memory:" });
    const { config } = assembly.store;
    await config.set("retry.maxRetries.openai", 7);
    await config.set("retry.baseDelayMs.openai", 100);
    await config.set("api_circuit_breaker.openai", true);
    await config.set("api_retry_adaptive.openai", true);
    const parts = await sessionParts(assembly);
    const settings = readRetrySettings({});
    const policyOf = (provider: string) =>
      policyFor({ parts, options: {}, settings, experience: undefined }, provider, () => undefined);
    const [openai, other] = [policyOf("openai"), policyOf("anthropic")];
    expect([openai, other].map(({ schedules, general }) => schedules[general]?.maxRetries)).toEqual([7, 3]);
    expect([openai, other].map(({ schedules, general }) => schedules[general]?.delayFor(1))).toEqual([100, 2000]);
    expect([openai.policy.breaker === null, other.policy.breaker === null]).toEqual([false, true]);
    expect(["openai", "anthropic"].map((name) => parts.isAdaptive?.(name))).toEqual([true, false]);
    await expect(AgentSession.open(parts)).resolves.toBeDefined();
  });

  test("C10: a setting for an unknown provider, or one that is the same for all, is refused", async () => {
    const { config } = (await openAssembly({ env: {}, storePath: ":memory:" })).store;
    await expect(config.set("retry.maxRetries.opnai", 7)).rejects.toThrow(
      /^config key must be for a known provider \(anth/,
    );
    await expect(config.set("retry.enabled.openai", true)).rejects.toThrow("config key must be one of");
    await expect(config.set("retry.maxRetries.openai", -1)).rejects.toThrow("must be a whole number from 0 to 1000");
    expect(await config.get("retry.maxRetries.openai")).toBe(3);
    await config.set("retry.maxRetries", 9);
    expect(await config.get("retry.maxRetries.openai")).toBe(9);
  });
});
