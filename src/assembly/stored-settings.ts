import type { SettingsPort } from "../session/index.ts";
import type { ConfigName, ConfigStore, ConfigValues } from "../store/index.ts";
import type { RetrySettings } from "../wire/index.ts";

/** S1: the settings group `retry`, field by field, in the config table. */
const KEYS = {
  enabled: "retry.enabled",
  maxRetries: "retry.maxRetries",
  baseDelayMs: "retry.baseDelayMs",
  maxDelayMs: "retry.maxDelayMs",
  fallbackChains: "retry.fallbackChains",
  fallbackRevertPolicy: "retry.fallbackRevertPolicy",
} as const satisfies Record<keyof RetrySettings, ConfigName>;

type Field = keyof typeof KEYS;

/** One key for each field: what was never set stays unset, and has whatever default a later version gives it. */
export function storedSettings(config: ConfigStore): SettingsPort {
  const readField = async (field: Field) => [field, await config.get(KEYS[field])] as const;
  return {
    read: async () => Object.fromEntries(await Promise.all(fields(KEYS).map(readField))),
    write: async (changes) => {
      await Promise.all(fields(changes).map((field) => config.set(KEYS[field], changes[field])));
    },
  };
}

/** C10: the fields of the group that are set for one provider. */
export function retrySettingsOf(own: Partial<ConfigValues>): Partial<RetrySettings> {
  const given = (Object.keys(KEYS) as Field[]).filter((field) => own[KEYS[field]] !== undefined);
  return Object.fromEntries(given.map((field) => [field, own[KEYS[field]]]));
}

function fields(of: Partial<Record<Field, unknown>>): readonly Field[] {
  return (Object.keys(KEYS) as Field[]).filter((field) => of[field] !== undefined);
}
