import type { BreakerSpec } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import {
  type Cooldown,
  cooldownAfterAdmission,
  cooldownAfterDenial,
  cooldownBlockedForMs,
  cooldownUntil,
  cooldownWaitMs,
} from "./cooldown.ts";
import type { CooldownScope } from "./health.ts";
import { type Ramp, rampAfterFailure, rampAfterRelease, rampAfterSuccess } from "./ramp.ts";

/** So often those are looked for that nobody has asked about any more. */
const SWEEP_EVERY_MS = 60_000;

/** The cooldowns of a process. Most of the time there is none, and no key is made. */
export class CooldownTable {
  readonly #cooldowns = new Map<string, Cooldown>();
  #sweptMs = 0;

  get isEmpty(): boolean {
    return this.#cooldowns.size === 0;
  }

  add(target: Target, scope: CooldownScope, untilMs: number): void {
    const key = keyOf(target, scope);
    this.#cooldowns.set(key, cooldownUntil(this.#cooldowns.get(key), untilMs));
  }

  /** The cooldown until then is because of a refusal. One that lasts longer has a reason of its own. */
  noteRefusal(target: Target, scope: CooldownScope, untilMs: number): void {
    const key = keyOf(target, scope);
    const cooldown = this.#cooldowns.get(key);
    if (cooldown?.untilMs === untilMs) this.#cooldowns.set(key, { ...cooldown, isRefused: true });
  }

  isRefused(target: Target, nowMs: number): boolean {
    return this.#keysOf(target).some((key) => {
      const cooldown = this.#cooldowns.get(key);
      return cooldown?.isRefused === true && cooldown.untilMs > nowMs;
    });
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    let longestMs = 0;
    for (const key of this.#keysOf(target)) {
      const cooldown = this.#cooldowns.get(key);
      if (cooldown !== undefined) longestMs = Math.max(longestMs, cooldownBlockedForMs(cooldown, breaker, nowMs));
    }
    return longestMs;
  }

  /** As `blockedForMs`, but it is remembered who was turned away, and each is told a moment of their own. */
  ask(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    let longestMs = 0;
    for (const key of this.#keysOf(target)) {
      const cooldown = this.#cooldowns.get(key);
      if (cooldown === undefined || cooldownBlockedForMs(cooldown, breaker, nowMs) === 0) continue;
      longestMs = Math.max(longestMs, cooldownWaitMs(cooldown, breaker, nowMs));
      this.#cooldowns.set(key, cooldownAfterDenial(cooldown, breaker, nowMs));
    }
    return longestMs;
  }

  takePlace(target: Target, breaker: BreakerSpec | null, nowMs: number): void {
    for (const key of this.#keysOf(target)) {
      const cooldown = this.#cooldowns.get(key);
      if (cooldown === undefined) continue;
      const left = cooldownAfterAdmission(cooldown, breaker, nowMs);
      if (left === undefined) this.#cooldowns.delete(key);
      else this.#cooldowns.set(key, left);
    }
    if (this.#cooldowns.size > 0 && nowMs - this.#sweptMs >= SWEEP_EVERY_MS) this.#sweep(nowMs);
  }

  succeeded(target: Target, admittedAtMs: number): void {
    this.#onRamps(target, admittedAtMs, rampAfterSuccess);
  }

  failed(target: Target, admittedAtMs: number): void {
    this.#onRamps(target, admittedAtMs, rampAfterFailure);
  }

  released(target: Target, admittedAtMs: number): void {
    this.#onRamps(target, admittedAtMs, rampAfterRelease);
  }

  #onRamps(target: Target, admittedAtMs: number, next: (ramp: Ramp) => Ramp): void {
    for (const key of this.#keysOf(target)) {
      const cooldown = this.#cooldowns.get(key);
      if (cooldown?.ramp === undefined || admittedAtMs < cooldown.ramp.sinceMs) continue;
      this.#cooldowns.set(key, { ...cooldown, ramp: next(cooldown.ramp) });
    }
  }

  /** What is long over must not keep every call asking. */
  #sweep(nowMs: number): void {
    this.#sweptMs = nowMs;
    for (const [key, { untilMs, ramp }] of this.#cooldowns) {
      if (nowMs - (ramp?.lookedMs ?? untilMs) >= SWEEP_EVERY_MS) this.#cooldowns.delete(key);
    }
  }

  #keysOf(target: Target): readonly string[] {
    return this.#cooldowns.size === 0 ? NO_KEYS : [credentialKey(target), modelKey(target)];
  }
}

const NO_KEYS: readonly string[] = [];

function keyOf(target: Target, scope: CooldownScope): string {
  return scope === "credential" ? credentialKey(target) : modelKey(target);
}

// NUL can't stand in a provider, model or credential name, so two different pairs never share a key.
function credentialKey(target: Target): string {
  return `c\0${target.provider}\0${target.model}\0${target.credential}`;
}

function modelKey(target: Target): string {
  return `m\0${target.provider}\0${target.model}`;
}
