import { describe, expect, test } from "vitest";
import {
  type AttemptContext,
  defaultPolicy,
  definePolicy,
  type Health,
  MemoryHealth,
  type RunOptions,
  sessionPolicy,
} from "../../../src/index.ts";
import { httpError, World } from "../../support/world.ts";

const CHAIN = [
  { provider: "openai", model: "big", credentials: ["k1", "k2"] },
  { provider: "anthropic", model: "other", credentials: ["k3"] },
];

type Problem = () => unknown;

/** What each target does, by its credential: one problem after another, the last one again and again; none: it answers. */
async function carry(problems: Readonly<Record<string, readonly Problem[]>>, options: RunOptions) {
  const world = new World();
  const tried: string[] = [];
  const call = world.script(({ target: { credential } }: AttemptContext) => {
    const before = tried.filter((name) => name === credential).length;
    tried.push(credential);
    const own = problems[credential] ?? [];
    const problem = own[Math.min(before, own.length - 1)];
    if (problem === undefined) return `answer of ${credential}`;
    throw problem();
  });
  const result = await world.run(call, { targets: CHAIN, ...options });
  return { result, tried, tookMs: world.time.nowMs };
}

const limitedFor = (seconds: number): Problem => {
  return () => httpError(429, "slow down", { "retry-after": String(seconds) });
};

const refuses = (status: number, message?: string): readonly Problem[] => [() => httpError(status, message)];

describe.each([
  ["default", defaultPolicy()],
  ["session", sessionPolicy()],
] as const)("E17: what no wait cures, with the preset %s", (_, policy) => {
  test.each([
    [401, "auth"],
    [403, "permission"],
    [404, "not_found"],
  ])("E17: HTTP %i everywhere fails at once with the last endpoint's words", async (status, kind) => {
    const problems = { k1: refuses(status), k2: refuses(status), k3: refuses(status, "the last word") };
    const { result, tried, tookMs } = await carry(problems, { policy });
    expect(result).toMatchObject({
      ok: false,
      reason: "not-retryable",
      failure: { kind, status, message: "the last word", target: { credential: "k3" } },
    });
    expect(tried).toEqual(status === 404 ? ["k1", "k3"] : ["k1", "k2", "k3"]);
    expect(tookMs).toBe(0);
  });

  test("E17: the next generation does not wait for what was refused either", async () => {
    const options = { policy, health: new MemoryHealth() };
    const problems = { k1: refuses(401), k2: refuses(401), k3: refuses(401) };
    await carry(problems, options);
    const { result, tried, tookMs } = await carry(problems, options);
    expect(result).toMatchObject({ ok: false, reason: "not-retryable", failure: { kind: "auth" } });
    // The others cool down: they are left out, not waited for.
    expect(tried).toEqual(["k3"]);
    expect(tookMs).toBe(0);
  });

  test("E17: a health that knows nothing of refusals does not make it wait either", async () => {
    const memory = new MemoryHealth();
    const told = ["blockedForMs", "admit", "succeeded", "failed", "released", "coolDown"] as const;
    const plain = Object.fromEntries(told.map((name) => [name, memory[name].bind(memory)]));
    const health = { ...plain, isQuiet: false } as unknown as Health;
    const { tried, tookMs } = await carry({ k1: refuses(401), k2: refuses(401), k3: refuses(401) }, { policy, health });
    expect(tried).toEqual(["k1", "k2", "k3"]);
    expect(tookMs).toBe(0);
  });

  test("E17: the next generation skips a refused key if there is another one", async () => {
    const options = { policy, health: new MemoryHealth() };
    await carry({ k1: refuses(401) }, options);
    expect((await carry({ k1: refuses(401) }, options)).tried).toEqual(["k2"]);
  });

  test("E17: what is only limited is still waited for", async () => {
    const limited = () => httpError(429, "slow down", { "retry-after": "30" });
    const { result, tried, tookMs } = await carry({ k1: [limited], k2: refuses(401), k3: refuses(403) }, { policy });
    expect(result.ok).toBe(false);
    expect(tried.slice(0, 4)).toEqual(["k1", "k2", "k3", "k1"]);
    expect(tookMs).toBeGreaterThanOrEqual(30_000);
    // Neither of the refused ones was asked again.
    expect(new Set(tried.slice(3))).toEqual(new Set(["k1"]));
  });

  test("E17: overload elsewhere is still waited for", async () => {
    const down = () => httpError(529, "Overloaded", { "retry-after": "20" });
    const { tried, tookMs } = await carry({ k1: [down], k2: [down], k3: refuses(401) }, { policy });
    expect(tried.slice(0, 3)).toEqual(["k1", "k3", "k1"]);
    expect(tried.filter((name) => name === "k3")).toHaveLength(1);
    expect(tookMs).toBeGreaterThanOrEqual(20_000);
  });

  test("E17: refused, and what is left limited for longer than the cap: it is asked once more, without a wait", async () => {
    const options = { policy: definePolicy({ maxDelayMs: 300_000 }, policy), health: new MemoryHealth() };
    const problems = { k1: refuses(404), k2: refuses(404), k3: [limitedFor(600)] };
    const first = await carry(problems, options);
    expect(first.tried).toEqual(["k1", "k3"]);
    expect(first.tookMs).toBe(0);
    const { result, tried, tookMs } = await carry(problems, options);
    expect(result).toMatchObject({ ok: false, reason: "not-retryable", failure: { kind: "not_found", status: 404 } });
    expect(tried).toEqual(["k1"]);
    expect(tookMs).toBe(0);
  });

  test("E17: everything was refused before: the first is asked, for it may be accepted by now", async () => {
    const health = new MemoryHealth();
    for (const entry of CHAIN) health.refuse({ ...entry, credential: "" }, "model", 300_000, "not_found");
    const { result, tried, tookMs } = await carry({}, { policy, health });
    expect(result).toMatchObject({ ok: true, value: "answer of k1" });
    expect(tried).toEqual(["k1"]);
    expect(tookMs).toBe(0);
  });

  test("E17: one that was refused and is asked once more is not waited for because of that", async () => {
    const health = new MemoryHealth();
    for (const entry of CHAIN) health.refuse({ ...entry, credential: "" }, "model", 290_000, "not_found");
    const down = () => httpError(503, "Unavailable");
    const { result, tried, tookMs } = await carry({ k1: [down], k2: [down], k3: [down] }, { policy, health });
    expect(result.ok).toBe(false);
    expect(tried.length).toBeGreaterThan(1);
    // The schedule's own waits, not those of the refusals.
    expect(tookMs / (tried.length - 1)).toBeLessThan(30_000);
  });

  test("E17: what is limited is waited for also where the first was refused for longer or shorter", async () => {
    for (const refusedMs of [10_000, 200_000]) {
      const health = new MemoryHealth();
      health.refuse({ provider: "openai", model: "big", credential: "" }, "model", refusedMs, "not_found");
      health.coolDown({ provider: "anthropic", model: "other", credential: "k3" }, "credential", 30_000);
      const { result, tried, tookMs } = await carry({}, { policy, health });
      expect(result).toMatchObject({ ok: true, value: "answer of k3" });
      expect(tried).toEqual(["k3"]);
      expect(tookMs).toBe(30_000);
    }
  });
});
