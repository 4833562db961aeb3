import {
  type Chain,
  chainOf,
  type Decision,
  decide,
  type Failure,
  type Policy,
  preparePolicy,
  SINGLE_TARGET,
  type Standing,
  type StopReason,
} from "../kernel/index.ts";
import { PRESETS } from "../presets/index.ts";

/** What a policy does about a failure with one target, as data: every language has its own sentence for it. */
export type PolicyAction =
  | {
      /** `leastMs` is below `mostMs` where jitter chooses between them. Both are 0: it retries at once. */
      readonly type: "retry";
      readonly leastMs: number;
      readonly mostMs: number;
      /** Null: no limit. */
      readonly maxRetries: number | null;
      /** The longest time of waiting in all. Null: no limit. */
      readonly patienceMs: number | null;
    }
  /** Compaction shortens the conversation. */
  | { readonly type: "hand-over" }
  | {
      readonly type: "stop";
      readonly reason: StopReason;
      /** `delay-cap`: the longest single wait that the policy accepts. */
      readonly capMs?: number;
      /** `not-retryable`: false if only this policy does not retry it, true if no retry could help. */
      readonly isHopeless?: boolean;
      /** In English. */
      readonly because: string;
    };

/** What one policy would do after the first failed attempt of a generation. */
export interface PolicyDecision {
  /** Name of the preset or policy. */
  readonly preset: string;
  /** What it prefers to `action` where the chain has more than one: another key, another model. */
  readonly elsewhere: readonly ("key" | "model")[];
  readonly action: PolicyAction;
}

const TWO_KEYS = chainOf([{ provider: "a", model: "one", credentials: ["1", "2"] }]);
const TWO_MODELS = chainOf([
  { provider: "a", model: "one" },
  { provider: "b", model: "two" },
]);

/** After the first failed attempt. */
const FRESH: Standing = {
  filterId: "",
  position: 0,
  canReplay: true,
  used: [],
  drawnMs: [],
  previousMs: 0,
  triesHere: 1,
  leftSinceWait: [],
  spent: [],
  sameErrorRun: 1,
  guesses: 1,
  blockedWaits: 0,
  blockedMs: 0,
  limitWaits: 0,
  inLineMs: 0,
  patienceUsedMs: 0,
  waitedHereMs: 0,
};
const HEALTHY = { blockedForMs: () => 0 };
/** The range of random numbers, for the range of jittered waits. The upper one is the largest number below 1. */
const LOWEST = 0;
const HIGHEST = 1 - Number.EPSILON / 2;

/** What each preset would do about the failure, as decided by the engine itself. */
export function presetDecisions(failure: Failure): readonly PolicyDecision[] {
  return Object.values(PRESETS).map((preset) => decisionOf(preset(), failure));
}

/** The same for any policy. */
export function decisionOf(policy: Policy, failure: Failure): PolicyDecision {
  const prepared = preparePolicy(policy);
  const ask = (chain: Chain, random: number): Decision =>
    decide({
      policy: prepared,
      chain,
      standing: FRESH,
      health: HEALTHY,
      nowMs: 0,
      random: () => random,
      failure,
    });
  const elsewhere: ("key" | "model")[] = [];
  if (ask(TWO_KEYS, HIGHEST).type === "rotate") elsewhere.push("key");
  if (ask(TWO_MODELS, HIGHEST).type === "switch") elsewhere.push("model");
  const decision = ask(SINGLE_TARGET, HIGHEST);
  const least = ask(SINGLE_TARGET, LOWEST);
  const leastMs = least.type === "wait" ? least.delayMs : 0;
  return { preset: policy.name, elsewhere, action: actionOf(decision, { policy, failure, leastMs }) };
}

interface Asked {
  readonly policy: Policy;
  readonly failure: Failure;
  /** The shortest wait that jitter allows. */
  readonly leastMs: number;
}

function actionOf(decision: Decision, { policy, failure, leastMs }: Asked): PolicyAction {
  switch (decision.type) {
    case "wait": {
      const { maxRetries = null } = preparePolicy(policy).schedules[decision.schedule] ?? {};
      // Jitter leaves fractions: what is just below a second is a second.
      const mostMs = Math.round(decision.delayMs);
      return { type: "retry", leastMs: Math.round(leastMs), mostMs, maxRetries, patienceMs: policy.patienceMs };
    }
    case "hand-over":
      return { type: "hand-over" };
    case "stop": {
      const { reason, because } = decision;
      const capMs = reason === "delay-cap" ? capOf(policy, failure) : null;
      return {
        type: "stop",
        reason,
        because,
        ...(capMs !== null && { capMs }),
        ...(reason === "not-retryable" && { isHopeless: !failure.retryable }),
      };
    }
    case "rotate":
    case "switch":
      // A chain of one target has nowhere to go.
      return { type: "stop", reason: "no-target", because: decision.because };
    default:
      return decision satisfies never;
  }
}

/** A rule may have its own cap. */
function capOf({ rules, maxDelayMs }: Policy, { kind }: Failure): number | null {
  const rule = rules[kind];
  return (rule.action === "retry" ? rule.maxDelayMs : undefined) ?? maxDelayMs;
}
