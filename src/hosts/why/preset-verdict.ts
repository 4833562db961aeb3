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
} from "../../kernel/index.ts";
import { PRESETS } from "../../presets/index.ts";
import { sayDuration } from "../../terminal/index.ts";

/** What one preset would do, in a sentence. */
export interface PresetVerdict {
  readonly preset: string;
  readonly verdict: string;
}

const TWO_KEYS = chainOf([{ provider: "a", model: "one", credentials: ["1", "2"] }]);
const TWO_MODELS = chainOf([
  { provider: "a", model: "one" },
  { provider: "b", model: "two" },
]);

/** Nothing has happened yet but the one failed attempt. */
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
};
const WELL = { blockedForMs: () => 0, canRetry: () => true };
/** The two ends of chance: what jitter does lies between them. The upper one is the largest number below 1. */
const LOWEST = 0;
const HIGHEST = 1 - Number.EPSILON / 2;

/** What each preset would do about the failure, asked of the engine itself. */
export function presetVerdicts(failure: Failure): readonly PresetVerdict[] {
  return Object.values(PRESETS)
    .map((preset) => preset())
    .map((policy) => ({
      preset: policy.name,
      verdict: sayVerdict(policy, failure),
    }));
}

/** A fresh generation with one target decides; with a second key or model it may rather go there. */
export function sayVerdict(policy: Policy, failure: Failure): string {
  const ask = (chain: Chain, random: number): Decision =>
    decide({
      policy: preparePolicy(policy),
      chain,
      standing: FRESH,
      health: WELL,
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
  return places.length === 0 ? here : `tries another ${places.join(" or ")} if there is one; else ${here}`;
}

interface Asked {
  readonly policy: Policy;
  readonly failure: Failure;
  /** The same wait with the least that chance could give. */
  readonly leastMs: number;
}

function sayDecision(decision: Decision, asked: Asked): string {
  switch (decision.type) {
    case "wait":
      return sayWait(decision, asked);
    case "hand-over":
      return "hands over to compaction: the conversation has to get shorter";
    case "stop":
      return `stops: ${sayStop(decision, asked)}`;
    case "rotate":
    case "switch":
      return `goes on elsewhere: ${decision.because}`;
    default:
      return decision satisfies never;
  }
}

function sayWait({ delayMs, schedule }: Extract<Decision, { type: "wait" }>, { policy, leastMs }: Asked): string {
  const { maxRetries = null } = preparePolicy(policy).schedules[schedule] ?? {};
  const times =
    maxRetries === null ? "as often as it takes" : maxRetries === 1 ? "once" : `${maxRetries} times at most`;
  if (delayMs === 0) return `tries again at once (${times})`;
  const wait = leastMs < delayMs ? `up to ${sayDuration(delayMs)}` : sayDuration(delayMs);
  return `waits ${wait}, then tries again (${times})`;
}

function sayStop({ reason, because }: Extract<Decision, { type: "stop" }>, { policy, failure }: Asked): string {
  switch (reason) {
    case "delay-cap":
      return `so long a wait is over its limit of ${sayDuration(policy.maxDelayMs ?? 0)}`;
    case "not-retryable":
      return failure.retryable ? "this preset does not retry it" : "trying again would not help";
    case "hopeless":
      return "this one does not pass by waiting";
    case "aborted":
      return "you cancelled it";
    default:
      return because;
  }
}
