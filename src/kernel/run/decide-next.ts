import type { Attempt } from "../attempt/attempt.ts";
import { entryTargets } from "../decide/chain.ts";
import { decide, isCarried } from "../decide/decide.ts";
import { decideBlocked, isNoRoom } from "../decide/decide-blocked.ts";
import { type BlockedSituation, NO_SCHEDULE, type Standing } from "../decide/situation.ts";
import { coolDownAfter } from "../health/cool-down-after.ts";
import type { Health, HealthView } from "../health/health.ts";
import { isRefusal } from "../health/refusal.ts";
import { spendsRetry } from "../health/retry-budget.ts";
import { sayHowLong, whyHeldBack } from "../health/why-held-back.ts";
import type { Decision } from "../model/decision.ts";
import type { Failure } from "../model/failure.ts";
import { enact } from "./enact.ts";
import type { Generation } from "./generation.ts";
import { Trail } from "./trail.ts";

/** Whether the next attempt asks health for permission, or a person has given it. */
export type Leave = "asked" | "given";

const NO_HEALTH: HealthView = { blockedForMs: () => 0 };

/** Decides what follows a failed attempt, and prepares for it: health learns of the failure, the partial answer is discarded. */
export function decideNext(generation: Generation, attempt: Attempt, failure: Failure, nowMs: number): Decision {
  const { health, chain } = generation.setup;
  const { position, policy } = generation;
  const { policy: prepared, standing, health: view, random } = situationOf(generation, nowMs);
  // Field by field: spreading an object costs more than the decision itself.
  const decision = decide({ policy: prepared, chain, standing, health: view, nowMs, random, failure });
  if (health !== undefined) {
    const hasOthers = chain.targets.length > 1;
    coolDownAfter({ health, target: attempt.target, position, hasOthers, failure, policy, decision, nowMs });
  }
  if (!("to" in decision)) return decision;
  if (decision.type === "wait" && decision.schedule === NO_SCHEDULE) generation.remember().noteInLine(decision.delayMs);
  if (decision.to !== position && (isRefusal(failure) || failure.below !== undefined)) {
    const refused = failure.scope === "credential" ? [position] : entryTargets(chain.entryOf, position);
    generation.remember().spend(refused);
  }
  generation.discard(failure);
  return decision;
}

/** Asks breaker and cooldowns. True: the generation waits, moves or has ended instead of attempting now. */
export function isHeldBack(generation: Generation, health: Health, leave: Leave, nowMs: number): boolean {
  const { policy } = generation.setup;
  const target = generation.target();
  const isRetry = spendsToken(generation);
  forgiveWaits(generation, health, nowMs);
  const waitMs = health.admit(target, policy.policy, nowMs, isRetry);
  // A person may overrule health, and a generation that the policy leaves alone is one plain call.
  if (waitMs === 0 || leave === "given" || !isCarried(policy, generation.givenId)) return false;
  const trail = generation.remember();
  // The endpoint's own words are more useful. Without any, the reason is worked out anew at each wait, because it changes.
  const own = generation.attemptsMade === 0 ? undefined : trail.failure;
  const why = whyHeldBack(health, target, policy.policy.breaker, nowMs, isRetry);
  const failure = own ?? why;
  const limit = health.limitOf?.(target, policy.policy.breaker, nowMs);
  const decision = decideBlocked(situationOf(generation, nowMs), waitMs, why);
  if (decision === undefined) return false;
  if (decision.type === "wait") trail.blockedMs += decision.delayMs;
  if (decision.type === "wait" && limit !== undefined && limit.leftMs > 0) trail.limitWaits++;
  trail.failure = own === undefined && decision.type === "stop" ? sayHowLong(failure) : failure;
  // A retry without room in the budget waits for that: the endpoint's words, which the listener has heard, do not explain it.
  enact(generation, decision, isNoRoom(why) ? why : failure, nowMs);
  return true;
}

/** The limited target has answered others during the last wait: what the generation was held back for does not count. */
function forgiveWaits(generation: Generation, health: Health, nowMs: number): void {
  const { trail, policy } = generation;
  if (trail === undefined || trail.blockedMs === 0) return;
  const limit = health.limitOf?.(generation.target(), policy.breaker, nowMs);
  if (limit?.answeredMs !== undefined && limit.answeredMs >= nowMs - trail.waitMs) trail.restartPatience();
}

/** Whether the next attempt spends a token of the budget: the policy's, or that of a custom health. */
function spendsToken({ attemptsMade, trail, policy }: Generation): boolean {
  return attemptsMade > 0 && trail?.failure !== undefined && spendsRetry(trail.failure, policy);
}

function situationOf(generation: Generation, nowMs: number): BlockedSituation {
  const { policy, chain, health, ports } = generation.setup;
  const standing = new LiveStanding(generation, generation.trail ?? new Trail(0));
  return { policy, chain, standing, health: health ?? NO_HEALTH, nowMs, random: ports.random };
}

/** A view of the generation and its trail: a decision reads few of the fields, so none is copied. */
class LiveStanding implements Standing {
  private readonly generation: Generation;
  private readonly trail: Trail;

  constructor(generation: Generation, trail: Trail) {
    this.generation = generation;
    this.trail = trail;
  }

  get filterId(): string {
    return this.generation.givenId;
  }

  get position(): number {
    return this.generation.position;
  }

  get canReplay(): boolean {
    return this.generation.canReplay();
  }

  get used(): readonly number[] {
    return this.trail.used();
  }

  get drawnMs(): readonly number[] {
    return this.trail.drawnMs();
  }

  get blockedWaits(): number {
    return this.trail.blockedWaits;
  }

  get blockedMs(): number {
    return this.trail.blockedMs;
  }

  get limitWaits(): number {
    return this.trail.limitWaits;
  }

  get inLineMs(): number {
    return this.trail.inLineMs;
  }

  get patienceUsedMs(): number {
    return this.trail.patienceUsedMs;
  }

  get waitedHereMs(): number {
    return this.trail.waitedHereMs;
  }

  get previousMs(): number {
    return this.trail.previousMs;
  }

  get triesHere(): number {
    return this.trail.triesHere;
  }

  get leftSinceWait(): readonly number[] {
    return this.trail.leftSinceWait;
  }

  get spent(): readonly number[] {
    return this.trail.spent;
  }

  get sameErrorRun(): number {
    return this.trail.sameErrorRun;
  }

  get guesses(): number {
    return this.trail.guesses;
  }
}
