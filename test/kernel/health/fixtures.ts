import { definePolicy, type PolicyInput } from "../../../src/kernel/decide/define-policy.ts";
import type { Admission, Health } from "../../../src/kernel/health/health.ts";
import type { Failure, FailureKind } from "../../../src/kernel/model/failure.ts";
import type { Policy } from "../../../src/kernel/model/policy.ts";
import type { Ports } from "../../../src/kernel/model/ports.ts";
import type { Target } from "../../../src/kernel/model/target.ts";

export function target(provider = "a", model = "m", credential = "k"): Target {
  return { provider, model, credential };
}

export function failureOf(kind: FailureKind): Failure {
  return {
    kind,
    scope: "provider",
    retryable: true,
    message: "boom",
    status: undefined,
    code: undefined,
    hintMs: undefined,
    evidence: "test",
    confidence: "certain",
    target: undefined,
    cause: undefined,
  };
}

export function policyOf(input: PolicyInput): Policy {
  return definePolicy(input);
}

export const breaker = { failures: 2, leastShare: 0.4, cooldownMs: 100, maxCooldownMs: 350, rampMs: 30_000 };
/** Refilled by successes alone. */
export const budget = { capacity: 3, capacitySeconds: 30, refillPerSuccess: 0.5, refillPerSecond: 0 };
export const guarded = policyOf({ breaker });
export const plain = policyOf({});

/** An attempt that was let through at the given moment; -1: health was not asked. */
export function under(policy: Policy, admittedAtMs = -1, to = target()): Admission {
  return { target: to, policy, admittedAtMs };
}

/** How many of so many who ask at a moment are let through. */
export function letThrough(health: Health, asking: number, nowMs: number): number {
  let count = 0;
  for (let n = 0; n < asking; n++) if (health.admit(target(), guarded, nowMs, false) === 0) count++;
  return count;
}

/** How many of so many retries that ask at a moment are let through. */
export function retries(health: Health, policy: Policy, asking: number, nowMs: number, to = target()): number {
  let count = 0;
  for (let n = 0; n < asking; n++) if (health.admit(to, policy, nowMs, true) === 0) count++;
  return count;
}

/** Calls that are answered at once, so many a second for so many seconds. Returns when they are over. */
export function steadily(health: Health, perSecond: number, seconds: number, fromMs: number, to = target()): number {
  let nowMs = fromMs;
  for (let n = 0; n < perSecond * seconds; n++) {
    nowMs += 1000 / perSecond;
    health.started?.(to);
    health.succeeded(under(guarded, -1, to), nowMs);
  }
  return nowMs;
}

/** Failures enough to open the breaker. */
export function open(health: Health, nowMs: number): void {
  for (let n = 0; n < breaker.failures; n++) health.failed(under(guarded), failureOf("server"), nowMs);
}

/** Ports of which only the report of faults may be used. */
export function reportingPorts(): { readonly ports: Ports; readonly faults: { fault: unknown; where: string }[] } {
  const faults: { fault: unknown; where: string }[] = [];
  const ports = { reportFault: (fault: unknown, where: string) => faults.push({ fault, where }) } as unknown as Ports;
  return { ports, faults };
}

/** The same numbers in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
