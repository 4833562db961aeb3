import type { BreakerState } from "../health/breaker.ts";
import type { CooldownScope } from "../health/health.ts";
import type { HealthParts } from "../health/memory-health.ts";
import { SPREAD_MS } from "../health/spread.ts";
import type { FailureKind } from "../model/failure.ts";
import type { Target } from "../model/target.ts";
import { applyCooldown, breakerKey, cooldownFact, cooldownKey, readFactKey } from "./cooldown-fact.ts";
import { countOf, newCounts, PLACE_OF } from "./counts.ts";
import { Directory, type Known, type SharedProvider } from "./directory.ts";
import type { ExchangeOptions } from "./exchange-options.ts";
import { type Fact, FactTable } from "./fact.ts";
import type { Announcement, HealthLink } from "./link.ts";
import { type Message, NO_SPECS, readMessage, type SharedName, type Specs, writeMessage } from "./message.ts";
import { lostAfterMs, type Pace, paceFor } from "./pace.ts";
import { Peers } from "./peers.ts";
import { replay } from "./replay.ts";
import { hasTurned, readBreaker, writeBreaker } from "./sent-breaker.ts";

/** Processes ask about so far apart. */
const APART_MS = 10;
/** A breaker's state is of use for so long. */
const BREAKER_MS = 600_000;
const CLEARED_MS = 3_600_000;
/** A process that has nothing to say says at least that it lives. */
const SIGN_OF_LIFE_MS = 1000;

/** What one process tells the others, and what it makes of what they tell. Its clock is that of the process plus `offsetMs`. */
export class HealthExchange {
  specs: Specs = NO_SPECS;
  readonly parts: HealthParts;
  readonly #options: ExchangeOptions;
  readonly #directory: Directory;
  readonly #facts = new FactTable();
  readonly #toTell = new Map<string, Fact>();
  #peers = new Peers();
  #link: HealthLink | undefined = undefined;
  #offsetMs: number | undefined = undefined;
  #saidMs = Number.NEGATIVE_INFINITY;
  #wokenFor = Number.POSITIVE_INFINITY;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#directory = new Directory(options.nameOf);
    this.parts = options.health.parts() as HealthParts;
  }

  /** Undefined: alone. */
  get link(): HealthLink | undefined {
    return this.#link;
  }

  /** How many processes there are, this one included. */
  get processes(): number {
    return this.#peers.size + 1;
  }

  get pace(): Pace {
    return paceFor(this.processes);
  }

  /** How much later than alone a call that is held back should ask again. */
  get laterMs(): number {
    return this.#options.phase * Math.min(SPREAD_MS, (this.processes - 1) * APART_MS);
  }

  /** There is a way to the others. `facts`: what they know. */
  join(link: HealthLink, offsetMs: number, facts: readonly Fact[]): void {
    const nowMs = this.#options.now();
    // Changes from before the clock was known were stamped with the own one.
    if (this.#offsetMs === undefined)
      for (const [, each] of this.#directory.providers) if (each.stamp > 0) each.stamp += offsetMs;
    this.#offsetMs = offsetMs;
    this.#link = link;
    for (const fact of facts) this.#learn(fact);
    // What was told on a way that broke may have reached nobody.
    for (const fact of this.#facts.beyond(facts, this.#sharedMs())) this.#toTell.set(fact.key, fact);
    for (const [name, provider] of this.#directory.providers) {
      if (provider.stamp > 0) provider.isTurned = true;
      if (provider.own > 0) this.parts.flowOf(name).scale(provider.all / provider.own);
      provider.own = 0;
      provider.all = 0;
    }
    for (const { target, scope, cooldown } of this.parts.cooldowns.list()) {
      if (cooldown.untilMs > nowMs) this.tellCooldown(target, scope, cooldown.untilMs, cooldown.refusal);
    }
    for (const each of this.#directory.known) each.hasNews = true;
    this.wake(0);
  }

  /** The way is gone: what is known stays, and the calls of the others are no longer counted. */
  leave(): void {
    if (this.#link === undefined) return;
    this.#link = undefined;
    this.#release(this.#peers.forget(Number.POSITIVE_INFINITY), this.#options.now());
    for (const [name, { own, all }] of this.#directory.providers) if (own > 0) this.parts.flowOf(name).scale(own / all);
    this.#toTell.clear();
    this.#wokenFor = Number.POSITIVE_INFINITY;
  }

  setClock(offsetMs: number): void {
    this.#offsetMs = offsetMs;
  }

  wake(withinMs: number): void {
    if (withinMs >= this.#wokenFor || this.#link === undefined) return;
    this.#wokenFor = withinMs;
    this.#link.wake(withinMs);
  }

  knownOf(target: Target): Known {
    return this.#directory.get(target) ?? this.#meet(target);
  }

  stampOf(provider: string): number {
    return this.#directory.provider(provider)?.stamp ?? 0;
  }

  sharedName(provider: string): string {
    return this.#directory.provider(provider)?.name ?? provider;
  }

  noteAnswer(provider: string): void {
    const shared = this.#directory.provider(provider);
    if (shared === undefined) return;
    shared.own++;
    shared.all++;
  }

  /** To be called after whatever may have changed a breaker, with its state before. */
  noteTurn(provider: string, before: BreakerState): void {
    const { providers } = this.parts;
    const after = providers.breakerOf(provider);
    const shared = hasTurned(before, after) ? this.#directory.provider(provider) : undefined;
    if (shared === undefined) return;
    // Each process begins the ramp after a probe when it comes to believe in it. It is one ramp, so it has one stamp.
    const isOneForAll = before.phase === "half-open" && after.phase === "recovering";
    shared.stamp = isOneForAll ? shared.stamp + 1 : Math.max(this.#sharedMs(), shared.stamp + 1);
    shared.isTurned = true;
    this.wake(this.pace.urgentMs);
  }

  tellCooldown(target: Target, scope: CooldownScope, untilMs: number, refusal: FailureKind | undefined): void {
    if (this.#link === undefined) return;
    const name = this.#directory.nameOf(target);
    const fact = cooldownFact({ name, scope, refusal, untilMs: this.#toShared(untilMs), epoch: 0 });
    this.#tell({ ...fact, epoch: this.#facts.get(fact.key)?.epoch ?? 0 });
  }

  tellCleared(target: Target, scope: CooldownScope): void {
    if (this.#link === undefined) return;
    const sharedMs = this.#sharedMs();
    const key = cooldownKey(this.#directory.nameOf(target), scope);
    const epoch = Math.max(sharedMs, (this.#facts.get(key)?.epoch ?? 0) + 1);
    this.#tell({ key, epoch, rank: 0, untilMs: sharedMs + CLEARED_MS, value: "" });
  }

  /** What is to be sent now, if anything. */
  announce(): Announcement | undefined {
    const nowMs = this.#options.now();
    this.#wokenFor = Number.POSITIVE_INFINITY;
    if (this.#link === undefined) return undefined;
    this.#release(this.#peers.forget(nowMs - lostAfterMs(this.pace)), nowMs);
    for (const [name, shared] of this.#directory.providers) if (shared.isTurned) this.#tellBreaker(name, shared);
    this.#facts.sweep(this.#sharedMs());
    const news = [...this.#directory.known].filter(({ hasNews }) => hasNews);
    if (news.length === 0 && this.#toTell.size === 0 && nowMs - this.#saidMs < SIGN_OF_LIFE_MS) return undefined;
    for (const each of news) each.hasNews = false;
    const facts = [...this.#toTell.values()];
    this.#toTell.clear();
    this.#saidMs = nowMs;
    const targets = news.map(({ target, name, counts }) => ({
      target: name,
      stamp: this.stampOf(target.provider),
      counts,
    }));
    return { text: writeMessage({ from: this.#options.id, facts, targets, specs: this.specs }), facts };
  }

  /** Undefined for nonsense. */
  read(text: string): Message | undefined {
    return readMessage(text, this.#sharedMs());
  }

  /** A message of another process, or an echo of an own one. */
  hear(message: Message): void {
    if (this.#link === undefined || message.from === this.#options.id) return;
    const adopted = new Set(message.facts.filter((fact) => this.#learn(fact)).map(({ key }) => key));
    this.#hearCalls(message, adopted);
  }

  #hearCalls({ from, targets, specs }: Message, adopted: ReadonlySet<string>): void {
    const nowMs = this.#options.now();
    for (const { target: name, stamp, news } of this.#peers.hear(from, targets, nowMs)) {
      const provider = this.#directory.localProvider(name.provider);
      // Nothing here calls it.
      if (provider === undefined) continue;
      const target = this.#directory.byName(name) ?? { ...name, provider };
      const before = this.parts.providers.breakerOf(provider);
      const isRamp = before.phase === "recovering";
      // A state that came with the message contains its calls.
      const isSame = stamp === this.stampOf(provider) && !(adopted.size > 0 && adopted.has(breakerKey(name.provider)));
      const isCurrent = before.phase === "closed" || (isRamp && isSame);
      replay(this.#options.health, this.parts, { target, news, specs, nowMs, isCurrent });
      const shared = this.#directory.provider(provider);
      if (shared !== undefined) shared.all += countOf(news, "answered");
      this.noteTurn(provider, before);
    }
  }

  #sharedMs(): number {
    return this.#toShared(this.#options.now());
  }

  #toShared(ownMs: number): number {
    return Math.round(ownMs + (this.#offsetMs ?? 0));
  }

  #tell(fact: Fact): void {
    if (!this.#facts.add(fact)) return;
    this.#toTell.set(fact.key, fact);
    this.wake(this.pace.urgentMs);
  }

  #tellBreaker(name: string, shared: SharedProvider): void {
    shared.isTurned = false;
    const key = breakerKey(shared.name);
    const value = writeBreaker(this.parts.providers.breakerOf(name), this.#offsetMs ?? 0);
    const fact = { key, epoch: 0, rank: shared.stamp, untilMs: this.#sharedMs() + BREAKER_MS, value };
    this.#tell(fact);
    // Another process had the same moment: the same one of the two counts everywhere.
    const greatest = this.#facts.get(key);
    if (greatest !== undefined && greatest !== fact) this.#adoptBreaker(greatest, name, shared);
  }

  /** Returns whether a breaker has its state from now on. */
  #learn(fact: Fact): boolean {
    return this.#facts.add(fact) && this.#apply(fact);
  }

  /** A target that is called for the first time: what is known of it holds from now on. */
  #meet(target: Target): Known {
    const isNew = this.#directory.provider(target.provider) === undefined;
    const name = this.#directory.nameOf(target);
    const known = this.#directory.add(target);
    if (isNew) {
      for (let n = this.#peers.underWayAt(name.provider); n > 0; n--) this.#options.health.started(target);
    }
    for (const key of [breakerKey(name.provider), cooldownKey(name, "model"), cooldownKey(name, "credential")]) {
      const fact = this.#facts.get(key);
      if (fact !== undefined) this.#apply(fact);
    }
    return known;
  }

  #apply(fact: Fact): boolean {
    const about = readFactKey(fact.key);
    const provider = about && this.#directory.localProvider(about.provider);
    const shared = provider === undefined ? undefined : this.#directory.provider(provider);
    if (about === undefined || provider === undefined || shared === undefined) return false;
    if (about.cooldown !== undefined) this.#applyCooldown(fact, provider, about.cooldown);
    return about.cooldown === undefined && fact.rank >= shared.stamp && this.#adoptBreaker(fact, provider, shared);
  }

  #adoptBreaker(fact: Fact, provider: string, shared: SharedProvider): boolean {
    const state = readBreaker(fact.value, -(this.#offsetMs ?? 0));
    if (state === undefined) return false;
    const { providers } = this.parts;
    // The calls that went on the same ramp here are not in what another process knew of it: the counts of both bring them together.
    const isSameRamp = fact.rank === shared.stamp && state.phase === "recovering";
    if (isSameRamp && providers.breakerOf(provider).phase === "recovering") return false;
    const known = providers.getOrAdd(provider);
    providers.turn(known, state);
    providers.forgetIfWell(provider, known);
    this.parts.changed();
    shared.stamp = fact.rank;
    shared.isTurned = false;
    return true;
  }

  #applyCooldown(fact: Fact, provider: string, { name, scope }: { name: SharedName; scope: CooldownScope }): void {
    const { health } = this.#options;
    const own = this.#directory.byName(name);
    const target = scope === "model" ? { provider, model: name.model, credential: "" } : own;
    if (target === undefined) return;
    const untilMs = fact.rank - (this.#offsetMs ?? 0);
    applyCooldown(health, fact, { target, scope, untilMs, nowMs: this.#options.now() });
  }

  #release(lost: ReturnType<Peers["forget"]>, nowMs: number): void {
    for (const { target: name, underWay } of lost) {
      const provider = this.#directory.localProvider(name.provider);
      if (provider === undefined) continue;
      const target = this.#directory.byName(name) ?? { ...name, provider };
      const isCurrent = this.parts.providers.breakerOf(provider).phase === "recovering";
      const news = newCounts();
      news[PLACE_OF.released] = underWay;
      replay(this.#options.health, this.parts, { target, news, specs: this.specs, nowMs, isCurrent });
    }
  }
}
