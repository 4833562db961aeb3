export { CONFIG_KEYS, type ConfigName, type ConfigValues } from "./config/config-keys.ts";
export { PER_PROVIDER, parseProviderKey, providerSettings } from "./config/per-provider.ts";
export { readCooldownKey } from "./cooldown-key.ts";
export { defaultStorePath } from "./default-store-path.ts";
export { memoryStore } from "./memory/memory-store.ts";
export { openStore } from "./open-store.ts";
export { type FingerprintOf, RememberingHealth } from "./remembering-health.ts";
export type {
  ConfigEntry,
  ConfigStore,
  ConversationStore,
  ConversationSummary,
  CooldownStore,
  Entry,
  Experience,
  ExperienceKey,
  ExperienceStore,
  JournalRecord,
  JournalStore,
  NewEntry,
  Store,
  StoredCooldown,
} from "./store.ts";
export { StoreError } from "./store-error.ts";
export { timeLeftMs } from "./time-left.ts";
