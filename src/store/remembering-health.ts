import { type CooldownScope, type FailureKind, MemoryHealth, type Ports, type Target } from "../kernel/index.ts";
import { type Cooling, cooldownKey, readCooldownKey } from "./cooldown-key.ts";
import type { CooldownStore, StoredCooldown } from "./store.ts";
import { timeLeftMs } from "./time-left.ts";

type RememberingPorts = Pick<Ports, "now" | "wallNow" | "reportFault">;

/**
 * A fingerprint of what the names of a target refer to: the key and its address, or for a model the address alone. Names stay the
 * same when a variable gets another key. Undefined: unknown.
 */
export type FingerprintOf = (target: Target, scope: CooldownScope) => string | undefined;

/**
 * Health of one process whose cooldowns outlive it. The engine uses a monotonic clock, which starts with the process; the store has
 * epoch milliseconds. Breakers and budgets are not stored: they describe the present only.
 */
export class RememberingHealth extends MemoryHealth {
  readonly #cooldowns: CooldownStore;
  readonly #ports: RememberingPorts;
  #fingerprintOf: FingerprintOf = () => undefined;

  private constructor(cooldowns: CooldownStore, ports: RememberingPorts) {
    super();
    this.#cooldowns = cooldowns;
    this.#ports = ports;
  }

  /**
   * With the cooldowns of earlier processes that are not over and still concern the same keys; with none if the store fails.
   * `fingerprints` gets the salt of the store.
   */
  static async load(
    cooldowns: CooldownStore,
    ports: RememberingPorts,
    fingerprints?: (salt: string) => FingerprintOf,
  ): Promise<RememberingHealth> {
    const health = new RememberingHealth(cooldowns, ports);
    try {
      if (fingerprints !== undefined) health.#fingerprintOf = fingerprints(await cooldowns.salt());
      for (const kept of await cooldowns.list(ports.wallNow())) await health.#restore(kept);
    } catch (fault) {
      ports.reportFault(fault, "store");
    }
    return health;
  }

  override coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    super.coolDown(target, scope, untilMs);
    this.#keep({ target, scope }, untilMs);
  }

  override refuse(target: Target, scope: CooldownScope, untilMs: number, kind: FailureKind): void {
    super.refuse(target, scope, untilMs, kind);
    // A wrong key or an unknown model may be corrected before the next process starts. A used-up quota seldom returns so soon.
    if (kind === "usage_limit") this.#keep({ target, scope, isUsedUp: true }, untilMs);
  }

  /** A deadline in the store would come back with the next process. */
  override async endCooldown(target: Target, scope: CooldownScope): Promise<boolean> {
    const wasThere = await super.endCooldown(target, scope);
    for (const { key } of await this.#cooldowns.list(this.#ports.wallNow())) {
      const stored = readCooldownKey(key);
      if (stored !== undefined && isSame(stored, { target, scope })) await this.#cooldowns.remove(key);
    }
    return wasThere;
  }

  /** Not awaited: the call continues at once, and a failing store must not take it down. */
  #keep(cooling: Cooling, untilMs: number): void {
    this.#store(cooling, untilMs).catch((fault) => this.#ports.reportFault(fault, "store"));
  }

  /** Reaches the store before this returns: a store that is closed next still has it. */
  async #store(cooling: Cooling, untilMs: number): Promise<void> {
    const since = this.#ports.wallNow();
    const until = since + (untilMs - this.#ports.now());
    const fingerprint = this.#fingerprintOf(cooling.target, cooling.scope);
    const key = cooldownKey({ ...cooling, ...(fingerprint !== undefined && { fingerprint }) });
    await this.#cooldowns.set(key, until, since);
  }

  async #restore(kept: StoredCooldown): Promise<void> {
    const cooling = readCooldownKey(kept.key);
    if (cooling === undefined) return;
    if (this.#isAnother(cooling)) return this.#cooldowns.remove(kept.key);
    const wallMs = this.#ports.wallNow();
    const leftMs = timeLeftMs(kept, wallMs);
    if (leftMs > 0) this.#resume(cooling, this.#ports.now() + leftMs);
    if (leftMs < kept.until - wallMs) await this.#correct(kept.key, leftMs, wallMs);
  }

  #resume({ target, scope, isUsedUp }: Cooling, untilMs: number): void {
    if (isUsedUp) super.refuse(target, scope, untilMs, "usage_limit");
    else super.coolDown(target, scope, untilMs);
  }

  /** An unknown fingerprint counts as another key: dropping the cooldown costs a call, respecting it may cost the key. */
  #isAnother({ target, scope, fingerprint }: Cooling): boolean {
    const current = this.#fingerprintOf(target, scope);
    return current !== undefined && current !== fingerprint;
  }

  /** A deadline from a wrong clock is later than every right one, and would win against each until it passes. */
  async #correct(key: string, leftMs: number, wallMs: number): Promise<void> {
    await this.#cooldowns.remove(key);
    if (leftMs > 0) await this.#cooldowns.set(key, wallMs + leftMs, wallMs);
  }
}

/** Whatever the key behind the names, and whether it is used up or limited. */
function isSame(one: Cooling, other: Cooling): boolean {
  const { provider, model, credential } = one.target;
  const isSameModel = one.scope === other.scope && provider === other.target.provider && model === other.target.model;
  return isSameModel && (one.scope === "model" || credential === other.target.credential);
}
