import type { CooldownScope, HealthSnapshot, Target } from "../kernel/index.ts";
import type { HealthItem, HealthView } from "../wire/http/activity.ts";

/** What holds calls back, with ids by which it can be cleared. `nowMs`: epoch milliseconds of the snapshot. */
export function healthView({ called, cooldowns, breakers, budgets }: HealthSnapshot, nowMs: number): HealthView {
  const items = [
    ...breakers.map(({ provider, phase, leftMs, share }): HealthItem => {
      const type = phase === "recovering" ? "recovering" : "breaker";
      return {
        id: idOf(["breaker", provider]),
        type,
        provider,
        ...soon(leftMs, nowMs),
        ...(share !== undefined && { share }),
      };
    }),
    ...cooldowns.map(({ target, scope, leftMs, share }): HealthItem => {
      const { provider, model, credential } = target;
      return {
        id: idOf([scope, provider, model, credential]),
        type: leftMs > 0 ? "cooldown" : "recovering",
        provider,
        model,
        ...(scope === "credential" && credential !== "" && { credential }),
        ...(leftMs > 0 && soon(leftMs, nowMs)),
        ...(share !== undefined && { share }),
      };
    }),
  ];
  const inTrouble = new Set(items.map(({ provider }) => provider));
  const whole = budgets.map(({ provider, tokens, capacity }) => ({
    provider,
    tokens: Math.floor(tokens),
    capacity: Math.floor(capacity),
  }));
  return { items, budgets: whole, fine: called.filter((provider) => !inTrouble.has(provider)).sort() };
}

/** What an id of a view names. */
export type HealthSubject =
  | { readonly type: "breaker"; readonly provider: string }
  | { readonly type: "cooldown"; readonly target: Target; readonly scope: CooldownScope };

/** Undefined: not an id of a view. */
export function readHealthId(id: string): HealthSubject | undefined {
  const parts = partsOf(id);
  const [what, provider, model, credential] = parts;
  if (provider === undefined) return undefined;
  if (what === "breaker") return parts.length === 2 ? { type: "breaker", provider } : undefined;
  if ((what !== "credential" && what !== "model") || model === undefined || credential === undefined) return undefined;
  return { type: "cooldown", target: { provider, model, credential }, scope: what };
}

function soon(leftMs: number | undefined, nowMs: number): { readonly until?: number } {
  return leftMs === undefined ? {} : { until: Math.round(nowMs + leftMs) };
}

/** Fits into a path, whatever is in the names. */
function idOf(parts: readonly string[]): string {
  return Buffer.from(JSON.stringify(parts)).toString("base64url");
}

function partsOf(id: string): readonly string[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(id, "base64url").toString());
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : [];
  } catch {
    return [];
  }
}
