import type { Failure } from "../model/failure.ts";
import type { BreakerSpec, Policy, RetryBudgetSpec } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { CooldownScope, Health } from "./health.ts";

/** A health store of somebody else's, which may break: then everything is let through and the fault is reported. */
export class GuardedHealth implements Health {
  private readonly inner: Health;
  private readonly ports: Ports;

  constructor(inner: Health, ports: Ports) {
    this.inner = inner;
    this.ports = ports;
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    const blockedMs = this.guard(() => this.inner.blockedForMs(target, breaker, nowMs), 0);
    return blockedMs > 0 && Number.isFinite(blockedMs) ? blockedMs : 0;
  }

  canRetry(target: Target, budget: RetryBudgetSpec): boolean {
    return this.guard(() => this.inner.canRetry(target, budget), true);
  }

  get isQuiet(): boolean {
    return this.guard(() => this.inner.isQuiet, true);
  }

  admitted(target: Target, policy: Policy, nowMs: number): void {
    this.guard(() => this.inner.admitted(target, policy, nowMs), undefined);
  }

  succeeded(target: Target, policy: Policy): void {
    this.guard(() => this.inner.succeeded(target, policy), undefined);
  }

  failed(target: Target, failure: Failure, policy: Policy, nowMs: number): void {
    this.guard(() => this.inner.failed(target, failure, policy, nowMs), undefined);
  }

  released(target: Target, policy: Policy, nowMs: number): void {
    this.guard(() => this.inner.released(target, policy, nowMs), undefined);
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.guard(() => this.inner.coolDown(target, scope, untilMs), undefined);
  }

  spendRetry(target: Target, budget: RetryBudgetSpec): void {
    this.guard(() => this.inner.spendRetry(target, budget), undefined);
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
