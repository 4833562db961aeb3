// The subpath `secondwind/store`: what an agent of your own keeps its conversations in.
export type { PolicyInput } from "../kernel/index.ts";
export type { ConfigKey } from "./config/config-key.ts";
export { CONFIG_KEYS, type ConfigName, type ConfigValues } from "./config/config-keys.ts";
export type { OwnPolicy } from "./config/own-policies.ts";
export { defaultStorePath } from "./default-store-path.ts";
export { memoryStore } from "./memory/memory-store.ts";
export { type OpenStoreOptions, openStore } from "./open-store.ts";
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
  GenerationStore,
  JournalRecord,
  JournalStore,
  NewEntry,
  Store,
  StoredCooldown,
  StoredGeneration,
  StoreOptions,
} from "./store.ts";
export { StoreError, type StoreErrorCode } from "./store-error.ts";
