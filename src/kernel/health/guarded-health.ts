import { checkBoolean, checkNumber } from "../model/check.ts";
import type { Failure } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Admission, CooldownScope, Health } from "./health.ts";

/** A foreign health store, which may throw or return nonsense: then every call is let through and the fault is reported. */
export class GuardedHealth implements Health {
  private readonly inner: Health;
  private readonly ports: Ports;

  constructor(inner: Health, ports: Ports) {
    this.inner = inner;
    this.ports = ports;
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    return this.guard(() => {
      const blockedMs: unknown = this.inner.blockedForMs(target, breaker, nowMs);
      return checkNumber("health.blockedForMs", blockedMs, { min: 0 });
    }, 0);
  }

  canRetry(target: Target, policy: Policy): boolean {
    return this.guard(() => checkBoolean("health.canRetry", this.inner.canRetry(target, policy)), true);
  }

  isRefused(target: Target, nowMs: number): boolean {
    return this.guard(() => {
      const { inner } = this;
      return inner.isRefused !== undefined && checkBoolean("health.isRefused", inner.isRefused(target, nowMs));
    }, false);
  }

  get isQuiet(): boolean {
    return this.guard(() => checkBoolean("health.isQuiet", this.inner.isQuiet), true);
  }

  admit(target: Target, policy: Policy, nowMs: number): number {
    return this.guard(() => {
      const waitMs: unknown = this.inner.admit(target, policy, nowMs);
      return checkNumber("health.admit", waitMs, { min: 0 });
    }, 0);
  }

  succeeded(attempt: Admission, nowMs: number): void {
    this.tell(() => this.inner.succeeded(attempt, nowMs));
  }

  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    this.tell(() => this.inner.failed(attempt, failure, nowMs));
  }

  released(attempt: Admission, nowMs: number): void {
    this.tell(() => this.inner.released(attempt, nowMs));
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.tell(() => this.inner.coolDown(target, scope, untilMs));
  }

  refuse(target: Target, scope: CooldownScope, untilMs: number): void {
    this.tell(() => {
      const { inner } = this;
      return inner.refuse === undefined ? inner.coolDown(target, scope, untilMs) : inner.refuse(target, scope, untilMs);
    });
  }

  spendRetry(target: Target, policy: Policy): void {
    this.tell(() => this.inner.spendRetry(target, policy));
  }

  private tell(say: () => void): void {
    const answer: unknown = this.guard(say, undefined);
    // An async method fits the type, too; its rejection must not take the process down.
    if (answer instanceof Promise) answer.catch((fault) => this.ports.reportFault(fault, "health"));
  }

  private guard<T>(ask: () => T, otherwise: T): T {
    try {
      return ask();
    } catch (fault) {
      this.ports.reportFault(fault, "health");
      return otherwise;
    }
  }
}
