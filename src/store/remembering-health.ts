import { type CooldownScope, MemoryHealth, type Ports, type Target } from "../kernel/index.ts";
import { type Cooling, cooldownKey, readCooldownKey } from "./cooldown-key.ts";
import type { CooldownStore, StoredCooldown } from "./store.ts";
import { timeLeftMs } from "./time-left.ts";

export type RememberingPorts = Pick<Ports, "now" | "wallNow" | "reportFault">;

/**
 * A short sign of what stands behind the names of a target: the key and its address, or for a model the address alone. Names
 * stay when a variable gets another key. Undefined: nobody can tell.
 */
export type FingerprintOf = (target: Target, scope: CooldownScope) => string | undefined;

/**
 * Health of one process whose cooldowns outlive it. The engine counts on a monotonic clock, which begins anew with the process;
 * the store keeps epoch milliseconds. Breakers and budgets are not kept: they say something about now only.
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
   * With the cooldowns that an earlier process left, as far as they are not over and still speak of the same keys. Without the
   * store: with none. `fingerprints` gets the salt of the store.
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
    // Nobody waits for it: a call goes on at once, and a store that fails must not take it down.
    this.#keep(target, scope, untilMs).catch((fault) => this.#ports.reportFault(fault, "store"));
  }

  /** It is handed to the store before this returns: one that is closed next still has it. */
  async #keep(target: Target, scope: CooldownScope, untilMs: number): Promise<void> {
    const since = this.#ports.wallNow();
    const until = since + (untilMs - this.#ports.now());
    await this.#cooldowns.set(this.#keyOf(target, scope), until, since);
  }

  #keyOf(target: Target, scope: CooldownScope): string {
    const fingerprint = this.#fingerprintOf(target, scope);
    return cooldownKey({ target, scope, ...(fingerprint !== undefined && { fingerprint }) });
  }

  async #restore(kept: StoredCooldown): Promise<void> {
    const cooling = readCooldownKey(kept.key);
    if (cooling === undefined) return;
    if (this.#isAnother(cooling)) return this.#cooldowns.remove(kept.key);
    const wallMs = this.#ports.wallNow();
    const leftMs = timeLeftMs(kept, wallMs);
    if (leftMs > 0) super.coolDown(cooling.target, cooling.scope, this.#ports.now() + leftMs);
    if (leftMs < kept.until - wallMs) await this.#correct(kept.key, leftMs, wallMs);
  }

  /** One whose key nobody noted counts as another: to forget it costs a call, to heed it may cost the key. */
  #isAnother({ target, scope, fingerprint }: Cooling): boolean {
    const current = this.#fingerprintOf(target, scope);
    return current !== undefined && current !== fingerprint;
  }

  /** A deadline of a wrong clock is later than every right one, and would win against each until it comes. */
  async #correct(key: string, leftMs: number, wallMs: number): Promise<void> {
    await this.#cooldowns.remove(key);
    if (leftMs > 0) await this.#cooldowns.set(key, wallMs + leftMs, wallMs);
  }
}
