import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chainOf } from "../../../src/kernel/decide/chain.ts";
import { decide } from "../../../src/kernel/decide/decide.ts";
import { decideBlocked } from "../../../src/kernel/decide/decide-blocked.ts";
import { definePolicy, type RuleInput } from "../../../src/kernel/decide/define-policy.ts";
import { HELD_BACK_MS } from "../../../src/kernel/decide/patience.ts";
import type { Situation } from "../../../src/kernel/decide/situation.ts";
import { isOpenEnded } from "../../../src/kernel/health/refusal.ts";
import { spendsRetry } from "../../../src/kernel/health/retry-budget.ts";
import { deepFreeze } from "../../../src/kernel/model/check.ts";
import { FAILURE_KINDS, type Failure, type FailureKind } from "../../../src/kernel/model/failure.ts";
import type { BreakerSpec, Policy } from "../../../src/kernel/model/policy.ts";
import type { ScheduleSpec } from "../../../src/kernel/model/schedule-spec.ts";
import type { Target } from "../../../src/kernel/model/target.ts";
import { often } from "../../support/soak.ts";
import { type Drive, drive } from "./drive.ts";
import { failure } from "./situations.ts";

const MOST_RETRIES = 4;
const LONGEST_HINT_MS = 100_000;
/** What the sum of fractions of a millisecond may be off by. */
const ROUNDING_MS = 1e-6;
const ms = fc.integer({ min: 0, max: 20_000 });

const finiteSchedule = fc.record({
  type: fc.constant("exponential" as const),
  baseMs: ms,
  factor: fc.constantFrom(1, 1.5, 2),
  capMs: ms,
  jitter: fc.constantFrom("none" as const, "full" as const, "equal" as const, "decorrelated" as const),
  budgetMs: fc.integer({ min: 0, max: 60_000 }),
  atMost: fc.constantFrom(0, 2, 3, MOST_RETRIES),
}) satisfies fc.Arbitrary<ScheduleSpec>;

const scheduleName = fc.constantFrom("general", "other");
const rule: fc.Arbitrary<RuleInput> = fc.oneof(
  fc.record({
    action: fc.constant("retry" as const),
    schedule: scheduleName,
    delay: fc.constantFrom("schedule" as const, "none" as const),
    when: fc.constantFrom("retryable" as const, "always" as const),
  }),
  fc.record({
    action: fc.constant("elsewhere" as const),
    schedule: scheduleName,
    otherwise: fc.constantFrom("wait" as const, "retry" as const, "stop" as const),
  }),
);
const TRIED: readonly FailureKind[] = FAILURE_KINDS.filter((kind) => kind !== "aborted" && kind !== "context_overflow");

const policies: fc.Arbitrary<Policy> = fc
  .record({
    schedules: fc.record({ general: finiteSchedule, other: finiteSchedule }),
    rules: fc.dictionary(fc.constantFrom(...TRIED), rule),
    statuses: fc.dictionary(fc.constantFrom("429", "500", "503"), rule),
    honourHints: fc.boolean(),
    maxDelayMs: fc.option(ms),
    patienceMs: fc.option(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60_000 }))),
    fallback: fc.record({
      patienceMs: fc.option(ms),
      when: fc.constantFrom("immediate" as const, "after-retries" as const, "long-wait" as const),
      longWaitMs: ms,
      triesPerFallback: fc.option(fc.integer({ min: 1, max: 3 })),
      movesCount: fc.boolean(),
      revert: fc.constantFrom("cooldown-expiry" as const, "never" as const),
      cooldownMs: fc.integer({ min: 1, max: 30_000 }),
    }),
    sameServerError: fc.option(fc.integer({ min: 2, max: 3 })),
    breaker: fc.option(
      fc.record({
        failures: fc.integer({ min: 1, max: 3 }),
        leastShare: fc.constantFrom(0, 0.4, 1),
        cooldownMs: fc.integer({ min: 1, max: 5000 }),
        maxCooldownMs: fc.integer({ min: 5000, max: 20_000 }),
        rampMs: fc.constantFrom(0, 1000, 30_000),
      }),
    ),
    budget: fc.option(
      fc.record({
        capacity: fc.integer({ min: 1, max: 8 }),
        refillPerSuccess: fc.constant(0.1),
        refillPerSecond: fc.constantFrom(0, 0.1, 1),
      }),
    ),
  })
  .map((input) => definePolicy(input as Parameters<typeof definePolicy>[0]));

// Few names, so that targets share providers, models and credentials. No model is named twice: the second would cool down with
// the first, and with a cooldown of a millisecond only patience ends such a generation, thousands of calls later.
const chains = fc
  .uniqueArray(
    fc.record({
      provider: fc.constantFrom("a", "b"),
      model: fc.constantFrom("x", "y", "z"),
      credentials: fc.uniqueArray(fc.constantFrom("k1", "k2", "k3"), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6, selector: ({ provider, model }) => `${provider}/${model}` },
  )
  .map((entries) => chainOf(entries))
  .filter((chain) => chain.targets.length <= 6);

const failures: fc.Arbitrary<Failure> = fc
  .record({
    kind: fc.constantFrom(...FAILURE_KINDS),
    scope: fc.constantFrom("request" as const, "credential" as const, "model" as const, "provider" as const),
    retryable: fc.constantFrom(true, true, true, false),
    message: fc.constantFrom("boom", "bang"),
    status: fc.option(fc.constantFrom(400, 429, 500, 503), { nil: undefined }),
    hintMs: fc.option(fc.oneof(fc.constantFrom(1, 0.5), fc.integer({ min: 1, max: LONGEST_HINT_MS })), {
      nil: undefined,
    }),
  })
  .map(({ kind, ...facts }) => failure(kind, facts));

const worlds = fc.record({
  policy: policies,
  chain: chains,
  // Mostly such as the policy retries: the others end everything at once.
  script: fc.array(fc.oneof({ weight: 1, arbitrary: failures }, { weight: 9, arbitrary: failures.filter(isTried) }), {
    minLength: 1,
    maxLength: 20,
  }),
  tookMs: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 5 }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

function isTried({ kind }: Failure): boolean {
  return TRIED.includes(kind);
}

type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function driveWorld({ policy, chain, script, tookMs, random }: World, onDecision?: Drive["onDecision"]) {
  return drive({
    policy,
    chain,
    attempt: (n) => script[(n - 1) % script.length] as Failure,
    tookMs: (n) => tookMs[(n - 1) % tookMs.length] as number,
    random: () => random,
    ...(onDecision !== undefined && { onDecision }),
  });
}

function forAllWorlds(check: (world: World) => void): void {
  fc.assert(fc.property(worlds, check), { numRuns: often(300, 20_000) });
}

describe("what holds for every generation", () => {
  test("E10: it ends: finite schedules make a bounded number of decisions", () => {
    forAllWorlds((world) => {
      const targets = world.chain.targets.length;
      const { breaker, budget, patienceMs } = world.policy;
      const { decisions, last } = driveWorld(world);
      const held = decisions.flatMap((one) => (one.type === "wait" && one.schedule < 0 ? [one.delayMs] : []));
      // Those who are held back ask again after any time, however short: with a breaker or a budget it is their patience that ends.
      if (breaker === null && budget === null && patienceMs === null)
        expect(held.length).toBeLessThanOrEqual(MOST_RETRIES);
      // Limits without an answer in between are waited for as often as there are retries, however long they are.
      else {
        const mostMs = patienceMs === null ? HELD_BACK_MS + MOST_RETRIES * LONGEST_HINT_MS : patienceMs + ROUNDING_MS;
        expect(held.reduce((sum, delayMs) => sum + delayMs, 0)).toBeLessThanOrEqual(mostMs);
      }
      const waits = 2 * MOST_RETRIES * targets + held.length;
      expect(decisions.length).toBeLessThanOrEqual((waits + 1) * (targets + 1));
      expect(["stop", "hand-over"]).toContain(last?.type);
    });
  });

  test("E11: the waits of a generation never add up to more than the policy's patience, unless the target answers others", () => {
    forAllWorlds((world) => {
      const { patienceMs } = world.policy;
      const waitedMs = driveWorld(world).waits.reduce((sum, delayMs) => sum + delayMs, 0);
      expect(waitedMs).toBeLessThanOrEqual((patienceMs ?? Number.POSITIVE_INFINITY) + ROUNDING_MS);
    });
  });

  test("E11: a policy without patience never waits: each target gets one attempt at most", () => {
    forAllWorlds((world) => {
      const { attempts, waits } = driveWorld({ ...world, policy: definePolicy({ patienceMs: 0 }, world.policy) });
      expect(waits).toEqual([]);
      const positions = attempts.map(({ position }) => position);
      expect(new Set(positions).size).toBe(positions.length);
    });
  });

  test("E11: a wait is shortened only to end with the patience, and never below what the endpoint or health asks", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, chain, policy, health, failure: failed, nowMs }, blockedMs) => {
        if (decision.type !== "wait" || !decision.because.startsWith("the last try")) return;
        expect(standing.patienceUsedMs + decision.delayMs).toBeCloseTo(policy.policy.patienceMs as number, 5);
        expect(blockedMs).toBe(0);
        expect(decision.delayMs).toBeGreaterThanOrEqual(policy.policy.honourHints ? (failed.hintMs ?? 0) : 0);
        if (decision.to !== standing.position) return;
        const here = chain.targets[decision.to] as Target;
        if (health.refusalOf?.(here, nowMs) !== undefined) return;
        expect(decision.delayMs).toBeGreaterThanOrEqual(health.blockedForMs(here, policy.policy.breaker, nowMs));
      });
    });
  });

  test("E11: with patience, a failure that passes is retried if the first delay fits, and again until the patience ends", () => {
    const lone = fc.record({
      baseMs: fc.integer({ min: 500, max: 20_000 }),
      capMs: fc.integer({ min: 500, max: 30_000 }),
      jitter: fc.constantFrom("none" as const, "equal" as const, "full" as const),
      patienceMs: fc.integer({ min: 0, max: 300_000 }),
      random: fc.double({ min: 0.1, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(lone, ({ baseMs, capMs, jitter, patienceMs, random }) => {
        const general = { type: "exponential", baseMs, factor: 2, capMs, jitter } as const;
        const policy = definePolicy({ schedules: { general }, patienceMs });
        const overloaded = failure("overloaded", { status: 503, scope: "provider" });
        const { attempts, waits, last } = drive({
          policy,
          attempt: () => overloaded,
          random: () => random,
        });
        const spread = { none: 1, equal: (1 + random) / 2, full: random }[jitter];
        const firstMs = Math.min(baseMs, capMs) * spread;
        if (firstMs <= patienceMs) expect(attempts.length).toBeGreaterThanOrEqual(patienceMs === 0 ? 1 : 2);
        expect(last).toMatchObject({ type: "stop", reason: "patience" });
        // Nothing that is worth a try is left over.
        const leftMs = patienceMs - waits.reduce((sum, delayMs) => sum + delayMs, 0);
        expect(leftMs).toBeLessThan(Math.max(1, Math.min(1000, capMs / 2)));
      }),
      { numRuns: often(100, 5000) },
    );
  });

  test("E18: no delay is negative, endless or over the cap, and each leads to a target of the chain", () => {
    forAllWorlds((world) => {
      const { maxDelayMs } = world.policy;
      for (const decision of driveWorld(world).decisions) {
        if ("to" in decision) expect(world.chain.targets[decision.to]).toBeDefined();
        if (decision.type !== "wait") continue;
        expect(Number.isFinite(decision.delayMs)).toBe(true);
        expect(decision.delayMs).toBeGreaterThanOrEqual(0);
        if (maxDelayMs !== null) expect(decision.delayMs).toBeLessThanOrEqual(maxDelayMs);
      }
    });
  });

  test("E11: a schedule never exceeds its budget or its number of retries", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, policy }) => {
        if (decision.type !== "wait" || decision.schedule < 0) return;
        const { atMost = 0, budgetMs = 0 } = policy.schedules[decision.schedule]?.spec ?? {};
        expect(standing.used[decision.schedule] ?? 0).toBeLessThan(atMost);
        if (!/usually passes|as scheduled/.test(decision.because)) return;
        expect((standing.drawnMs[decision.schedule] ?? 0) + decision.delayMs).toBeLessThanOrEqual(budgetMs);
      });
    });
  });

  test("E17: it never moves to where it is, to what is spent or to what cools down", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, chain, health, policy, nowMs }) => {
        if (decision.type !== "rotate" && decision.type !== "switch") return;
        const { to } = decision;
        expect(to).not.toBe(standing.position);
        expect(standing.spent).not.toContain(to);
        expect(health.blockedForMs(chain.targets[to] as Target, policy.policy.breaker, nowMs)).toBe(0);
        expect(decision.type === "rotate").toBe(chain.entryOf[to] === chain.entryOf[standing.position]);
      });
    });
  });

  test("E17: nothing waits for another target that no wait cures, a quota without a known end included", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, chain, health, nowMs }) => {
        if (decision.type !== "wait" || decision.to === standing.position) return;
        expect(health.refusalOf?.(chain.targets[decision.to] as Target, nowMs)).toBeUndefined();
      });
    });
  });

  test("E17: a quota without a known end is waited for only where the policy retries it", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, failure: failed, policy }, blockedMs) => {
        if (decision.type !== "wait" || decision.to !== standing.position || blockedMs > 0 || !isOpenEnded(failed))
          return;
        const status = failed.status === undefined ? undefined : policy.statuses.get(failed.status);
        const { action, ...rule } = status ?? policy.rules.usage_limit;
        expect(action === "retry" || ("otherwise" in rule && rule.otherwise === "retry")).toBe(true);
      });
    });
  });

  test("B5: the budget ends no generation whose failure spends none", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { failure: failed, policy }) => {
        if (decision.type !== "stop" || decision.reason !== "retry-budget") return;
        expect(spendsRetry(failed, policy.policy)).toBe(true);
      });
    });
  });

  test("B5: for want of room it never goes to another target of the provider that has none", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, chain }, _, evidence) => {
        if (evidence !== "health:budget" || !("to" in decision) || decision.to === standing.position) return;
        expect(chain.targets[decision.to]?.provider).not.toBe(chain.targets[standing.position]?.provider);
      });
    });
  });

  test("B5: the budget ends a generation only when its patience for room is over, or the wait for room is over the cap", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing, policy }, blockedMs) => {
        if (decision.type !== "stop" || decision.reason !== "retry-budget") return;
        // A policy without any retry does not wait either.
        if (policy.schedules[policy.general]?.maxRetries === 0) return;
        const { patienceMs, maxDelayMs } = policy.policy;
        if (maxDelayMs !== null && Math.ceil(blockedMs) > maxDelayMs) return;
        if (patienceMs === null) expect(standing.blockedMs + Math.ceil(blockedMs)).toBeGreaterThan(HELD_BACK_MS);
        else expect(standing.patienceUsedMs + Math.ceil(blockedMs)).toBeGreaterThan(patienceMs);
      });
    });
  });

  test("E17: it does not go round in a circle: between two waits each target is left at most once", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, { standing }) => {
        expect(new Set(standing.leftSinceWait).size).toBe(standing.leftSinceWait.length);
        if (decision.type === "rotate" || decision.type === "switch") {
          expect(standing.leftSinceWait).not.toContain(decision.to);
        }
      });
    });
  });

  test("E17: where the policy never reverts it never goes back to an earlier model", () => {
    forAllWorlds((world) => {
      if (world.policy.fallback.revert !== "never") return;
      const { entryOf } = world.chain;
      const entries = driveWorld(world).attempts.map(({ position }) => entryOf[position] as number);
      expect(entries).toEqual([...entries].sort((a, b) => a - b));
    });
  });

  test("S1: where moves count, retries and moves together are never more than the schedules allow", () => {
    forAllWorlds((world) => {
      const { fallback, schedules } = world.policy;
      if (!fallback.movesCount || fallback.when === "after-retries") return;
      const allowed = Object.values(schedules).reduce((sum, { atMost = 0 }) => sum + atMost, 0);
      // Moves away from what cools down are no answer to a failure.
      const isBlocked = (because: string) =>
        /^(the target is cooling down|there is no room to retry here),? and/.test(because);
      const counted = driveWorld(world).decisions.filter(
        (decision) => "to" in decision && decision.schedule >= 0 && !isBlocked(decision.because),
      );
      expect(counted.length).toBeLessThanOrEqual(allowed);
    });
  });

  test("E12: a decision depends on nothing but its situation, and changes nothing in it", () => {
    forAllWorlds((world) => {
      driveWorld(world, (decision, situation, blockedMs, evidence) => {
        deepFreeze(situation.standing);
        deepFreeze(situation.failure);
        deepFreeze(situation.chain);
        const frozen: Situation = Object.freeze({
          ...situation,
          health: Object.freeze({
            blockedForMs: situation.health.blockedForMs.bind(situation.health),
            refusalOf: (target: Target, atMs: number) => situation.health.refusalOf?.(target, atMs),
            limitOf: (target: Target, breaker: BreakerSpec | null, atMs: number) =>
              situation.health.limitOf?.(target, breaker, atMs),
          }),
        });
        const again = () => (blockedMs > 0 ? decideBlocked(frozen, blockedMs, { evidence }) : decide(frozen));
        expect(again()).toEqual(decision);
        expect(again()).toEqual(decision);
      });
    });
  });

  test("E12: every decision contains a readable explanation", () => {
    forAllWorlds((world) => {
      for (const decision of driveWorld(world).decisions) {
        expect(decision.because).toMatch(/^\S.*\S$/);
        expect(decision.because).not.toMatch(/undefined|NaN|null|\[object/);
      }
    });
  });
});
