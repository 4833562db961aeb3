import type { ConfigEntry } from "../store.ts";
import type { ConfigName, ConfigValues } from "./config-keys.ts";

/** C10: the settings that can differ for a provider, as `api_retry_max_delay.openai`. */
export const PER_PROVIDER = [
  "api_retry_max_delay",
  "api_circuit_breaker",
  "api_retry_adaptive",
  "retry.maxRetries",
  "retry.baseDelayMs",
  "retry.maxDelayMs",
] as const satisfies readonly ConfigName[];

export type ProviderSetting = (typeof PER_PROVIDER)[number];

export interface ProviderKey {
  readonly name: ProviderSetting;
  readonly provider: string;
}

/** Undefined: not a setting for a provider. */
export function parseProviderKey(key: string): ProviderKey | undefined {
  const name = PER_PROVIDER.find((known) => key.startsWith(`${known}.`));
  const provider = name === undefined ? "" : key.slice(name.length + 1);
  return name === undefined || !/^[^\s./]{1,100}$/.test(provider) ? undefined : { name, provider };
}

/** What a provider has set differently, by provider. */
export function providerSettings(
  entries: readonly ConfigEntry[],
): ReadonlyMap<string, Partial<Pick<ConfigValues, ProviderSetting>>> {
  const settings = new Map<string, Partial<Pick<ConfigValues, ProviderSetting>>>();
  for (const { key, value, isDefault } of entries) {
    const parsed = parseProviderKey(key);
    if (parsed === undefined || isDefault) continue;
    settings.set(parsed.provider, { ...settings.get(parsed.provider), [parsed.name]: value });
  }
  return settings;
}
