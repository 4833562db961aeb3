import { checkBoolean, checkNumber } from "../model/check.ts";
import type { Failure } from "../model/failure.ts";
import type { BreakerSpec, Policy, RetryBudgetSpec } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { CooldownScope, Health } from "./health.ts";

/** A health store of somebody else's, which may break or talk nonsense: then everything is let through and the fault is reported. */
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

  canRetry(target: Target, budget: RetryBudgetSpec): boolean {
    return this.guard(() => checkBoolean("health.canRetry", this.inner.canRetry(target, budget)), true);
  }

  get isQuiet(): boolean {
    return this.guard(() => checkBoolean("health.isQuiet", this.inner.isQuiet), true);
  }

  admitted(target: Target, policy: Policy, nowMs: number): void {
    this.tell(() => this.inner.admitted(target, policy, nowMs));
  }

  succeeded(target: Target, policy: Policy, admittedAtMs?: number): void {
    this.tell(() => this.inner.succeeded(target, policy, admittedAtMs));
  }

  failed(target: Target, failure: Failure, policy: Policy, nowMs: number, admittedAtMs?: number): void {
    this.tell(() => this.inner.failed(target, failure, policy, nowMs, admittedAtMs));
  }

  released(target: Target, policy: Policy, nowMs: number, admittedAtMs?: number): void {
    this.tell(() => this.inner.released(target, policy, nowMs, admittedAtMs));
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.tell(() => this.inner.coolDown(target, scope, untilMs));
  }

  spendRetry(target: Target, budget: RetryBudgetSpec): void {
    this.tell(() => this.inner.spendRetry(target, budget));
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
