import { definePolicy, type Policy } from "../../kernel/index.ts";
import { PRESETS } from "../../presets/index.ts";
import type { LabPolicy } from "./engine-for.ts";

/** What p-retry does when it is told `retries: 10` and nothing else: 1 s, 2 s, 4 s … without a cap, without jitter. */
function pRetryLike(): Policy {
  return definePolicy({
    name: "p-retry",
    schedules: { general: { type: "exponential", baseMs: 1000, factor: 2, jitter: "none", atMost: 10 } },
    honourHints: false,
  });
}

/** What cockatiel does with `ExponentialBackoff()` and `maxAttempts: 3`: 128 ms at first, decorrelated jitter, 30 s at most. */
function cockatielLike(): Policy {
  return definePolicy({
    name: "cockatiel",
    schedules: {
      general: { type: "exponential", baseMs: 128, factor: 2, capMs: 30_000, jitter: "decorrelated", atMost: 3 },
    },
    honourHints: false,
  });
}

const POLICIES: Readonly<Record<string, () => LabPolicy>> = {
  ...Object.fromEntries(Object.entries(PRESETS).map(([name, preset]) => [name, () => plain(preset())])),
  "p-retry": () => plain(pRetryLike()),
  cockatiel: () => plain(cockatielLike()),
  none: () => plain(definePolicy({ name: "none", enabled: false })),
};

export const LAB_POLICY_NAMES: readonly string[] = Object.keys(POLICIES);

/** A policy that the lab knows by name; undefined: it knows none of that name. */
export function labPolicy(name: string): LabPolicy | undefined {
  return Object.hasOwn(POLICIES, name) ? POLICIES[name]?.() : undefined;
}

function plain(policy: Policy): LabPolicy {
  return { name: policy.name, policy };
}
