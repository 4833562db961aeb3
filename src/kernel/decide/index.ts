export { BASE_POLICY } from "./base-policy.ts";
export { type Chain, chainOf, SINGLE_TARGET } from "./chain.ts";
export { decide } from "./decide.ts";
export { decideBlocked } from "./decide-blocked.ts";
export { definePolicy, type PolicyInput, type RuleInput } from "./define-policy.ts";
export { isPolicy, type PreparedPolicy, preparePolicy } from "./prepare-policy.ts";
export { MAX_DELAY_MS, type Schedule, STEPPED_PATIENT, schedule } from "./schedule.ts";
export type { BlockedSituation, Situation, Standing } from "./situation.ts";
