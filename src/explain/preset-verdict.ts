import type { Failure } from "../kernel/index.ts";
import { sayDuration } from "../kernel/model/say-duration.ts";
import { type PolicyAction, type PolicyDecision, presetDecisions } from "./preset-decisions.ts";

/** What one preset would do, as a phrase. */
export interface PresetVerdict {
  readonly preset: string;
  readonly verdict: string;
}

/** What each preset would do about the failure, in English. */
export function presetVerdicts(failure: Failure): readonly PresetVerdict[] {
  return presetDecisions(failure).map((decision) => ({ preset: decision.preset, verdict: sayVerdict(decision) }));
}

/** A decision as a phrase that follows the policy's name. */
export function sayVerdict({ elsewhere, action }: PolicyDecision): string {
  const here = sayAction(action);
  return elsewhere.length === 0 ? here : `tries another ${elsewhere.join(" or ")} if available; otherwise ${here}`;
}

function sayAction(action: PolicyAction): string {
  switch (action.type) {
    case "retry":
      return sayRetry(action);
    case "hand-over":
      return "hands over to compaction, which shortens the conversation";
    case "stop":
      return `stops: ${sayStop(action)}`;
    default:
      return action satisfies never;
  }
}

function sayRetry({ leastMs, mostMs, ...limits }: Extract<PolicyAction, { type: "retry" }>): string {
  const times = sayLimit(limits.maxRetries, limits.patienceMs);
  if (mostMs === 0) return `retries at once (${times})`;
  const wait = leastMs < mostMs ? `up to ${sayDuration(mostMs)}` : sayDuration(mostMs);
  return `waits ${wait}, then retries (${times})`;
}

/** How often, and for how much waiting in all. */
function sayLimit(maxRetries: number | null, patienceMs: number | null): string {
  const often = maxRetries === null ? [] : [maxRetries === 1 ? "once" : `at most ${maxRetries} times`];
  const long = patienceMs === null ? [] : [`for up to ${sayDuration(patienceMs)} of waiting`];
  return often.length + long.length === 0 ? "without a limit" : [...often, ...long].join(", ");
}

function sayStop({ reason, capMs, isHopeless, because }: Extract<PolicyAction, { type: "stop" }>): string {
  switch (reason) {
    case "delay-cap":
      return `the wait exceeds its limit of ${sayDuration(capMs ?? 0)}`;
    case "not-retryable":
      return isHopeless === true ? "a retry would not help" : "this preset does not retry it";
    case "hopeless":
      return "waiting does not help here";
    case "aborted":
      return "you cancelled it";
    default:
      return because;
  }
}
