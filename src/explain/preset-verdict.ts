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
} from "../kernel/index.ts";
import { sayDuration } from "../kernel/model/say-duration.ts";
import { PRESETS } from "../presets/index.ts";

/** What one preset would do, as a phrase. */
export interface PresetVerdict {
  readonly preset: string;
  readonly verdict: string;
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
export function presetVerdicts(failure: Failure): readonly PresetVerdict[] {
  return Object.values(PRESETS).map((preset) => {
    const policy = preset();
    return { preset: policy.name, verdict: sayVerdict(policy, failure) };
  });
}

/** The decision of a new generation with one target, and whether it would prefer a second key or model. */
function sayVerdict(policy: Policy, failure: Failure): string {
  const ask = (chain: Chain, random: number): Decision =>
    decide({
      policy: preparePolicy(policy),
      chain,
      standing: FRESH,
      health: HEALTHY,
      nowMs: 0,
      random: () => random,
      failure,
    });
  const decision = ask(SINGLE_TARGET, HIGHEST);
  const least = ask(SINGLE_TARGET, LOWEST);
  const here = sayDecision(decision, { policy, failure, leastMs: least.type === "wait" ? least.delayMs : 0 });
  const places = [
    ask(TWO_KEYS, HIGHEST).type === "rotate" ? "key" : "",
    ask(TWO_MODELS, HIGHEST).type === "switch" ? "model" : "",
  ].filter((place) => place !== "");
  return places.length === 0 ? here : `tries another ${places.join(" or ")} if available; otherwise ${here}`;
}

interface Asked {
  readonly policy: Policy;
  readonly failure: Failure;
  /** The shortest wait that jitter allows. */
  readonly leastMs: number;
}

function sayDecision(decision: Decision, asked: Asked): string {
  switch (decision.type) {
    case "wait":
      return sayWait(decision, asked);
    case "hand-over":
      return "hands over to compaction, which shortens the conversation";
    case "stop":
      return `stops: ${sayStop(decision, asked)}`;
    case "rotate":
    case "switch":
      return `switches: ${decision.because}`;
    default:
      return decision satisfies never;
  }
}

function sayWait({ delayMs, schedule }: Extract<Decision, { type: "wait" }>, { policy, leastMs }: Asked): string {
  const { maxRetries = null } = preparePolicy(policy).schedules[schedule] ?? {};
  const times = sayLimit(maxRetries, policy.patienceMs);
  if (delayMs === 0) return `retries at once (${times})`;
  const wait = leastMs < delayMs ? `up to ${sayDuration(delayMs)}` : sayDuration(delayMs);
  return `waits ${wait}, then retries (${times})`;
}

/** How often, and for how much waiting in all. */
function sayLimit(maxRetries: number | null, patienceMs: number | null): string {
  const often = maxRetries === null ? [] : [maxRetries === 1 ? "once" : `at most ${maxRetries} times`];
  const long = patienceMs === null ? [] : [`for up to ${sayDuration(patienceMs)} of waiting`];
  return often.length + long.length === 0 ? "without a limit" : [...often, ...long].join(", ");
}

function sayStop({ reason, because }: Extract<Decision, { type: "stop" }>, { policy, failure }: Asked): string {
  switch (reason) {
    case "delay-cap":
      return `the wait exceeds its limit of ${sayDuration(capOf(policy, failure) ?? 0)}`;
    case "not-retryable":
      return failure.retryable ? "this preset does not retry it" : "a retry would not help";
    case "hopeless":
      return "waiting does not help here";
    case "aborted":
      return "you cancelled it";
    default:
      return because;
  }
}

/** A rule may have its own cap. */
function capOf({ rules, maxDelayMs }: Policy, { kind }: Failure): number | null {
  const rule = rules[kind];
  return (rule.action === "retry" ? rule.maxDelayMs : undefined) ?? maxDelayMs;
}
