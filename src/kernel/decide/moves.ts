import type { Decision } from "../model/decision.ts";
import type { FailureScope } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import type { BlockedSituation } from "./situation.ts";

/** A target that can be gone to, and when. */
export interface Opening {
  readonly to: number;
  /** 0: at once. */
  readonly inMs: number;
}

/**
 * The next target that is free now: another credential of the same model if a credential is what failed, then the
 * later models of the chain, then (where the policy lets the primary come back) the earlier ones.
 */
export function findFree(situation: BlockedSituation, scope: FailureScope): number | undefined {
  return findOpening(situation, scope, 0)?.to;
}

/** What another target has to differ in. The retry budget is shared by all targets of a provider. */
export type Trouble = FailureScope | "budget";

/**
 * The target that is free earliest, within `withinMs`. Between equals the order of the chain decides.
 * A target left since the last wait is never free at once; one that was refused is not waited for.
 */
export function findOpening(situation: BlockedSituation, scope: Trouble, withinMs: number): Opening | undefined {
  const { chain, standing } = situation;
  const count = chain.targets.length;
  const provider = chain.targets[standing.position]?.provider;
  const entry = chain.entryOf[standing.position];
  let best: Opening | undefined;
  for (let step = 1; step < count; step++) {
    const to = (standing.position + step) % count;
    const isSibling = chain.entryOf[to] === entry;
    // Siblings share the model: they help only if the credential was at fault.
    if (isSibling && scope !== "credential") continue;
    if (scope === "budget" && chain.targets[to]?.provider === provider) continue;
    if (!isSibling && to < standing.position && situation.policy.policy.fallback.revert === "never") continue;
    const inMs = opensInMs(situation, to);
    if (inMs > 0 && isRefused(situation, to)) continue;
    // Left moments ago and not cooling: it may still be failing, so a wait comes first.
    if (inMs === 0 && standing.leftSinceWait.includes(to)) continue;
    if (inMs > withinMs || (best !== undefined && !isBetter(situation, { to, inMs }, best))) continue;
    best = { to, inMs };
  }
  return best;
}

/** The other target that is free first within `ownMs`, else the current one after `ownMs`. */
export function findEarliest(situation: BlockedSituation, scope: Trouble, ownMs: number): Opening {
  const other = findOpening(situation, scope, ownMs);
  return other !== undefined && other.inMs < ownMs ? other : { to: situation.standing.position, inMs: ownMs };
}

/** Whole milliseconds until a target other than the current one may be tried; Infinity: not in this generation. */
export function opensInMs(situation: BlockedSituation, to: number): number {
  const { chain, standing, policy, health, nowMs } = situation;
  if (standing.spent.includes(to)) return Number.POSITIVE_INFINITY;
  return Math.ceil(health.blockedForMs(chain.targets[to] as Target, policy.policy.breaker, nowMs));
}

/** Whether the current target cools down because it was refused, which no wait cures. */
export function isHereRefused(situation: BlockedSituation): boolean {
  return isRefused(situation, situation.standing.position);
}

function isRefused({ chain, health, nowMs }: BlockedSituation, to: number): boolean {
  return health.refusalOf?.(chain.targets[to] as Target, nowMs) !== undefined;
}

/**
 * Whether the policy lets a move be made now: one that counts needs a retry to be left. `after-retries` counts anew on each
 * entry of the chain, so there a move is what comes when no retry is left.
 */
export function isMoveOpen(situation: BlockedSituation, delayMs: number | undefined): boolean {
  const { movesCount, when } = situation.policy.policy.fallback;
  return !movesCount || when === "after-retries" || delayMs !== undefined;
}

/** Sooner is better; at the same time a sibling credential, then the order in which the chain goes on. */
function isBetter(situation: BlockedSituation, candidate: Opening, best: Opening): boolean {
  if (candidate.inMs !== best.inMs) return candidate.inMs < best.inMs;
  const { entryOf } = situation.chain;
  const entry = entryOf[situation.standing.position];
  return entryOf[candidate.to] === entry && entryOf[best.to] !== entry;
}

/** The decision to go to `to` at once. */
export function moveTo(situation: BlockedSituation, to: number, schedule: number, because: string): Decision {
  const { entryOf } = situation.chain;
  const isSibling = entryOf[to] === entryOf[situation.standing.position];
  return { type: isSibling ? "rotate" : "switch", to, schedule, because };
}
