export { PER_PROVIDER, parseProviderKey, providerSettings } from "./config/per-provider.ts";
export { readCooldownKey } from "./cooldown-key.ts";
export * from "./public.ts";
export { type FingerprintOf, RememberingHealth } from "./remembering-health.ts";
export { timeLeftMs } from "./time-left.ts";
