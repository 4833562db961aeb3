import { type CooldownScope, MemoryHealth, type Ports, type Target } from "../kernel/index.ts";
import type { CooldownStore } from "./store.ts";

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
      for (const { key, until } of await cooldowns.list(ports.wallNow())) health.#restore(key, until);
    } catch (fault) {
      ports.reportFault(fault, "store");
    }
    return health;
  }

  override coolDown(target: Target, scope: CooldownScope, untilMs: number): void {
    super.coolDown(target, scope, untilMs);
    const until = this.#ports.wallNow() + (untilMs - this.#ports.now());
    // Nobody waits for it: a call goes on at once, and a store that fails must not take it down.
    this.#cooldowns.set(keyOf(target, scope), until).catch((fault) => this.#ports.reportFault(fault, "store"));
  }

  #restore(key: string, until: number): void {
    const found = readKey(key);
    // Not ours: a later version may keep others.
    if (found === undefined) return;
    super.coolDown(found.target, found.scope, this.#ports.now() + (until - this.#ports.wallNow()));
  }
}

/** A model cools down for every credential, so its key has none. */
function keyOf({ provider, model, credential }: Target, scope: CooldownScope): string {
  return JSON.stringify(scope === "model" ? [scope, provider, model] : [scope, provider, model, credential]);
}

function readKey(key: string): { readonly target: Target; readonly scope: CooldownScope } | undefined {
  const parts = parse(key);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) return undefined;
  const [scope, provider, model, credential = ""] = parts as readonly string[];
  if (scope !== "model" && scope !== "credential") return undefined;
  if (provider === undefined || model === undefined) return undefined;
  return { scope, target: { provider, model, credential } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
