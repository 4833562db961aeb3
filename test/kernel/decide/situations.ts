import { type Chain, chainOf, SINGLE_TARGET } from "../../../src/kernel/decide/chain.ts";
import { definePolicy, type PolicyInput } from "../../../src/kernel/decide/define-policy.ts";
import { isPolicy, preparePolicy } from "../../../src/kernel/decide/prepare-policy.ts";
import type { Situation, Standing } from "../../../src/kernel/decide/situation.ts";
import type { HealthView } from "../../../src/kernel/health/health.ts";
import type { Failure } from "../../../src/kernel/model/failure.ts";
import type { Policy } from "../../../src/kernel/model/policy.ts";
import type { Target, TargetEntry } from "../../../src/kernel/model/target.ts";

export const CALM: HealthView = { blockedForMs: () => 0 };

/** Two credentials of one model, then one model each of two other providers. */
export const CHAIN: Chain = chainOf([
  { provider: "a", model: "opus", credentials: ["k1", "k2"] },
  { provider: "b", model: "gpt", credentials: ["k3"] },
  { provider: "c", model: "flash", credentials: ["k4"] },
]);

export function failure(kind: Failure["kind"], facts: Partial<Failure> = {}): Failure {
  return {
    kind,
    scope: "request",
    retryable: true,
    message: "boom",
    status: undefined,
    code: undefined,
    hintMs: undefined,
    evidence: "test",
    confidence: "certain",
    target: undefined,
    cause: undefined,
    ...facts,
  };
}

export function standing(facts: Partial<Standing> = {}): Standing {
  return {
    filterId: "",
    position: 0,
    canReplay: true,
    used: [0],
    drawnMs: [0],
    previousMs: 0,
    triesHere: 1,
    leftSinceWait: [],
    spent: [],
    sameErrorRun: 1,
    guesses: 0,
    blockedWaits: 0,
    blockedMs: 0,
    limitWaits: 0,
    inLineMs: 0,
    patienceUsedMs: 0,
    waitedHereMs: 0,
    ...facts,
  };
}

/** Health that holds back the given positions of a chain for so long. */
export function healthOf(chain: Chain, blockedMs: Readonly<Record<number, number>>): HealthView {
  return { blockedForMs: (target: Target) => blockedMs[chain.targets.indexOf(target)] ?? 0 };
}

export interface Given {
  readonly policy?: PolicyInput | Policy;
  readonly chain?: Chain | readonly TargetEntry[];
  readonly standing?: Partial<Standing>;
  readonly failure?: Failure;
  readonly blockedMs?: Readonly<Record<number, number>>;
  readonly health?: HealthView;
  readonly random?: () => number;
}

/** A situation in which nothing is remarkable but what is given. */
export function situation(given: Given = {}): Situation {
  const policy = isPolicy(given.policy) ? given.policy : definePolicy((given.policy ?? {}) as PolicyInput);
  const chain = Array.isArray(given.chain) ? chainOf(given.chain) : ((given.chain ?? SINGLE_TARGET) as Chain);
  return {
    policy: preparePolicy(policy),
    chain,
    standing: standing(given.standing),
    failure: given.failure ?? failure("server", { scope: "provider", status: 503 }),
    health: given.health ?? healthOf(chain, given.blockedMs ?? {}),
    nowMs: 1_000_000,
    random: given.random ?? (() => 0.5),
  };
}
