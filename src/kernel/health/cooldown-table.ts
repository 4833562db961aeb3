import type { FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import {
  type Cooldown,
  cooldownAfterAdmission,
  cooldownAfterDenial,
  cooldownBlockedForMs,
  cooldownUntil,
  cooldownWaitMs,
} from "./cooldown.ts";
import type { Admission, CooldownScope, Limit } from "./health.ts";
import type { CooldownEntry } from "./health-snapshot.ts";
import { type Ramp, rampAfterForeignAdmission } from "./ramp.ts";
import type { Traffic } from "./traffic.ts";

/** How often cooldowns are removed that no call has asked about. */
const SWEEP_EVERY_MS = 60_000;

/** The cooldowns of a process. Most of the time there is none, and no key is made. */
export class CooldownTable {
  #known: Map<string, Cooldown> | undefined = undefined;
  #sweptMs = 0;

  get isEmpty(): boolean {
    return this.#known === undefined || this.#known.size === 0;
  }

  /** Whether one of them is for this target. */
  covers(target: Target): boolean {
    return this.#of(target).length > 0;
  }

  /** Made with the first cooldown. */
  get #cooldowns(): Map<string, Cooldown> {
    this.#known ??= new Map();
    return this.#known;
  }

  add(target: Target, scope: CooldownScope, untilMs: number): void {
    const key = keyOf(target, scope);
    this.#cooldowns.set(key, cooldownUntil(this.#cooldowns.get(key), untilMs));
  }

  /** Marks the cooldown until then as a refusal. A longer one has another reason. */
  noteRefusal(target: Target, scope: CooldownScope, untilMs: number, refusal: FailureKind): void {
    const key = keyOf(target, scope);
    const cooldown = this.#cooldowns.get(key);
    if (cooldown?.untilMs === untilMs) this.#cooldowns.set(key, { ...cooldown, refusal });
  }

  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    if (this.isEmpty) return undefined;
    return this.#of(target).find(([, { refusal, untilMs }]) => refusal !== undefined && untilMs > nowMs)?.[1].refusal;
  }

  /** The limit that ends last of those whose ramp is not over. */
  limitOf(target: Target, nowMs: number): Limit | undefined {
    let last: Cooldown | undefined;
    for (const [, cooldown] of this.#of(target)) {
      if (cooldown.refusal !== undefined) continue;
      if (last === undefined || cooldown.untilMs > last.untilMs) last = cooldown;
    }
    return last && { leftMs: Math.max(0, last.untilMs - nowMs), answeredMs: last.answeredMs };
  }

  noteAnswer(target: Target, nowMs: number): void {
    for (const [key, cooldown] of this.#of(target)) this.#cooldowns.set(key, { ...cooldown, answeredMs: nowMs });
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    if (this.isEmpty) return 0;
    return Math.max(0, ...this.#of(target).map(([, cooldown]) => cooldownBlockedForMs(cooldown, breaker, nowMs)));
  }

  /** When the last of a target's cooldowns ended from which no call has come back yet; undefined: there is none. */
  endOfUnused(target: Target): number | undefined {
    if (this.isEmpty) return undefined;
    const ends = this.#of(target).flatMap(([, { ramp, untilMs }]) => (ramp === undefined ? [untilMs] : []));
    return ends.length === 0 ? undefined : Math.max(...ends);
  }

  /** As `blockedForMs`, but counts a denial, and spreads the waits of those who are turned away. */
  ask(target: Target, policy: Policy, nowMs: number): number {
    const { breaker } = policy;
    let longestMs = 0;
    for (const [key, cooldown] of this.#of(target)) {
      if (cooldownBlockedForMs(cooldown, breaker, nowMs) === 0) continue;
      longestMs = Math.max(longestMs, cooldownWaitMs(cooldown, policy, nowMs));
      this.#cooldowns.set(key, cooldownAfterDenial(cooldown, breaker, nowMs));
    }
    return longestMs;
  }

  takePlace(target: Target, breaker: BreakerSpec | null, usual: Traffic, nowMs: number): void {
    for (const [key, cooldown] of this.#of(target)) {
      const left = cooldownAfterAdmission(cooldown, breaker, usual, nowMs);
      if (left === undefined) this.#cooldowns.delete(key);
      else this.#cooldowns.set(key, left);
    }
    if (!this.isEmpty && nowMs - this.#sweptMs >= SWEEP_EVERY_MS) this.#sweep(nowMs);
  }

  /** Another process has let a call through. One that still cools down here is over there by a clock that is a little ahead. */
  noteForeignAdmission(target: Target, breaker: BreakerSpec, usual: Traffic, nowMs: number): void {
    for (const [key, cooldown] of this.#of(target)) {
      if (cooldown.untilMs > nowMs) continue;
      const left = cooldownAfterAdmission(cooldown, breaker, usual, nowMs, rampAfterForeignAdmission);
      if (left === undefined) this.#cooldowns.delete(key);
      else this.#cooldowns.set(key, left);
    }
  }

  noteForeignDenial(target: Target, breaker: BreakerSpec, nowMs: number): void {
    for (const [key, cooldown] of this.#of(target)) {
      this.#cooldowns.set(key, cooldownAfterDenial(cooldown, breaker, nowMs));
    }
  }

  /** An attempt has ended: `next` says what that does to the ramps on which it was admitted. */
  ended({ target, admittedAtMs }: Admission, nowMs: number, next: (ramp: Ramp, nowMs: number) => Ramp): void {
    for (const [key, cooldown] of this.#of(target)) {
      if (cooldown.ramp === undefined || admittedAtMs < cooldown.ramp.sinceMs) continue;
      this.#cooldowns.set(key, { ...cooldown, ramp: next(cooldown.ramp, nowMs) });
    }
  }

  list(): readonly CooldownEntry[] {
    return Array.from(this.#known ?? [], ([key, cooldown]) => ({ ...readKey(key), cooldown }));
  }

  /** False: there was none. */
  remove(target: Target, scope: CooldownScope): boolean {
    return this.#known?.delete(keyOf(target, scope)) ?? false;
  }

  /** What is long over must not keep every call asking. */
  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    for (const [key, { untilMs, ramp }] of this.#cooldowns) {
      if (nowMs - (ramp?.lookedMs ?? untilMs) >= SWEEP_EVERY_MS) this.#cooldowns.delete(key);
    }
  }

  /** The cooldowns that cover a target, with their keys. */
  #of(target: Target): readonly (readonly [string, Cooldown])[] {
    if (this.isEmpty) return NONE;
    return [keyOf(target, "credential"), keyOf(target, "model")].flatMap((key) => {
      const cooldown = this.#cooldowns.get(key);
      return cooldown === undefined ? [] : [[key, cooldown] as const];
    });
  }
}

const NONE: readonly (readonly [string, Cooldown])[] = [];

// NUL can't stand in a provider, model or credential name, so two different pairs never share a key.
function keyOf({ provider, model, credential }: Target, scope: CooldownScope): string {
  return scope === "credential" ? `c\0${provider}\0${model}\0${credential}` : `m\0${provider}\0${model}`;
}

function readKey(key: string): { readonly target: Target; readonly scope: CooldownScope } {
  const [what, provider = "", model = "", credential = ""] = key.split("\0");
  return { target: { provider, model, credential }, scope: what === "c" ? "credential" : "model" };
}
