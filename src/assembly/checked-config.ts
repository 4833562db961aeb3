import { InvalidInput } from "../kernel/index.ts";
import type { ProviderSet } from "../session/index.ts";
import { type ConfigStore, parseProviderKey } from "../store/index.ts";
import { checkSelector } from "../wire/selector.ts";

/** The config table, which by itself does not know the providers: a fallback chain or a setting for an unknown one is refused. */
export function checkedConfig(config: ConfigStore, providers: ProviderSet): ConfigStore {
  const check = (key: string, value: unknown): void => {
    if (key === "retry.fallbackChains") checkChains(key, value, providers);
    if (key === "serve.model" && typeof value === "string" && value !== "") checkSelector(key, value, providers);
    const provider = parseProviderKey(key)?.provider;
    if (provider !== undefined && !providers.has(provider))
      throw new InvalidInput("config key", key, `for a known provider (${[...providers.keys()].join(", ")})`);
  };
  return {
    get: (key) => config.get(key),
    remove: (key) => config.remove(key),
    entry: (key) => config.entry(key),
    list: () => config.list(),
    set: async (key, value) => {
      check(key, value);
      await config.set(key, value);
    },
    setAll: async (values) => {
      for (const [key, value] of Object.entries(values)) check(key, value);
      await config.setAll(values);
    },
  };
}

/** What is not a chain at all is left to the table. */
function checkChains(key: string, value: unknown, providers: ProviderSet): void {
  if (typeof value !== "object" || value === null) return;
  for (const [role, chain] of Object.entries(value)) {
    if (!Array.isArray(chain)) continue;
    for (const selector of chain) {
      if (typeof selector === "string") checkSelector(`${key}.${role}`, selector, providers);
    }
  }
}
