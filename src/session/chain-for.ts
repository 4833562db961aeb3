import type { TargetEntry } from "../kernel/index.ts";
import type { RetrySettings } from "../wire/index.ts";
import type { ProviderSet } from "./parts.ts";
import { isSelector, splitSelector } from "./selector.ts";

/** S4b: the current model, then what follows it in the chain of its role; all of the chain if it is not in it. */
export function chainFor(role: string, current: string, settings: RetrySettings): readonly string[] {
  const chain = chainOfRole(role, settings);
  const following = chain.slice(chain.indexOf(current) + 1);
  return [...new Set([current, ...following])];
}

/** Models with their providers' credentials. A provider that nobody knows has none: the engine skips it with a warning. */
export function entriesFor(chain: readonly string[], providers: ProviderSet): readonly TargetEntry[] {
  return chain.filter(isSelector).map((selector) => {
    const { provider, model } = splitSelector(selector);
    return { provider, model, credentials: providers.get(provider)?.credentials ?? [] };
  });
}

/** What is to be said of entries that name no model at all. */
export function warningsOf(role: string, chain: readonly string[]): readonly string[] {
  const wrong = chain.filter((entry) => !isSelector(entry));
  return wrong.map((entry) => `In the chain of ${role} ${JSON.stringify(entry)} is skipped: it is no provider/model`);
}

/** The model that a role starts with: the first of its chain, or the session's own. */
export function modelOf(role: string, chosen: string, settings: RetrySettings): string {
  if (role === "default") return chosen;
  return chainOfRole(role, settings).find(isSelector) ?? chosen;
}

/** A model may ask for any role: `constructor` is something that every object has, and no chain. */
function chainOfRole(role: string, { fallbackChains }: RetrySettings): readonly string[] {
  return (Object.hasOwn(fallbackChains, role) ? fallbackChains[role] : undefined) ?? [];
}
