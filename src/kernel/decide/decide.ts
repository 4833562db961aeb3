import type { Decision } from "../model/decision.ts";
import { goElsewhere, leaveGivenUp } from "./go-elsewhere.ts";
import type { PreparedPolicy, PreparedRule } from "./prepare-policy.ts";
import { type Situation, stop } from "./situation.ts";
import { tryAgain } from "./try-again.ts";

/** What to do about a failure: a pure function of the failure, the policy, where the generation stands and what health knows. */
export function decide(situation: Situation): Decision {
  const { failure, standing } = situation;
  const { policy } = situation.policy;
  if (failure.kind === "aborted") return stop("aborted", "the generation was aborted");
  if (failure.below?.outcome === "gave-up") return stop("gave-up", "a person gave up in the layer below");
  if (!policy.enabled) return stop("disabled", "the policy is switched off");
  if (isFilteredOut(situation.policy, standing.filterId)) {
    return stop("filtered", `the ${policy.filter?.mode} leaves this generation id out`);
  }
  const rule = ruleFor(situation.policy, situation);
  if (rule.action === "hand-over")
    return { type: "hand-over", because: "the context is too long: compaction can help, a retry can't" };
  // Past the first content a retry would repeat text that the user has already seen.
  if (!standing.canReplay) return stop("already-streaming", "content was already given out and can't be taken back");
  switch (rule.action) {
    case "stop":
      return stop(
        "not-retryable",
        `${policy.name} does not retry ${failure.kind}${failure.status === undefined ? "" : ` (${failure.status})`}`,
      );
    case "elsewhere":
      return failure.below === undefined ? goElsewhere(situation, rule) : leaveGivenUp(situation, rule, failure.below);
    case "retry":
      return failure.below === undefined ? tryAgain(situation, rule) : leaveGivenUp(situation, rule, failure.below);
    default:
      return rule satisfies never;
  }
}

/** A status has the first word, except where the kind says what the status can't: overflow and abort. */
function ruleFor(prepared: PreparedPolicy, { failure }: Situation): PreparedRule {
  const { kind, status } = failure;
  const byStatus = status === undefined || kind === "context_overflow" ? undefined : prepared.statuses.get(status);
  return byStatus ?? prepared.rules[kind];
}

/** Whether the engine has any say in a generation; otherwise it is one plain call, as if we were not there. */
export function isCarried(prepared: PreparedPolicy, filterId: string): boolean {
  return prepared.policy.enabled && !isFilteredOut(prepared, filterId);
}

function isFilteredOut(prepared: PreparedPolicy, filterId: string): boolean {
  const { filter } = prepared.policy;
  return filter !== null && prepared.filterIds.has(filterId) === (filter.mode === "blacklist");
}
