import type { Chain } from "../../../src/kernel/decide/chain.ts";
import { entryTargets, SINGLE_TARGET } from "../../../src/kernel/decide/chain.ts";
import { decide } from "../../../src/kernel/decide/decide.ts";
import { decideBlocked } from "../../../src/kernel/decide/decide-blocked.ts";
import { preparePolicy } from "../../../src/kernel/decide/prepare-policy.ts";
import type { Situation, Standing } from "../../../src/kernel/decide/situation.ts";
import { coolDownAfter } from "../../../src/kernel/health/cool-down-after.ts";
import type { Health } from "../../../src/kernel/health/health.ts";
import { MemoryHealth } from "../../../src/kernel/health/memory-health.ts";
import { isRefusal } from "../../../src/kernel/health/refusal.ts";
import { spendsRetry } from "../../../src/kernel/health/retry-budget.ts";
import { whyHeldBack } from "../../../src/kernel/health/why-held-back.ts";
import type { Decision } from "../../../src/kernel/model/decision.ts";
import type { Failure } from "../../../src/kernel/model/failure.ts";
import type { Policy } from "../../../src/kernel/model/policy.ts";
import type { Target } from "../../../src/kernel/model/target.ts";
import { Trail } from "../../../src/kernel/run/trail.ts";

export interface Drive {
  readonly policy: Policy;
  readonly chain?: Chain;
  readonly health?: Health;
  /** What the n-th attempt (from 1) comes to, and how long it takes. Undefined: it succeeds. */
  readonly attempt: (attempt: number, target: Target) => Failure | undefined;
  readonly tookMs?: (attempt: number) => number;
  readonly random?: () => number;
  /** After so many decisions it is broken off. */
  readonly most?: number;
  /** Hears every decision with what it was made from, and for how long and why health held it back. */
  readonly onDecision?: (decision: Decision, situation: Situation, blockedMs: number, evidence: string) => void;
}

export interface Driven {
  /** When each attempt started, and where it went. */
  readonly attempts: readonly { readonly atMs: number; readonly position: number }[];
  readonly decisions: readonly Decision[];
  /** The delays of the waits, in order. */
  readonly waits: readonly number[];
  readonly last: Decision | undefined;
}

/** The smallest loop that carries a generation: no promises, a virtual clock, every attempt ends at once. */
export function drive(given: Drive): Driven {
  const { policy, chain = SINGLE_TARGET, health = new MemoryHealth(), most = 10_000 } = given;
  const prepared = preparePolicy(policy);
  const trail = new Trail(0);
  const attempts: { atMs: number; position: number }[] = [];
  const decisions: Decision[] = [];
  let nowMs = 0;
  let position = 0;

  const goTo = (to: number): void => {
    if (chain.entryOf[to] !== chain.entryOf[position]) {
      trail.enterEntry();
      if (policy.fallback.when === "after-retries") trail.leaveEntry(chain.entryOf, position);
    }
    position = to;
  };
  const situation = (failure: Failure): Situation => ({
    policy: prepared,
    chain,
    standing: standingOf(trail, position),
    failure,
    health,
    nowMs,
    random: given.random ?? (() => 1),
  });

  while (decisions.length < most) {
    const target = chain.targets[position] as Target;
    const isRetry = attempts.length > 0 && trail.failure !== undefined && spendsRetry(trail.failure, policy);
    const limit = trail.blockedMs === 0 ? undefined : health.limitOf?.(target, policy.breaker, nowMs);
    if (limit?.answeredMs !== undefined && limit.answeredMs >= nowMs - trail.waitMs) trail.restartPatience();
    const waitMs = health.admit(target, policy, nowMs, isRetry);
    let failure = trail.failure ?? ({ kind: "overloaded", scope: "model", retryable: true } as Failure);
    const limitNow = waitMs === 0 ? undefined : health.limitOf?.(target, policy.breaker, nowMs);
    const blocked = situation(failure);
    const why = waitMs === 0 ? undefined : whyHeldBack(health, target, policy.breaker, nowMs, isRetry);
    let decision = why === undefined ? undefined : decideBlocked(blocked, waitMs, why);
    if (decision?.type === "wait") trail.blockedMs += decision.delayMs;
    if (decision?.type === "wait" && limitNow !== undefined && limitNow.leftMs > 0) trail.limitWaits++;
    const blockedMs = decision === undefined ? 0 : waitMs;
    if (decision !== undefined) given.onDecision?.(decision, blocked, blockedMs, why?.evidence ?? "");
    else {
      const admission = { target, policy, admittedAtMs: nowMs };
      trail.triesHere++;
      attempts.push({ atMs: nowMs, position });
      const outcome = given.attempt(attempts.length, target);
      nowMs += given.tookMs?.(attempts.length) ?? 0;
      if (outcome === undefined) {
        health.succeeded(admission, nowMs);
        break;
      }
      failure = outcome;
      health.failed(admission, failure, nowMs);
      trail.noteFailure(failure, attempts.length);
      const failed = situation(failure);
      decision = decide(failed);
      given.onDecision?.(decision, failed, 0, "");
    }
    decisions.push(decision);
    const hasOthers = chain.targets.length > 1;
    if (blockedMs === 0) coolDownAfter({ health, target, position, hasOthers, failure, policy, decision, nowMs });
    if (decision.type === "stop" || decision.type === "hand-over") break;
    if (blockedMs === 0 && decision.to !== position && isRefusal(failure)) {
      trail.spend(failure.scope === "credential" ? [position] : entryTargets(chain.entryOf, position));
    }
    if (decision.type === "wait") {
      if (decision.schedule >= 0) trail.useUp(decision.schedule, decision.delayMs);
      else trail.blockedWaits++;
      if (decision.schedule < 0 && blockedMs === 0) trail.noteInLine(decision.delayMs);
      nowMs += decision.delayMs;
      trail.noteWait(decision.delayMs);
    } else {
      if (policy.fallback.movesCount && attempts.length > 0) trail.useUp(decision.schedule, 0);
      trail.noteMove(position);
    }
    if (decision.to !== position) goTo(decision.to);
  }
  const waits = decisions.flatMap((decision) => (decision.type === "wait" ? [decision.delayMs] : []));
  return { attempts, decisions, waits, last: decisions.at(-1) };
}

function standingOf(trail: Trail, position: number): Standing {
  return {
    filterId: "",
    position,
    canReplay: true,
    used: trail.used(),
    drawnMs: trail.drawnMs(),
    previousMs: trail.previousMs,
    triesHere: trail.triesHere,
    leftSinceWait: [...trail.leftSinceWait],
    spent: [...trail.spent],
    sameErrorRun: trail.sameErrorRun,
    guesses: trail.guesses,
    blockedWaits: trail.blockedWaits,
    blockedMs: trail.blockedMs,
    limitWaits: trail.limitWaits,
    inLineMs: trail.inLineMs,
    patienceUsedMs: trail.patienceUsedMs,
    waitedHereMs: trail.waitedHereMs,
  };
}
