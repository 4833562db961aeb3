import type { CooldownScope, Target } from "../kernel/index.ts";
import { parseJson } from "./parse-json.ts";

/** What cools down. A model cools down for every credential, so its credential is empty. */
export interface Cooling {
  readonly target: Target;
  readonly scope: CooldownScope;
  /** Of the key and the address behind the names. Absent: unknown. */
  readonly fingerprint?: string;
  /** A quota without a known end: the target is skipped, but not waited for. */
  readonly isUsedUp?: true;
}

/** Before the scope. Versions that do not know it ignore the key. */
const USED_UP = "used-up:";

/** The key of a cooldown in the store. It includes the fingerprint: two API keys with one name have separate deadlines. */
export function cooldownKey({ target, scope, fingerprint, isUsedUp }: Cooling): string {
  const { provider, model } = target;
  const what = isUsedUp ? `${USED_UP}${scope}` : scope;
  const credential = scope === "model" ? "" : target.credential;
  if (fingerprint !== undefined) return JSON.stringify([what, provider, model, credential, fingerprint]);
  return JSON.stringify(scope === "model" ? [what, provider, model] : [what, provider, model, credential]);
}

/** Undefined for an unknown format: a later version may have others. */
export function readCooldownKey(key: string): Cooling | undefined {
  const parts = parseJson(key);
  if (!Array.isArray(parts) || !parts.every((part) => typeof part === "string")) return undefined;
  const [what = "", provider, model, credential = "", fingerprint] = parts as readonly string[];
  const isUsedUp = what.startsWith(USED_UP);
  const scope = isUsedUp ? what.slice(USED_UP.length) : what;
  if (scope !== "model" && scope !== "credential") return undefined;
  if (provider === undefined || model === undefined) return undefined;
  const target = { provider, model, credential };
  return { scope, target, ...(fingerprint !== undefined && { fingerprint }), ...(isUsedUp && { isUsedUp }) };
}
