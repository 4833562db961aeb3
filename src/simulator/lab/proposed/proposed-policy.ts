import { definePolicy, FAILURE_KINDS, type Policy, type RuleInput } from "../../../kernel/index.ts";
import { defaultPolicy } from "../../../presets/index.ts";

/** How long a generation waits in all for a breaker or a cooldown, before its own retries come into it. */
const PATIENCE_MS = 120_000;

/**
 * The recommended policy as the lab proposes it. Waiting for a breaker is no retry: it draws on a patience of its own (the first
 * schedule, which is the one that blocked waits use up), so that a generation outlives a minute of outage with its six retries
 * still in hand. Probes come often enough that the end of an outage is noticed within seconds.
 */
export function proposedPolicy(): Policy {
  const base = defaultPolicy();
  const { general } = base.schedules;
  if (general === undefined) return base;
  const rules: Record<string, RuleInput> = {};
  for (const kind of FAILURE_KINDS) {
    const rule = base.rules[kind];
    if ("schedule" in rule) rules[kind] = { ...rule, schedule: "retries" };
  }
  return definePolicy(
    {
      name: "proposed",
      schedules: { general: { type: "fixed", delayMs: 1, budgetMs: PATIENCE_MS }, retries: general },
      rules,
      breaker: { failures: 5, cooldownMs: 2000, maxCooldownMs: 3000 },
    },
    base,
  );
}
