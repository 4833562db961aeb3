import { definePolicy, type Policy } from "../../kernel/index.ts";
import { PRESETS } from "../../presets/index.ts";

const POLICIES: Readonly<Record<string, () => Policy>> = {
  ...PRESETS,
  /** p-retry with `retries: 10` and nothing else: 1 s, 2 s, 4 s … without a cap, without jitter. */
  "p-retry": () =>
    definePolicy({
      name: "p-retry",
      schedules: { general: { type: "exponential", baseMs: 1000, factor: 2, jitter: "none", atMost: 10 } },
      honourHints: false,
    }),
  /** cockatiel with `ExponentialBackoff()` and `maxAttempts: 3`: from 128 ms, decorrelated jitter, at most 30 s. */
  cockatiel: () =>
    definePolicy({
      name: "cockatiel",
      schedules: {
        general: { type: "exponential", baseMs: 128, factor: 2, capMs: 30_000, jitter: "decorrelated", atMost: 3 },
      },
      honourHints: false,
    }),
  none: () => definePolicy({ name: "none", enabled: false }),
};

export const LAB_POLICY_NAMES: readonly string[] = Object.keys(POLICIES);

/** A policy by its name; undefined: unknown name. */
export function labPolicy(name: string): Policy | undefined {
  return Object.hasOwn(POLICIES, name) ? POLICIES[name]?.() : undefined;
}
