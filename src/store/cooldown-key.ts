import type { CooldownScope, Target } from "../kernel/index.ts";

/** What cools down. A model does so for every credential, so its own is empty. */
export interface Cooling {
  readonly target: Target;
  readonly scope: CooldownScope;
  /** Of the key and the address that stood behind the names. Left out: nobody noted it. */
  readonly fingerprint?: string;
}

/** The name of a cooldown in the store. The fingerprint is part of it: of two keys with one name each has its own deadline. */
export function cooldownKey({ target, scope, fingerprint }: Cooling): string {
  const { provider, model } = target;
  const credential = scope === "model" ? "" : target.credential;
  if (fingerprint !== undefined) return JSON.stringify([scope, provider, model, credential, fingerprint]);
  return JSON.stringify(scope === "model" ? [scope, provider, model] : [scope, provider, model, credential]);
}

/** Undefined: not ours. A later version may keep others. */
export function readCooldownKey(key: string): Cooling | undefined {
  const parts = parse(key);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) return undefined;
  const [scope, provider, model, credential = "", fingerprint] = parts as readonly string[];
  if (scope !== "model" && scope !== "credential") return undefined;
  if (provider === undefined || model === undefined) return undefined;
  return { scope, target: { provider, model, credential }, ...(fingerprint !== undefined && { fingerprint }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
