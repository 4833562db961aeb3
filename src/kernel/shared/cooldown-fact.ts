import type { CooldownScope } from "../health/health.ts";
import type { MemoryHealth } from "../health/memory-health.ts";
import { FAILURE_KINDS, type FailureKind } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import type { Fact } from "./fact.ts";
import type { SharedName } from "./message.ts";

/** The keys are JSON: names may contain any character. */
export function breakerKey(provider: string): string {
  return JSON.stringify(["breaker", provider]);
}

export function cooldownKey({ provider, model, credential }: SharedName, scope: CooldownScope): string {
  return JSON.stringify(scope === "model" ? ["model", provider, model] : ["credential", provider, model, credential]);
}

interface FactKey {
  readonly provider: string;
  /** Undefined: it is about the breaker. */
  readonly cooldown?: { readonly name: SharedName; readonly scope: CooldownScope };
}

/** Undefined for a key of another version. */
export function readFactKey(key: string): FactKey | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) return undefined;
  const [scope, provider, model = "", credential = ""] = parts as readonly string[];
  if (provider === undefined) return undefined;
  if (scope === "breaker") return { provider };
  if (scope !== "model" && scope !== "credential") return undefined;
  return { provider, cooldown: { name: { provider, model, credential }, scope } };
}

interface Cooling {
  readonly name: SharedName;
  readonly scope: CooldownScope;
  readonly refusal: FailureKind | undefined;
  readonly untilMs: number;
  readonly epoch: number;
}

/** Ends are rounded up to this: a hundred calls that hear of the same limit within a moment need not announce it a hundred times. */
const GRAIN_MS = 50;

export function cooldownFact({ name, scope, refusal, untilMs, epoch }: Cooling): Fact {
  const rank = Math.ceil(untilMs / GRAIN_MS) * GRAIN_MS;
  return { key: cooldownKey(name, scope), epoch, rank, untilMs: rank, value: JSON.stringify(refusal ?? "") };
}

/** What it was refused for; undefined: it is a limit. */
function readCooldown(value: string): FailureKind | undefined {
  return FAILURE_KINDS.find((kind) => JSON.stringify(kind) === value);
}

interface Place {
  readonly target: Target;
  readonly scope: CooldownScope;
  /** On the own clock. */
  readonly untilMs: number;
  readonly nowMs: number;
}

/** What another process learned holds here; what was cleared there is cleared here. */
export function applyCooldown(health: MemoryHealth, fact: Fact, { target, scope, untilMs, nowMs }: Place): void {
  if (fact.rank === 0) return void Promise.resolve(health.endCooldown(target, scope)).catch(() => undefined);
  if (untilMs <= nowMs) return;
  const refusal = readCooldown(fact.value);
  if (refusal === undefined) health.coolDown(target, scope, untilMs);
  else health.refuse(target, scope, untilMs, refusal);
}
