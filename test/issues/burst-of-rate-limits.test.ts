import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  type AttemptContext,
  defaultPolicy,
  definePolicy,
  MemoryHealth,
  type PolicyInput,
  receiptOf,
  resilient,
  run,
  SecondwindError,
  stream,
  type TargetEntry,
} from "../../src/index.ts";
import { createRandom, VirtualWorld } from "../../src/simulator/world/index.ts";
import { httpError, read } from "../support/world.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Answers each path once with 429 and a hint, then with 200. Records when the second calls arrive. */
async function limitOnce(): Promise<{ readonly url: string; readonly returned: readonly number[] }> {
  const seen = new Set<string | undefined>();
  const returned: number[] = [];
  const server = createServer(({ url }, response) => {
    if (seen.has(url)) {
      returned.push(performance.now());
      response.end('"there"');
      return;
    }
    seen.add(url);
    response.writeHead(429, { "retry-after-ms": "50" }).end('{"error":{"message":"Slow down"}}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, returned };
}

/** How many of these moments lie in the busiest stretch of so many milliseconds. */
function busiest(moments: readonly number[], withinMs: number): number {
  const sorted = [...moments].sort((a, b) => a - b);
  return Math.max(0, ...sorted.map((from, at) => sorted.filter((to, n) => n >= at && to - from < withinMs).length));
}

/** What a limiter makes of a call: 0, it is accepted; otherwise the hint in ms. */
type Limiter = (nowMs: number, random: () => number) => number;

/** So many calls in each period; the hint is the time until the next one, the same moment for all. */
function perPeriod(calls: number, periodMs: number): Limiter {
  let period = -1;
  let used = 0;
  return (nowMs) => {
    const now = Math.floor(nowMs / periodMs);
    if (now !== period) [period, used] = [now, 0];
    return used++ < calls ? 0 : (now + 1) * periodMs - nowMs;
  };
}

/** A bucket of `capacity` calls that refills with time; the hint is whatever `hintMs` gives. */
function bucket(capacity: number, perSecond: number, hintMs: Limiter): Limiter {
  let level = capacity;
  let sinceMs = 0;
  return (nowMs, random) => {
    level = Math.min(capacity, level + ((nowMs - sinceMs) / 1000) * perSecond);
    sinceMs = nowMs;
    if (level < 1) return hintMs(nowMs, random);
    level--;
    return 0;
  };
}

interface Burst {
  readonly calls: number;
  readonly limiter: () => Limiter;
  /** The calls start evenly over this time. Default: all at once. */
  readonly overMs?: number;
  readonly targets?: readonly TargetEntry[];
  /** What differs from the default policy. */
  readonly policy?: PolicyInput;
  /** The header that has the hint. Default: `retry-after-ms`. */
  readonly header?: (hintMs: number, wallMs: number) => Record<string, string>;
}

const inMs = (hintMs: number) => ({ "retry-after-ms": String(Math.ceil(hintMs)) });

/** Sends a burst through one wrapper in virtual time, with one limiter per target. */
async function send({ calls, limiter, overMs = 0, targets, policy = {}, header = inMs }: Burst) {
  const world = new VirtualWorld();
  const random = createRandom(7);
  const limiters = new Map<string, Limiter>();
  const startedAt: number[] = [];
  const options = { ports: world.ports, ...(targets !== undefined && { targets }) };
  const ask = resilient(
    async ({ target }: AttemptContext) => {
      startedAt.push(world.nowMs);
      const name = `${target.provider}/${target.model}/${target.credential}`;
      const limit = limiters.get(name) ?? limiter();
      limiters.set(name, limit);
      const hintMs = limit(world.nowMs, random);
      await world.pause(hintMs > 0 ? 10 : 500 + 1000 * random());
      if (hintMs > 0) throw httpError(429, "Slow down", header(hintMs, world.ports.wallNow()));
      return "there";
    },
    policy,
    options,
  );
  const all = Array.from({ length: calls }, async (_, n) => {
    if (overMs > 0) await world.pause((n * overMs) / calls);
    return ask();
  });
  const ended = await world.until(Promise.allSettled(all));
  return {
    failed: ended.filter(({ status }) => status === "rejected").length,
    /** Calls in the busiest second after the first one. */
    peak: busiest(
      startedAt.filter((ms) => ms >= 1000),
      1000,
    ),
    tookMs: world.nowMs,
    made: startedAt.length,
  };
}

describe("B5: a burst of rate limits", () => {
  test("B5: 300 calls at once that are limited once all come back, spread over time", async () => {
    const { url, returned } = await limitOnce();
    const ask = resilient(async ({ signal }, n: number) => {
      const response = await fetch(`${url}/${n}`, { signal });
      if (!response.ok) throw httpError(response.status, await response.text(), Object.fromEntries(response.headers));
      return response.json();
    });
    const answers = await Promise.allSettled(Array.from({ length: 300 }, (_, n) => ask(n)));
    expect(answers.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(returned).toHaveLength(300);
    expect(busiest(returned, 50)).toBeLessThan(100);
    expect(Math.max(...returned) - Math.min(...returned)).toBeGreaterThan(800);
  }, 30_000);

  test.each([1, 10, 300, 2000])("B5: with a limit of 600 per minute, none of %i calls fails", async (calls) => {
    const { failed, peak, tookMs } = await send({ calls, limiter: () => perPeriod(600, 60_000) });
    expect(failed).toBe(0);
    // Without a ramp 1400 calls would come back in the same second.
    expect(peak).toBeLessThanOrEqual(200);
    expect(tookMs).toBeLessThan(Math.ceil(calls / 600) * 60_000);
  });

  test.each<[string, Burst]>([
    ["hints are the same moment for all", { calls: 500, limiter: () => perPeriod(50, 10_000), header: resetAt }],
    ["hints differ per call", { calls: 500, limiter: () => bucket(100, 10, (_, random) => 20 + 5000 * random()) }],
    ["the limit is a bucket", { calls: 800, limiter: () => bucket(300, 10, () => 1000) }],
    ["the hint is almost the cap", { calls: 100, limiter: () => perPeriod(50, 119_900) }],
    [
      "the queue takes twice as long as the patience of default, and the policy has more",
      { calls: 300, limiter: () => perPeriod(50, 119_900), policy: { patienceMs: 900_000 } },
    ],
    ["calls arrive faster than the limit", { calls: 600, overMs: 30_000, limiter: () => bucket(20, 10, () => 1000) }],
    ["hints are far shorter than the queue", { calls: 1000, limiter: () => bucket(10, 10, () => 100) }],
    ["the limit is one call per second", { calls: 300, limiter: () => bucket(1, 1, () => 1000) }],
    ["two models share a provider", { calls: 1000, limiter: () => perPeriod(150, 60_000), targets: models("a", "b") }],
  ])("B5: no call fails if %s", async (_, burst) => {
    const { failed, peak } = await send(burst);
    expect(failed).toBe(0);
    expect(peak).toBeLessThanOrEqual(200);
  });

  test("B5: a provider that only ever limits still ends every generation", async () => {
    const { failed, made, tookMs } = await send({ calls: 100, limiter: () => () => 1000 });
    expect(failed).toBe(100);
    expect(made).toBeLessThanOrEqual(100 * 10);
    // Their five minutes of patience, and the calls themselves.
    expect(tookMs).toBeLessThan(301_000);
  });

  test("B5: a call that never fits next to others ends although they are answered", async () => {
    const world = new VirtualWorld();
    const health = new MemoryHealth();
    let made = 0;
    const small = resilient(() => world.pause(100), {}, { health, ports: world.ports });
    const large = resilient(
      () => {
        made++;
        return Promise.reject(httpError(429, "Slow down", inMs(10)));
      },
      {},
      { health, ports: world.ports },
    );
    const ended = large().catch((error: unknown) => error);
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    const others = async () => {
      while (!isOver) await small().then(() => world.pause(500));
    };
    const [error] = await world.until(Promise.all([ended, others()]));
    expect(error).toMatchObject({ name: "SecondwindError", reason: "patience" });
    expect(made).toBeGreaterThan(10);
    expect(made).toBeLessThanOrEqual(7 + 120);
    expect(world.nowMs).toBeLessThan(600_000);
  });

  test("B5: a used-up key fails no call while another key works", async () => {
    const targets = [{ provider: "p", model: "m", credentials: ["k1", "k2"] }];
    const ask = resilient(
      async ({ target }: AttemptContext) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (target.credential === "k1") throw httpError(429, "You exceeded your current quota, please check your plan");
        return target.credential;
      },
      {},
      { targets },
    );
    const answers = await Promise.all(Array.from({ length: 300 }, () => ask()));
    expect(new Set(answers)).toEqual(new Set(["k2"]));
  });

  test("B5: a limit without a hint spends the budget, as before", async () => {
    const world = new VirtualWorld();
    const policy = definePolicy({ budget: { capacity: 5, refillPerSecond: 0 } }, defaultPolicy());
    const options = { policy, health: new MemoryHealth(), ports: world.ports };
    const call = () => Promise.reject(httpError(429, "Slow down"));
    const ended = await world.until(Promise.all(Array.from({ length: 20 }, () => run(call, options))));
    expect(ended.filter((result) => !result.ok && result.reason === "retry-budget")).not.toEqual([]);
  });
});

describe("B5: a generation that the retry budget ends", () => {
  const NO_REFILL = { capacity: 1, capacitySeconds: 0, refillPerSuccess: 0, refillPerSecond: 0 };
  const policy = definePolicy({ breaker: null, budget: NO_REFILL }, defaultPolicy());
  /** Without a token for the provider. */
  const spent = (provider: string) => {
    const world = new VirtualWorld();
    const health = new MemoryHealth();
    health.admit({ provider, model: "", credential: "" }, policy, 0, true);
    return { policy, health, world, ports: world.ports };
  };
  const message =
    "Unavailable (retry-budget: the retry budget that all calls share had no room in time, after 1 attempt; server)";
  const fault = httpError(502, "Unavailable");

  test("B5: throws an error that names the budget, though nothing was retried", async () => {
    const { health, world, ports } = spent("");
    const ask = resilient(() => Promise.reject(fault), policy, { health, ports });
    const error = await world.until(ask().catch((thrown: unknown) => thrown));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(error).toMatchObject({ reason: "retry-budget", attempts: 1, message, cause: fault });
    expect(receiptOf(error)).toMatchObject({ outcome: "retry-budget" });
  });

  test("B5: a stream throws the same error", async () => {
    const { health, world, ports } = spent("");
    const open = (): AsyncIterable<string> => {
      throw fault;
    };
    const { error } = await world.until(read(stream(open, { policy, health, ports })));
    expect(error).toMatchObject({ name: "SecondwindError", reason: "retry-budget", message });
  });

  test("B5: names the budget also where the other provider has no room either", async () => {
    const { health, world, ports } = spent("p");
    health.admit({ provider: "q", model: "", credential: "" }, policy, 0, true);
    const targets = [...models("a"), { provider: "q", model: "b" }];
    const result = await world.until(run(() => Promise.reject(fault), { policy, health, ports, targets }));
    expect(result).toMatchObject({ ok: false, reason: "retry-budget", receipt: { attempts: 1 } });
    expect(result.receipt.waitedMs).toBeGreaterThan(298_000);
  });

  test("B5: what no wait cures ends with the endpoint's words, though another provider has no room", async () => {
    const { health, world, ports } = spent("q");
    const targets = [...models("a"), { provider: "q", model: "b" }];
    const hopeless = () =>
      Promise.reject(httpError(429, "Request too large on tokens per minute (TPM): Limit 7000, Requested 12903"));
    const alone = await world.until(run(hopeless, { policy, ports, targets: models("a") }));
    const open = await world.until(run(hopeless, { policy, ports, targets }));
    const closed = await world.until(run(hopeless, { policy, health, ports, targets }));
    expect([alone, open, closed].map((result) => !result.ok && result.reason)).toEqual(Array(3).fill("hopeless"));
    expect([alone, open].map(({ receipt }) => receipt.targets.length)).toEqual([1, 2]);
    expect(closed.receipt.waitedMs).toBeLessThan(2000);
  });

  test("B5: a first call is no retry: it goes to a free target whatever the budget is", async () => {
    const { health, world, ports } = spent("");
    const targets = [...models("a"), { provider: "", model: "b" }];
    health.coolDown({ provider: "p", model: "a", credential: "" }, "credential", 60_000);
    const result = await world.until(run(({ target }) => target.model, { policy, health, ports, targets }));
    expect(result).toMatchObject({ ok: true, value: "b", receipt: { attempts: 1, waitedMs: 0 } });
  });
});

function models(...names: readonly string[]): readonly TargetEntry[] {
  return names.map((model) => ({ provider: "p", model }));
}

/** The epoch second at which the limit resets. */
function resetAt(hintMs: number, wallMs: number): Record<string, string> {
  return { "x-ratelimit-reset": String(Math.ceil((wallMs + hintMs) / 1000)) };
}
