import { definePolicy, type Policy, type TargetEntry } from "../../kernel/index.ts";

/** Two models, three keys. The names are made up. */
export const DEMO_TARGETS: readonly TargetEntry[] = [
  { provider: "cirrus", model: "large", credentials: ["key-1", "key-2"] },
  { provider: "nimbus", model: "swift", credentials: ["key-3"] },
];

/** Like the policy of an agent session, with waits short enough to watch. `speed` divides all of them. */
export function demoPolicy(speed: number): Policy {
  return definePolicy({
    name: "demo",
    schedules: {
      general: { type: "stepped", stepsMs: [2000, 3000, 4000, 5000].map((ms) => ms / speed), atMost: 4 },
    },
    maxDelayMs: 30_000 / speed,
    // Waits up to five seconds; for longer waits it switches to another model.
    fallback: { when: "long-wait", longWaitMs: 5000 / speed, cooldownMs: 60_000 / speed },
    watchdog: { firstContentMs: 10_000 / speed, idleMs: 2500 / speed },
    // The screen can take a partial answer back.
    afterContent: "restart",
  });
}
