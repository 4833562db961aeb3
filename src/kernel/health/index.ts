export { GuardedHealth } from "./guarded-health.ts";
export type { Admission, CooldownScope, Health, HealthView } from "./health.ts";
export { MemoryHealth } from "./memory-health.ts";
