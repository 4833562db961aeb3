import { type CooldownScope, MemoryHealth, type Ports, type Target } from "../kernel/index.ts";
import { cooldownKey, readCooldownKey } from "./cooldown-key.ts";
import type { CooldownStore, StoredCooldown } from "./store.ts";
import { timeLeftMs } from "./time-left.ts";

export type RememberingPorts = Pick<Ports, "now" | "wallNow" | "reportFault">;

/**
 * Health of one process whose cooldowns outlive it. The engine counts on a monotonic clock, which begins anew with the process;
 * the store keeps epoch milliseconds. Breakers and budgets are not kept: they say something about now only.
 */
export class RememberingHealth extends MemoryHealth {
  readonly #cooldowns: CooldownStore;
  readonly #ports: RememberingPorts;

  private constructor(cooldowns: CooldownStore, ports: RememberingPorts) {
    super();
    this.#cooldowns = cooldowns;
    this.#ports = ports;
  }

  /** With the cooldowns that an earlier process left, as far as they are not over. Without the store: with none. */
  static async load(cooldowns: CooldownStore, ports: RememberingPorts): Promise<RememberingHealth> {
    const health = new RememberingHealth(cooldowns, ports);
    try {
      for (const kept of await cooldowns.list(ports.wallNow())) await health.#restore(kept);
    } catch (fault) {
      ports.reportFault(fault, "store");
    }
    return health;
  }

  override coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    super.coolDown(target, scope, untilMs);
    const since = this.#ports.wallNow();
    const until = since + (untilMs - this.#ports.now());
    // Nobody waits for it: a call goes on at once, and a store that fails must not take it down.
    this.#cooldowns
      .set(cooldownKey(target, scope), until, since)
      .catch((fault) => this.#ports.reportFault(fault, "store"));
  }

  async #restore(kept: StoredCooldown): Promise<void> {
    const cooling = readCooldownKey(kept.key);
    if (cooling === undefined) return;
    const wallMs = this.#ports.wallNow();
    const leftMs = timeLeftMs(kept, wallMs);
    if (leftMs > 0) super.coolDown(cooling.target, cooling.scope, this.#ports.now() + leftMs);
    if (leftMs < kept.until - wallMs) await this.#correct(kept.key, leftMs, wallMs);
  }

  /** A deadline of a wrong clock is later than every right one, and would win against each until it comes. */
  async #correct(key: string, leftMs: number, wallMs: number): Promise<void> {
    await this.#cooldowns.remove(key);
    if (leftMs > 0) await this.#cooldowns.set(key, wallMs + leftMs, wallMs);
  }
}
