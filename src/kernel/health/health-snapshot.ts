import type { FailureKind } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import type { Cooldown } from "./cooldown.ts";
import type { Flow } from "./flow.ts";
import type { CooldownScope } from "./health.ts";
import type { ProviderHealth } from "./provider-health.ts";
import { isRampOver, type Ramp, rampShare } from "./ramp.ts";
import { capacityOf, tokensAt } from "./retry-budget.ts";

/** What holds calls back at a moment, for people. */
export interface HealthSnapshot {
  readonly cooldowns: readonly CooldownFacts[];
  readonly breakers: readonly BreakerFacts[];
  readonly budgets: readonly { readonly provider: string; readonly tokens: number; readonly capacity: number }[];
  /** Every provider that was called. */
  readonly called: readonly string[];
}

export interface CooldownFacts {
  /** For the scope `model` the credential is empty. */
  readonly target: Target;
  readonly scope: CooldownScope;
  /** 0: it is over, and calls come back a few at a time. */
  readonly leftMs: number;
  readonly refusal: FailureKind | undefined;
  /** While calls come back: the answers, as a share of the usual ones. Undefined: it is not known what is usual. */
  readonly share: number | undefined;
}

export interface BreakerFacts {
  readonly provider: string;
  /** `probing`: one call is out, whose outcome decides. */
  readonly phase: "open" | "probing" | "recovering";
  /** While it is open. */
  readonly leftMs: number | undefined;
  readonly share: number | undefined;
}

/** A health that people can look at, and clear by hand. */
export interface ClearableHealth {
  /** Looking changes nothing. */
  snapshot(nowMs: number): HealthSnapshot;
  /** Ends a cooldown, and the ramp after it. False: there is none. */
  endCooldown(target: Target, scope: CooldownScope): boolean | Promise<boolean>;
  /** False: it is closed. */
  closeBreaker(provider: string): boolean;
}

interface Known {
  /** Of every provider that was called. */
  readonly flows: ReadonlyMap<string, Pick<Flow, "usual">>;
  /** Of those that something is known against. */
  readonly providers: ReadonlyMap<string, Readonly<ProviderHealth>>;
  readonly cooldowns: readonly CooldownEntry[];
}

export interface CooldownEntry {
  readonly target: Target;
  readonly scope: CooldownScope;
  readonly cooldown: Cooldown;
}

export function snapshotOf({ flows, providers, cooldowns }: Known, nowMs: number): HealthSnapshot {
  const known = [...providers];
  return {
    called: [...flows.keys()],
    cooldowns: cooldowns.flatMap((entry) => cooldownFacts(entry, nowMs)),
    breakers: known.flatMap(([provider, health]) => breakerFacts(provider, health, nowMs)),
    budgets: known.flatMap(([provider, { budget, budgetSpec }]) => {
      if (budget === undefined || budgetSpec === undefined) return [];
      const perSecond = flows.get(provider)?.usual.perSecond ?? 0;
      const capacity = capacityOf(budgetSpec, perSecond);
      return [{ provider, tokens: tokensAt(budget, budgetSpec, perSecond, nowMs), capacity }];
    }),
  };
}

function cooldownFacts({ target, scope, cooldown }: CooldownEntry, nowMs: number): readonly CooldownFacts[] {
  const { untilMs, refusal, ramp } = cooldown;
  if (untilMs > nowMs) return [{ target, scope, leftMs: untilMs - nowMs, refusal, share: undefined }];
  // Nothing has asked since: it holds no call back.
  if (ramp === undefined || isCalm(ramp, nowMs)) return [];
  return [{ target, scope, leftMs: 0, refusal: undefined, share: rampShare(ramp, nowMs) }];
}

function breakerFacts(provider: string, { breaker }: Readonly<ProviderHealth>, nowMs: number): readonly BreakerFacts[] {
  switch (breaker.phase) {
    case "closed":
      return [];
    case "open":
      return [{ provider, phase: "open", leftMs: Math.max(0, breaker.untilMs - nowMs), share: undefined }];
    case "half-open":
      return [{ provider, phase: "probing", leftMs: undefined, share: undefined }];
    case "recovering":
      if (isCalm(breaker.ramp, nowMs)) return [];
      return [{ provider, phase: "recovering", leftMs: undefined, share: rampShare(breaker.ramp, nowMs) }];
    default:
      return breaker satisfies never;
  }
}

/** How long a ramp may take at most is the policy's word, which is not known here: it counts until no call is held back any more. */
function isCalm(ramp: Ramp, nowMs: number): boolean {
  return isRampOver(ramp, Number.POSITIVE_INFINITY, nowMs);
}
