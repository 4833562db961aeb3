import type { CooldownScope, Target } from "../kernel/index.ts";

/** What cools down. A model does so for every credential, so its own is empty. */
export interface Cooling {
  readonly target: Target;
  readonly scope: CooldownScope;
}

/** The name of a cooldown in the store. */
export function cooldownKey({ provider, model, credential }: Target, scope: CooldownScope): string {
  return JSON.stringify(scope === "model" ? [scope, provider, model] : [scope, provider, model, credential]);
}

/** Undefined: not ours. A later version may keep others. */
export function readCooldownKey(key: string): Cooling | undefined {
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
