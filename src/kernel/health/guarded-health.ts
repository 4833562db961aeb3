import { checkBoolean, checkNumber, checkObject, checkOneOf } from "../model/check.ts";
import { FAILURE_KINDS, type Failure, type FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Admission, CooldownScope, Health, Limit } from "./health.ts";

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

  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    return this.guard(() => {
      const kind: unknown = this.inner.refusalOf?.(target, nowMs);
      return kind === undefined ? undefined : checkOneOf("health.refusalOf", kind, FAILURE_KINDS);
    }, undefined);
  }

  limitOf(target: Target, breaker: BreakerSpec | null, nowMs: number): Limit | undefined {
    return this.guard(() => {
      const limit: unknown = this.inner.limitOf?.(target, breaker, nowMs);
      if (limit === undefined) return undefined;
      const { leftMs, answeredMs } = checkObject("health.limitOf", limit, ["leftMs", "answeredMs"]);
      return {
        leftMs: checkNumber("health.limitOf.leftMs", leftMs, { min: 0 }),
        answeredMs:
          answeredMs === undefined ? undefined : checkNumber("health.limitOf.answeredMs", answeredMs, { min: 0 }),
      };
    }, undefined);
  }

  get isQuiet(): boolean {
    return this.guard(() => checkBoolean("health.isQuiet", this.inner.isQuiet), true);
  }

  get isFree(): boolean {
    return this.guard(() => {
      const { isFree } = this.inner;
      return isFree === undefined ? this.isQuiet : checkBoolean("health.isFree", isFree);
    }, false);
  }

  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number {
    return this.guard(() => {
      const waitMs: unknown = this.inner.admit(target, policy, nowMs, isRetry);
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

  refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    this.tell(() => {
      const { inner } = this;
      if (inner.refuse !== undefined) return inner.refuse(target, scope, untilMs, kind);
      // Every generation would wait for what is only a guess.
      if (kind !== "usage_limit") return inner.coolDown(target, scope, untilMs);
    });
  }

  started(target: Target): void {
    this.tell(() => this.inner.started?.(target));
  }

  isCrowded(target: Target, nowMs: number): boolean {
    return this.guard(() => checkBoolean("health.isCrowded", this.inner.isCrowded?.(target, nowMs) ?? false), false);
  }

  isRare(target: Target, failure: Failure): boolean {
    return this.guard(() => checkBoolean("health.isRare", this.inner.isRare?.(target, failure) ?? false), false);
  }

  countAnswer(target: Target, clock: Pick<Ports, "roughNow">): void {
    this.tell(() => this.inner.countAnswer?.(target, clock));
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
