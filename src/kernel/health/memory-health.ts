import type { Failure, FailureKind } from "../model/failure.ts";
import type { BreakerSpec, Policy } from "../model/policy.ts";
import type { Ports } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import {
  breakerAfterAdmission,
  breakerAfterCrowd,
  breakerAfterFailure,
  breakerAfterFormerProbe,
  breakerAfterRelease,
  breakerAfterSuccess,
  breakerBlockedForMs,
  CLOSED,
  isFormerProbe,
  isStraggler,
} from "./breaker.ts";
import { CooldownTable } from "./cooldown-table.ts";
import { Flow } from "./flow.ts";
import type { Admission, CooldownScope, Health, Limit } from "./health.ts";
import { type ClearableHealth, type HealthSnapshot, snapshotOf } from "./health-snapshot.ts";
import { isSick, type ProviderHealth, spendRetry, turnAway } from "./provider-health.ts";
import { ProviderTable } from "./provider-table.ts";
import { rampAfterFailure, rampAfterRelease, rampAfterSuccess } from "./ramp.ts";
import { budgetAfterSuccess } from "./retry-budget.ts";
import { shareAfterAnswer, shareAfterFailure, startShare, withUsual } from "./share.ts";
import { ASK_AGAIN_MS } from "./spread.ts";

const NO_FLOW = new Flow();
/** With a larger share of good calls than this, a failure concerns the call that met it. */
const RARE = 0.75;

/** What a health is made of. */
export interface HealthParts {
  readonly providers: ProviderTable;
  readonly cooldowns: CooldownTable;
  flowOf(provider: string): Flow;
  /** To be called after a change. */
  changed(): void;
}

/** Health of one process: plain maps. */
export class MemoryHealth implements Health, ClearableHealth {
  isQuiet = true;
  readonly #providers = new ProviderTable();
  readonly #cooldowns = new CooldownTable();
  /** Of every provider that was called. Made with the second one: most processes have only one. */
  #flows: Map<string, Flow> | undefined = undefined;
  /** The one that was asked for last. */
  #lastName: string | undefined = undefined;
  #lastFlow = NO_FLOW;
  /** Whether many calls are under way somewhere. */
  #isSuspect = false;

  get isFree(): boolean {
    return this.#providers.areClosed && !this.#isSuspect && this.#cooldowns.isEmpty;
  }

  blockedForMs(target: Target, breaker: BreakerSpec | null, nowMs: number): number {
    const coolingMs = this.#cooldowns.blockedForMs(target, breaker, nowMs);
    if (breaker === null) return coolingMs;
    const crowdMs = this.isCrowded(target, nowMs) ? ASK_AGAIN_MS : 0;
    const shutMs = breakerBlockedForMs(this.#providers.breakerOf(target.provider), breaker, nowMs);
    return Math.max(coolingMs, shutMs, crowdMs);
  }

  isCrowded(target: Target, nowMs: number): boolean {
    return this.#isSuspect && this.#flowOf(target).isCrowded(nowMs);
  }

  admit(target: Target, policy: Policy, nowMs: number, isRetry: boolean): number {
    const { breaker } = policy;
    const coolingMs = this.#cooldowns.ask(target, policy, nowMs);
    const provider = breaker === null ? undefined : this.#providers.get(target.provider);
    // While a breaker is not closed it controls retries; the budget would only add waits.
    if (breaker !== null && provider !== undefined && provider.breaker.phase !== "closed") {
      const waitMs = turnAway(provider, breaker, nowMs);
      if (waitMs > 0) return Math.max(coolingMs, waitMs);
      if (coolingMs > 0) return coolingMs;
      this.#providers.turn(provider, breakerAfterAdmission(provider.breaker, breaker, nowMs));
      this.#forgetIfWell(target.provider, provider);
    } else if (coolingMs === 0) {
      const crowdMs = breaker === null ? 0 : this.#waitForOthers(target, nowMs);
      if (crowdMs > 0) return crowdMs;
      const { perSecond } = this.#flowOf(target).usual;
      const waitMs =
        isRetry && policy.budget !== null ? spendRetry(this.#provider(target), policy.budget, perSecond, nowMs) : 0;
      if (waitMs > 0) return waitMs;
    }
    if (coolingMs > 0) return coolingMs;
    const flow = this.#flowOf(target);
    this.#cooldowns.takePlace(target, breaker, flow.usual, nowMs);
    if (flow.isSuspect) this.#calmDown(flow);
    this.#listen();
    return 0;
  }

  started(target: Target): void {
    const flow = this.#flowOf(target);
    flow.start();
    if (flow.isSuspect) {
      this.#isSuspect = true;
      this.isQuiet = false;
    }
  }

  countAnswer(target: Target, clock: Pick<Ports, "roughNow">): void {
    const flow = this.#flowOf(target);
    if (flow.answer()) this.#learn(flow, target, clock.roughNow());
  }

  /** Only where nothing holds calls to this target back; what another one waits for is no reason. */
  #learn(flow: Flow, target: Target, nowMs: number): void {
    const isShut = this.#providers.breakerOf(target.provider).phase !== "closed";
    // Something is better than nothing: a limit that few calls meet is known by the many that others get through.
    const isFirst = flow.usual.perSecond === 0;
    const isLimited = !isFirst && this.#cooldowns.covers(target);
    flow.learn(!isShut && !isLimited, nowMs);
    if (isLimited && !isShut) flow.learnLeast();
  }

  succeeded(attempt: Admission, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    this.#cooldowns.ended(attempt, nowMs, rampAfterSuccess);
    this.#cooldowns.noteAnswer(target, nowMs);
    const flow = this.#flowOf(target);
    if (flow.answer()) this.#learn(flow, target, nowMs);
    if (flow.isSuspect) this.#calmDown(flow);
    const provider = this.#providers.get(target.provider);
    if (provider === undefined) return this.#listen();
    const { perSecond } = flow.usual;
    if (provider.unlimited !== undefined) {
      provider.unlimited = shareAfterAnswer(withUsual(provider.unlimited, perSecond), nowMs);
    }
    if (!isStraggler(provider.breaker, admittedAtMs))
      this.#providers.turn(provider, breakerAfterSuccess(provider.breaker, nowMs));
    if (policy.budget !== null && provider.budget !== undefined) {
      provider.budget = budgetAfterSuccess(provider.budget, policy.budget, perSecond, nowMs);
    }
    this.#forgetIfWell(target.provider, provider);
  }

  failed(attempt: Admission, failure: Failure, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    const { kind } = failure;
    // Perhaps a bug in the caller's code: no sign of the provider's health.
    if (kind === "unknown") return this.released(attempt, nowMs);
    const flow = this.#flowOf(target);
    flow.end();
    if (policy.breaker === null) return;
    const isProviderSick = isSick(kind);
    const isKept = isProviderSick || kind === "rate_limit";
    this.#cooldowns.ended(attempt, nowMs, isKept ? rampAfterFailure : rampAfterRelease);
    if (kind === "silent" || kind === "timeout") flow.noteTimeout(nowMs);
    const provider = isKept ? this.#provider(target) : this.#providers.get(target.provider);
    if (provider === undefined) return;
    if (kind === "rate_limit") {
      provider.unlimited = shareAfterFailure(provider.unlimited ?? startShare(flow.usual.perSecond, nowMs), nowMs);
    }
    if (isStraggler(provider.breaker, admittedAtMs)) return;
    if (isProviderSick) {
      if (isFormerProbe(provider.breaker, admittedAtMs)) {
        provider.breaker = breakerAfterFormerProbe(provider.breaker, nowMs - admittedAtMs);
        return;
      }
      this.#providers.turn(
        provider,
        breakerAfterFailure(provider.breaker, policy.breaker, flow.usual, nowMs, flow.underWay),
      );
      return;
    }
    // It answered, if only to refuse: the provider is up.
    this.#providers.turn(provider, breakerAfterSuccess(provider.breaker, nowMs));
    this.#forgetIfWell(target.provider, provider);
  }

  released(attempt: Admission, nowMs: number): void {
    const { target, policy, admittedAtMs } = attempt;
    this.#flowOf(target).end();
    // Without a breaker it took no place, so it has none to give back.
    if (policy.breaker === null) return;
    this.#cooldowns.ended(attempt, nowMs, rampAfterRelease);
    const provider = this.#providers.get(target.provider);
    if (provider === undefined || isStraggler(provider.breaker, admittedAtMs)) return;
    if (!isFormerProbe(provider.breaker, admittedAtMs))
      this.#providers.turn(provider, breakerAfterRelease(provider.breaker, nowMs));
  }

  isRare(target: Target, { kind }: Failure): boolean {
    const provider = this.#providers.get(target.provider);
    if (provider === undefined || this.#flowOf(target).usual.perSecond === 0) return false;
    const { unlimited, breaker } = provider;
    if (kind === "rate_limit") return unlimited !== undefined && unlimited.answered > RARE;
    return isSick(kind) && breaker.phase === "closed" && breaker.share !== undefined && breaker.share.answered > RARE;
  }

  coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    this.#cooldowns.add(target, scope, untilMs);
    this.isQuiet = false;
  }

  refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    // Not by `coolDown`: a subclass that stores what it receives there stores limits, which a wait cures.
    this.#cooldowns.add(target, scope, untilMs);
    this.isQuiet = false;
    this.#cooldowns.noteRefusal(target, scope, untilMs, kind);
  }

  refusalOf(target: Target, nowMs: number): FailureKind | undefined {
    return this.#cooldowns.refusalOf(target, nowMs);
  }

  limitOf(target: Target, breaker: BreakerSpec | null, nowMs: number): Limit | undefined {
    const isBreakerBlocking =
      breaker !== null && breakerBlockedForMs(this.#providers.breakerOf(target.provider), breaker, nowMs) > 0;
    return isBreakerBlocking ? undefined : this.#cooldowns.limitOf(target, nowMs);
  }

  snapshot(nowMs: number): HealthSnapshot {
    const flows = this.#flows ?? new Map(this.#lastName === undefined ? [] : [[this.#lastName, this.#lastFlow]]);
    return snapshotOf({ flows, providers: this.#providers.all, cooldowns: this.#cooldowns.list() }, nowMs);
  }

  endCooldown(target: Target, scope: CooldownScope): boolean | Promise<boolean> {
    const wasThere = this.#cooldowns.remove(target, scope);
    this.#listen();
    return wasThere;
  }

  closeBreaker(name: string): boolean {
    const provider = this.#providers.get(name);
    if (provider === undefined || provider.breaker.phase === "closed") return false;
    this.#providers.turn(provider, CLOSED);
    this.#forgetIfWell(name, provider);
    return true;
  }

  /** Its tables, for a health that is shared among processes: {@link HealthParts}, which is no concern of others. */
  parts(): object {
    return {
      ...{ providers: this.#providers, cooldowns: this.#cooldowns },
      flowOf: (provider) => this.#flowOf({ provider }),
      changed: () => this.#listen(),
    } satisfies HealthParts;
  }

  /** Where too many calls are under way: when to ask again. */
  #waitForOthers(target: Target, nowMs: number): number {
    if (!this.#isSuspect) return 0;
    const flow = this.#flowOf(target);
    const waitMs = flow.ask(nowMs);
    this.#calmDown(flow);
    if (waitMs !== "over") return waitMs;
    // Those who waited come back a few at a time.
    this.#providers.turn(this.#provider(target), breakerAfterCrowd(flow.usual, nowMs));
    return 0;
  }

  #calmDown(flow: Flow): void {
    if (flow.hasCalmedDown()) this.#isSuspect = [...(this.#flows?.values() ?? [])].some(({ isSuspect }) => isSuspect);
  }

  #flowOf({ provider }: Pick<Target, "provider">): Flow {
    if (provider === this.#lastName) return this.#lastFlow;
    if (this.#lastName !== undefined) this.#flows ??= new Map([[this.#lastName, this.#lastFlow]]);
    const flow = this.#flows?.get(provider) ?? new Flow();
    this.#flows?.set(provider, flow);
    this.#lastName = provider;
    this.#lastFlow = flow;
    return flow;
  }

  #provider({ provider }: Pick<Target, "provider">): ProviderHealth {
    this.isQuiet = false;
    return this.#providers.getOrAdd(provider);
  }

  #forgetIfWell(name: string, provider: ProviderHealth): void {
    this.#providers.forgetIfWell(name, provider);
    this.#listen();
  }

  #listen(): void {
    this.isQuiet = this.#providers.isEmpty && this.isFree;
  }
}
