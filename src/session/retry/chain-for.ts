import type { TargetEntry } from "../../kernel/index.ts";
import type { RetrySettings } from "../../wire/index.ts";
import { parseSelector } from "../../wire/selector.ts";
import type { ProviderSet } from "../parts.ts";

/** S4b: the current model, then what follows it in the chain of its role; all of the chain if it is not in it. */
export function chainFor(role: string, current: string, settings: RetrySettings): readonly string[] {
  const chain = chainOfRole(role, settings);
  const following = chain.slice(chain.indexOf(current) + 1);
  return [...new Set([current, ...following])];
}

/** Models with their providers' credentials. An unknown provider has none: the engine skips it with a warning. */
export function entriesFor(chain: readonly string[], providers: ProviderSet): readonly TargetEntry[] {
  return chain.flatMap((entry) => {
    const selector = parseSelector(entry);
    return selector === undefined
      ? []
      : [{ ...selector, credentials: providers.get(selector.provider)?.credentials ?? [] }];
  });
}

/** One warning for each entry that names no model. */
export function warningsOf(role: string, chain: readonly string[]): readonly string[] {
  const wrong = chain.filter((entry) => parseSelector(entry) === undefined);
  return wrong.map((entry) => `Skipped ${JSON.stringify(entry)} in the chain of ${role}: not a provider/model`);
}

/** The model that a role starts with: the first of its chain, or the session's own. */
export function modelOf(role: string, chosen: string, settings: RetrySettings): string {
  return (role === "default" ? undefined : firstModel(role, settings)) ?? chosen;
}

/** The first model in the chain of a role. */
export function firstModel(role: string, settings: RetrySettings): string | undefined {
  return chainOfRole(role, settings).find((entry) => parseSelector(entry) !== undefined);
}

/** A model may ask for any role: `constructor` is something that every object has, and no chain. */
function chainOfRole(role: string, { fallbackChains }: RetrySettings): readonly string[] {
  return (Object.hasOwn(fallbackChains, role) ? fallbackChains[role] : undefined) ?? [];
}
