import type { CooldownScope, Target } from "../kernel/index.ts";
import { parseJson } from "./parse-json.ts";

/** What cools down. A model cools down for every credential, so its credential is empty. */
export interface Cooling {
  readonly target: Target;
  readonly scope: CooldownScope;
  /** Of the key and the address behind the names. Absent: unknown. */
  readonly fingerprint?: string;
}

/** The key of a cooldown in the store. It includes the fingerprint: two API keys with one name have separate deadlines. */
export function cooldownKey({ target, scope, fingerprint }: Cooling): string {
  const { provider, model } = target;
  const credential = scope === "model" ? "" : target.credential;
  if (fingerprint !== undefined) return JSON.stringify([scope, provider, model, credential, fingerprint]);
  return JSON.stringify(scope === "model" ? [scope, provider, model] : [scope, provider, model, credential]);
}

/** Undefined for an unknown format: a later version may have others. */
export function readCooldownKey(key: string): Cooling | undefined {
  const parts = parseJson(key);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) return undefined;
  const [scope, provider, model, credential = "", fingerprint] = parts as readonly string[];
  if (scope !== "model" && scope !== "credential") return undefined;
  if (provider === undefined || model === undefined) return undefined;
  return { scope, target: { provider, model, credential }, ...(fingerprint !== undefined && { fingerprint }) };
}
