import { describe, expect, test } from "vitest";
import { engineFailure } from "../../../src/kernel/classify/engine-failure.ts";
import { whyHeldBack } from "../../../src/kernel/health/why-held-back.ts";
import { definePolicy, MemoryHealth, type Target } from "../../../src/kernel/index.ts";
import { SharedHealth } from "../../../src/kernel/shared/shared-health.ts";
import { defaultPolicy } from "../../../src/presets/index.ts";
import { SharedHub } from "../../../src/simulator/lab/shared-hub.ts";
import { createRandom, VirtualWorld } from "../../../src/simulator/world/index.ts";
import { breakerContract } from "../health/breaker-contract.ts";
import { healthContract } from "../health/health-contract.ts";

const TARGET: Target = { provider: "p", model: "m", credential: "key" };
const policy = defaultPolicy();
const down = engineFailure("server", "HTTP 503", "test", TARGET);

function fleet(size: number): { readonly world: VirtualWorld; readonly all: readonly SharedHealth[] } {
  const world = new VirtualWorld({ seed: 1 });
  const hub = new SharedHub(world, createRandom(1, 9));
  const all = Array.from({ length: size }, () => hub.newHealth());
  // Each of them calls the target.
  for (const health of all) {
    health.started(TARGET);
    health.countAnswer(TARGET, world.ports);
  }
  return { world, all };
}

/** A call that fails. */
function fail(health: SharedHealth, nowMs: number): void {
  health.started(TARGET);
  health.failed({ target: TARGET, policy, admittedAtMs: nowMs }, down, nowMs);
}

async function openBreaker({ world, all }: ReturnType<typeof fleet>): Promise<void> {
  for (let n = 0; n < 12; n++) {
    await world.advance(20);
    fail(all[n % all.length] as SharedHealth, world.nowMs);
  }
  await world.advance(100);
}

const breakers = (all: readonly SharedHealth[], nowMs: number) =>
  all.map((health) =>
    health
      .snapshot(nowMs)
      .breakers.map(({ phase }) => phase)
      .join(),
  );

describe("B5: shared health alone is the health of one process", () => {
  const alone = () =>
    new SharedHealth({ health: new MemoryHealth(), id: "a", now: () => 0, phase: 0.5, nameOf: (target) => target });
  healthContract("shared, without a link", alone);
  breakerContract("shared, without a link", alone);
});

describe("B5: several processes", () => {
  test("B5: a cooldown of one holds for all, also for a target that is met later, and ends for all by hand", async () => {
    const { world, all } = fleet(3);
    const [a, b, c] = all as [SharedHealth, SharedHealth, SharedHealth];
    await world.advance(1000);
    a.coolDown(TARGET, "credential", world.nowMs + 10_000);
    const other = { ...TARGET, model: "other" };
    a.refuse(other, "model", world.nowMs + 10_000, "not_found");
    await world.advance(50);
    expect(b.blockedForMs(TARGET, null, world.nowMs)).toBeGreaterThan(9900);
    expect(c.admit(other, policy, world.nowMs, false)).toBeGreaterThan(0);
    expect(c.refusalOf(other, world.nowMs)).toBe("not_found");
    void b.endCooldown(TARGET, "credential");
    await world.advance(50);
    expect(all.map((health) => health.blockedForMs(TARGET, null, world.nowMs))).toEqual([0, 0, 0]);
  });

  test("B5: failures of all open the breaker of all, though none has seen enough of them", async () => {
    const made = fleet(6);
    await openBreaker(made);
    expect(breakers(made.all, made.world.nowMs)).toEqual(made.all.map(() => "open"));
  });

  test("B5: one probe goes out over all; its answer brings all back", async () => {
    const made = fleet(6);
    await openBreaker(made);
    const { world, all } = made;
    await world.advance(policy.breaker?.cooldownMs ?? 0);
    let probes: SharedHealth[] = [];
    for (let n = 0; n < 40; n++) {
      for (const health of all) if (health.admit(TARGET, policy, world.nowMs, false) === 0) probes.push(health);
      await world.advance(5);
    }
    expect(probes).toHaveLength(1);
    expect(breakers(all, world.nowMs)).toEqual(all.map(() => "probing"));
    const [prober] = probes as [SharedHealth];
    prober.started(TARGET);
    prober.succeeded({ target: TARGET, policy, admittedAtMs: world.nowMs - 100 }, world.nowMs);
    await world.advance(50);
    expect(breakers(all, world.nowMs)).toEqual(all.map(() => "recovering"));
    probes = [];
  });

  test("B5: all know of all calls of a ramp, though several of them began it before they heard of each other", async () => {
    const made = fleet(6);
    await openBreaker(made);
    const { world, all } = made;
    const probe = async (): Promise<readonly [SharedHealth, number]> => {
      for (;;) {
        const prober = all.find((health) => health.admit(TARGET, policy, world.nowMs, false) === 0);
        if (prober !== undefined) return [prober, world.nowMs];
        await world.advance(5);
      }
    };
    await world.advance(policy.breaker?.cooldownMs ?? 0);
    // It fails within 10 ms, so the next one is believed in after 100 ms.
    const [failing, failingMs] = await probe();
    failing.started(TARGET);
    await world.advance(10);
    failing.failed({ target: TARGET, policy, admittedAtMs: failingMs }, down, world.nowMs);
    await world.advance(50);
    const [prober] = await probe();
    prober.started(TARGET);
    await world.advance(120);
    const admitted: SharedHealth[] = [];
    for (const health of all) {
      if (health.admit(TARGET, policy, world.nowMs, false) === 0) admitted.push(health);
      // Less than news takes.
      await world.advance(0.7);
    }
    for (const health of admitted) health.started(TARGET);
    expect(admitted.length).toBeGreaterThan(3);
    await world.advance(100);
    const underWay = all.map(({ exchange }) => {
      const breaker = exchange.parts.providers.breakerOf("p");
      return breaker.phase === "recovering" ? breaker.ramp.underWay : undefined;
    });
    expect(underWay).toEqual(all.map(() => admitted.length + 1));
  });

  test("B5: a person who closes a breaker closes it everywhere", async () => {
    const made = fleet(3);
    await openBreaker(made);
    expect(made.all[1]?.closeBreaker("p")).toBe(true);
    await made.world.advance(50);
    expect(breakers(made.all, made.world.nowMs)).toEqual(["", "", ""]);
  });

  test("B5: without the others each one goes on with what it knows, and probes for itself", async () => {
    const made = fleet(3);
    await openBreaker(made);
    const { world, all } = made;
    for (const health of all) health.exchange.leave();
    expect(breakers(all, world.nowMs)).toEqual(all.map(() => "open"));
    await world.advance(policy.breaker?.cooldownMs ?? 0);
    expect(all.map((health) => health.admit(TARGET, policy, world.nowMs, false))).toEqual([0, 0, 0]);
  });

  test("B5: at the end of a cooldown their calls come back one after another, not a few from each at the same moment", async () => {
    const { world, all } = fleet(50);
    await world.advance(1000);
    const untilMs = world.nowMs + 5000;
    all[0]?.coolDown(TARGET, "credential", untilMs);
    await world.advance(5000);
    expect(world.nowMs).toBe(untilMs);
    let admitted = 0;
    const ask = (health: SharedHealth): void => {
      const waitMs = health.admit(TARGET, policy, world.nowMs, false);
      if (waitMs > 0) return void world.after(waitMs, () => ask(health));
      health.started(TARGET);
      admitted++;
    };
    for (const health of all) for (let n = 0; n < 10; n++) ask(health);
    await world.advance(1000);
    expect(admitted).toBeGreaterThan(0);
    expect(admitted).toBeLessThan(50);
  });

  test("B5: who waits for the turn of its process is told that the target recovers, and a policy without a ramp goes at once", async () => {
    const { world, all } = fleet(50);
    await world.advance(1000);
    all[0]?.coolDown(TARGET, "credential", world.nowMs + 1000);
    await world.advance(1000);
    const last = [...all].sort((a, b) => b.exchange.laterMs - a.exchange.laterMs)[0] as SharedHealth;
    const { nowMs } = world;
    expect(last.blockedForMs(TARGET, policy.breaker, nowMs)).toBeGreaterThan(300);
    expect(whyHeldBack(last, TARGET, policy.breaker, nowMs)).toMatchObject({ evidence: "health:recovering" });
    const abrupt = definePolicy({ breaker: { rampMs: 0 } }, policy);
    expect([last.blockedForMs(TARGET, null, nowMs), last.admit(TARGET, abrupt, nowMs, false)]).toEqual([0, 0]);
  });

  test("B5: those who waited for a crowd come back on a ramp that all of them share", async () => {
    const { world, all } = fleet(20);
    const underWay: (readonly [SharedHealth, number])[] = [];
    const start = (health: SharedHealth): void => {
      health.started(TARGET);
      underWay.push([health, world.nowMs]);
    };
    const answer = (): void => {
      const [health, admittedAtMs] = underWay.shift() ?? [];
      if (health === undefined || admittedAtMs === undefined) return;
      if (health.isQuiet) health.countAnswer(TARGET, world.ports);
      else health.succeeded({ target: TARGET, policy, admittedAtMs }, world.nowMs);
    };
    // Forty calls a second, answered after half a second.
    for (let n = 0; n < 800; n++) {
      await world.advance(25);
      start(all[n % 20] as SharedHealth);
      if (n >= 20) answer();
    }
    // Then five answers a second: those who ask wait.
    let waiting = 0;
    const ask = (health: SharedHealth): void => {
      const waitMs = health.isFree ? 0 : health.admit(TARGET, policy, world.nowMs, false);
      if (waitMs === 0) return start(health);
      waiting++;
      world.after(waitMs, () => {
        waiting--;
        ask(health);
      });
    };
    for (let n = 0; n < 800; n++) {
      await world.advance(25);
      ask(all[n % 20] as SharedHealth);
      if (n % 8 === 0) answer();
    }
    expect(waiting).toBeGreaterThan(200);
    // It answers forty a second again.
    const before = { waiting, underWay: underWay.length };
    for (let n = 0; n < 80; n++) {
      await world.advance(25);
      answer();
    }
    expect(before.waiting - waiting).toBeGreaterThan(20);
    expect(before.waiting - waiting).toBeLessThan(40 * 2 * 2);
  });

  test("B5: what leaves the process names the credential as it was told to, never by its own name", async () => {
    const told: string[] = [];
    const health = new SharedHealth({
      ...{ health: new MemoryHealth(), id: "a", now: () => 1, phase: 0 },
      nameOf: ({ provider, model }) => ({ provider, model, credential: "hash" }),
    });
    health.exchange.join({ wake: () => undefined, claim: () => undefined }, 0, []);
    const secret = { ...TARGET, credential: "sk-very-secret" };
    health.started(secret);
    health.coolDown(secret, "credential", 5000);
    const said = health.exchange.announce();
    told.push(said?.text ?? "", JSON.stringify(said?.facts));
    expect(told.join()).toContain("hash");
    expect(told.join()).not.toContain("very-secret");
  });
});
