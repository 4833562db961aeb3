export type { ConfigKey } from "./config/config-key.ts";
export {
  CONFIG_KEYS,
  CONFIG_NAMES,
  type ConfigName,
  type ConfigValues,
  type FallbackChains,
} from "./config/config-keys.ts";
export { type Cooling, readCooldownKey } from "./cooldown-key.ts";
export { defaultStorePath } from "./default-store-path.ts";
export { type MemoryStoreOptions, memoryStore } from "./memory/memory-store.ts";
export { type OpenStoreOptions, openStore } from "./open-store.ts";
export { type FingerprintOf, RememberingHealth, type RememberingPorts } from "./remembering-health.ts";
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
export { StoreError, type StoreErrorCode } from "./store-error.ts";
export { timeLeftMs } from "./time-left.ts";
