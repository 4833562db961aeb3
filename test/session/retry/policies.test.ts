import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePolicy, preparePolicy } from "../../../src/kernel/index.ts";
import { consolePolicy, sessionPolicy } from "../../../src/presets/index.ts";
import { adaptDelay, adaptPolicy } from "../../../src/session/retry/adaptive-delay.ts";
import { MapExperience } from "../../support/map-store.ts";
import { emits, says, throws } from "../../support/scripted-provider.ts";
import { SessionWorld } from "../sessions.ts";

const CONSOLE = { policy: () => consolePolicy() };

describe("a session with the console's policy", () => {
  test.each(["anthropic", "openai", "google"])(
    "C1: %s is retried after 1, 2, 3, 5, 5 … seconds, without end",
    async (name) => {
      const world = new SessionWorld();
      const provider = world.provider(name, [...Array.from({ length: 300 }, () => emits(503)), says("at last")]);
      const session = await world.open({ model: `${name}/large` }, CONSOLE);
      expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
      expect(provider.startedAt.slice(0, 7)).toEqual([0, 1000, 3000, 6000, 11_000, 16_000, 21_000]);
      expect(provider.requests).toHaveLength(301);
      expect(world.event("auto_retry_start")[0]).toMatchObject({ attempt: 1, maxAttempts: null });
      expect(world.retries().at(-1)).toMatchObject({ type: "auto_retry_end", success: true, attempt: 300 });
    },
  );

  test("C1: Ctrl-C in a wait ends it at once", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503)]);
    const session = await world.open({}, CONSOLE);
    const prompt = session.prompt("Hello");
    await world.time.advance(100_000);
    await session.abort();
    expect((await prompt).status).toBe("aborted");
    expect(world.time.sleeping).toBe(0);
  });

  test.each([429, 502, 503, 504])("C2: %i is retried", async (status) => {
    const world = new SessionWorld();
    world.provider("acme", [emits(status), says("there")]);
    const session = await world.open({}, CONSOLE);
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
  });

  test.each([
    ["a connection that is refused", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })],
    ["a timeout", Object.assign(new Error("timed out"), { code: "ETIMEDOUT" })],
  ])("C2: %s is retried", async (_, thrown) => {
    const world = new SessionWorld();
    world.provider("acme", [throws(thrown), says("there")]);
    const session = await world.open({}, CONSOLE);
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("done");
  });

  test.each([400, 401, 403, 404, 422, 500])("C2: %i is not retried", async (status) => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(status), says("never")]);
    const session = await world.open({}, CONSOLE);
    expect((await world.time.until(session.prompt("Hello"))).status).toBe("error");
    expect(provider.requests).toHaveLength(1);
  });
});

describe("breaker and policies per provider", () => {
  const breaker = { failures: 3, cooldownMs: 30_000, maxCooldownMs: 60_000 };

  test("C9: a provider that keeps failing is cut off for a cooldown, then probed; without the key it is not", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [...Array.from({ length: 4 }, () => emits(503)), says("well again")]);
    const policy = () => definePolicy({ breaker }, consolePolicy());
    const session = await world.open({}, { policy });
    const prompt = session.prompt("Hello");
    await world.time.advance(3000);
    expect(provider.startedAt).toEqual([0, 1000, 3000]);
    // Another conversation is told why it waits.
    const other = await world.open({ conversationId: "c2" }, { policy });
    world.events.length = 0;
    const second = other.prompt("Me too");
    await world.time.settle();
    expect(world.event("auto_retry_start").at(-1)?.errorMessage).toBe("API unavailable (circuit breaker triggered)");
    await world.time.advance(25_000);
    expect(provider.requests).toHaveLength(3);
    await world.time.until(Promise.all([prompt, second]));
    expect(provider.startedAt[3]).toBe(33_000);
    expect(consolePolicy().breaker).toBeNull();
  });

  test("C9: an open breaker fails at once if its wait exceeds the cap, and the failure is stored", async () => {
    const world = new SessionWorld();
    world.settings = { maxRetries: 1, maxDelayMs: 5000 };
    const provider = world.provider("acme", [emits(503)]);
    const policies = { acme: { breaker: { failures: 2, cooldownMs: 30_000, maxCooldownMs: 30_000 } } };
    const session = await world.open({}, { policies });
    await world.time.until(session.prompt("One"));
    expect(provider.requests).toHaveLength(2);
    const result = await world.time.until(session.prompt("Two"));
    expect(result).toMatchObject({ status: "error", error: "API unavailable (circuit breaker triggered)" });
    expect(provider.requests).toHaveLength(2);
    expect(world.kept("message").at(-1)?.data).toMatchObject({ stopReason: "error" });
    expect(session.messages).toHaveLength(2);
  });

  test("S4: a prompt that waits for a cooldown before its first call has the same number everywhere", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [says("there")]);
    world.health.coolDown({ provider: "acme", model: "large", credential: "key-1" }, "credential", 5000);
    const session = await world.open();
    const prompt = session.prompt("Hello");
    await world.time.settle();
    expect(world.retries()).toMatchObject([{ type: "auto_retry_start", attempt: 1, delayMs: 5000 }]);
    expect([session.retryAttempt, session.isRetrying]).toEqual([1, true]);
    await world.time.until(prompt);
    expect(provider.startedAt).toEqual([5000]);
    expect(world.retries()).toMatchObject([
      {
        type: "auto_retry_start",
        attempt: 1,
        maxAttempts: 4,
        delayMs: 5000,
        errorMessage: "The target is cooling down after an earlier limit",
      },
      { type: "auto_retry_end", success: true, attempt: 1 },
    ]);
    expect(session.retryAttempt).toBe(0);
  });

  test("S7: a wait for a cooldown is emitted in whole milliseconds", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [says("there")]);
    world.health.coolDown({ provider: "acme", model: "large", credential: "key-1" }, "credential", 4999.3535);
    const session = await world.open();
    await world.time.until(session.prompt("Hello"));
    expect(world.event("auto_retry_start").map(({ delayMs }) => delayMs)).toEqual([5000]);
    expect(provider.startedAt).toEqual([5000]);
  });

  test("S4, S11: retries after a first wait continue the count, and no number is used twice", async () => {
    const world = new SessionWorld();
    world.provider("acme", [emits(503)]);
    world.health.coolDown({ provider: "acme", model: "large", credential: "key-1" }, "credential", 5000);
    const session = await world.open();
    const seen: [number, number][] = [];
    session.subscribe((event) => {
      if (event.type === "auto_retry_start") seen.push([event.attempt, session.retryAttempt]);
    });
    await world.time.until(session.prompt("Hello"));
    expect(seen).toEqual([1, 2, 3, 4].map((attempt) => [attempt, attempt]));
    expect(world.event("auto_retry_start").map(({ maxAttempts }) => maxAttempts)).toEqual([4, 4, 4, 4]);
    expect(world.retries().at(-1)).toMatchObject({ type: "auto_retry_end", success: false, attempt: 4 });
  });

  test("C10: each provider may have its own policy", async () => {
    const world = new SessionWorld();
    const policies = {
      fast: { schedules: { general: { type: "fixed", delayMs: 10, atMost: 1 } } },
      strict: { statuses: { 503: "stop" } },
    } as const;
    const [fast, strict] = [world.provider("fast", [emits(503)]), world.provider("strict", [emits(503)])];
    for (const model of ["fast/one", "strict/one"]) {
      const session = await world.open({ model, conversationId: model }, { policies });
      await world.time.until(session.prompt("Hello"));
    }
    expect(fast.startedAt).toEqual([0, 10]);
    expect(strict.requests).toHaveLength(1);
  });
});

describe("delays that learn", () => {
  const record = fc.record({ successes: fc.nat(10_000), failures: fc.nat(10_000) });

  test("C10: are never outside the policy's bounds, and grow as the success rate falls", () => {
    const bounds = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 0, max: 1_000_000 }));
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 5_000_000, noNaN: true }),
        bounds,
        record,
        (delayMs, [baseMs, more], known) => {
          const capMs = baseMs + more;
          const adapted = adaptDelay({ delayMs, baseMs, capMs, record: known });
          expect(adapted).toBeGreaterThanOrEqual(baseMs);
          expect(adapted).toBeLessThanOrEqual(capMs);
          const worse = { ...known, failures: known.failures + 1 };
          expect(adaptDelay({ delayMs, baseMs, capMs, record: worse })).toBeGreaterThanOrEqual(adapted);
        },
      ),
    );
  });

  test("C10: nothing known changes nothing", () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 1000 }), (delayMs) => {
        expect(adaptDelay({ delayMs, baseMs: 10, capMs: 1000, record: undefined })).toBe(delayMs);
      }),
    );
  });

  test("C10: keep what a schedule promises: its longest wait, its number, its end", () => {
    fc.assert(
      fc.property(record, fc.integer({ min: 1, max: 30 }), (known, retry) => {
        const console_ = adaptPolicy(preparePolicy(consolePolicy()), () => known).schedules[0]?.delayFor(retry) ?? 0;
        expect(console_).toBeGreaterThanOrEqual(1000);
        expect(console_).toBeLessThanOrEqual(5000);
        const session = adaptPolicy(preparePolicy(sessionPolicy()), () => known).schedules[0]?.delayFor(retry);
        expect(session === undefined).toBe(retry > 3);
      }),
    );
  });

  test("C10: a session forgets what was long ago as the store does", async () => {
    const known = { provider: "acme", endpoint: "chat", status: "503", successes: 0, failures: 100, meanWaitMs: 0 };
    const world = new SessionWorld();
    const provider = world.provider("acme", Array.from({ length: 60 }, () => [emits(503), says("there")]).flat());
    const session = await world.open({}, { experience: new MapExperience([known]) });
    for (let n = 0; n < 60; n++) await world.time.until(session.prompt("Hello"));
    const waits = provider.startedAt.flatMap((at, index) =>
      index % 2 === 1 ? [at - (provider.startedAt[index - 1] ?? 0)] : [],
    );
    expect(waits[0]).toBeGreaterThan(3700);
    // Sixty that worked after a hundred that did not: without forgetting it would still wait longer than scheduled.
    expect(waits.at(-1)).toBe(2000);
  });

  test("C10: a session learns from its retries, and waits by what it knows", async () => {
    const known = { provider: "acme", endpoint: "chat", status: "503", successes: 0, failures: 1000, meanWaitMs: 0 };
    const experience = new MapExperience([known]);
    const world = new SessionWorld();
    const provider = world.provider("acme", [emits(503), emits(429), says("there")]);
    const session = await world.open({}, { experience });
    await world.time.until(session.prompt("Hello"));
    // Hopeless so far for 503: twice the 2000 ms; nothing known for 429: 4000 ms as scheduled.
    expect(provider.startedAt[1]).toBeGreaterThan(3900);
    expect((provider.startedAt[2] ?? 0) - (provider.startedAt[1] ?? 0)).toBe(4000);
    expect(experience.added).toMatchObject([
      { provider: "acme", endpoint: "chat", status: "503", ok: false },
      { provider: "acme", endpoint: "chat", status: "429", ok: true, waitedMs: 4000 },
    ]);
  });
});
