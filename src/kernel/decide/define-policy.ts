import {
  type Bounds,
  checkArray,
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  checkString,
  deepFreeze,
  withDefaults,
} from "../model/check.ts";
import { FAILURE_KINDS, type FailureKind } from "../model/failure.ts";
import { InvalidInput } from "../model/invalid-input.ts";
import type { BreakerSpec, FallbackPolicy, Policy, RetryBudgetSpec, Rule } from "../model/policy.ts";
import type { ScheduleSpec } from "../model/schedule-spec.ts";
import { BASE_POLICY } from "./base-policy.ts";
import { checkClassifyRules, checkRequirement } from "./check-content-rules.ts";
import { isPolicy, preparePolicy } from "./prepare-policy.ts";
import { schedule } from "./schedule.ts";
import { MAX_DELAY_MS } from "./schedule-check.ts";

/** A rule in full, in part, or by the name of its action. */
export type RuleInput =
  | Rule["action"]
  | {
      readonly action: "retry";
      readonly schedule?: string;
      readonly delay?: "schedule" | "none";
      readonly when?: "retryable" | "always";
      readonly maxDelayMs?: number;
    }
  | { readonly action: "elsewhere"; readonly schedule?: string; readonly otherwise?: "wait" | "retry" | "stop" }
  | { readonly action: "hand-over" | "stop" };

/** Any of the fields of `T`; undefined counts as missing. */
export type Changes<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

/** The fields of a policy, all optional; the base gives those that are missing. An interface: errors show its name, not its fields. */
export interface PolicyInput
  extends Changes<
    Omit<Policy, "schedules" | "rules" | "statuses" | "fallback" | "watchdog" | "breaker" | "budget"> & {
      readonly schedules: Readonly<Record<string, ScheduleSpec>>;
      readonly rules: Changes<Record<FailureKind, RuleInput>>;
      readonly statuses: Readonly<Record<number, RuleInput>>;
      readonly fallback: Changes<FallbackPolicy>;
      readonly watchdog: Changes<Policy["watchdog"]>;
      readonly breaker: Changes<BreakerSpec> | null;
      readonly budget: Changes<RetryBudgetSpec> | null;
    }
  > {}

const FIELDS = Object.keys(BASE_POLICY);
const DELAY = { min: 0, max: MAX_DELAY_MS };
const POSITIVE_DELAY = { min: 1, max: MAX_DELAY_MS };
/** The figures of the `default` preset, which were measured in the outage lab. */
const BREAKER_DEFAULTS: BreakerSpec = {
  failures: 5,
  leastShare: 0.25,
  cooldownMs: 1000,
  maxCooldownMs: 8000,
  rampMs: 30_000,
};
const BUDGET_DEFAULTS: RetryBudgetSpec = {
  capacity: 100,
  capacitySeconds: 10,
  refillPerSuccess: 1,
  refillPerSecond: 1,
};

/**
 * Makes a policy: checks every field, takes missing ones from `base`, and freezes the result.
 * Throws {@link InvalidInput} that names the field, the value and what is allowed.
 */
export function definePolicy(input: PolicyInput, base: Policy = BASE_POLICY): Policy {
  const given = checkObject("policy", input, FIELDS) as Record<keyof Policy, unknown>;
  if (base !== BASE_POLICY && !isPolicy(base)) throw new InvalidInput("base", base, "a policy made by definePolicy");
  /** The given field if it passes its check, else the base's. */
  const read = <K extends keyof Policy>(key: K, check: (field: string, value: unknown) => Policy[K]): Policy[K] =>
    given[key] === undefined ? base[key] : check(`policy.${key}`, given[key]);
  const schedules = read("schedules", (_, value) => checkSchedules(value, base.schedules));
  const names = Object.keys(schedules);
  const policy: Policy = {
    name: read("name", checkString),
    enabled: read("enabled", checkBoolean),
    schedules,
    rules: checkRules(given.rules === undefined ? {} : given.rules, base.rules, names),
    statuses: read("statuses", (_, value) => checkStatuses(value, base.statuses, names)),
    classify: read("classify", (_, value) => checkClassifyRules(value)),
    honourHints: read("honourHints", checkBoolean),
    maxDelayMs: read("maxDelayMs", (field, value) => orNull(field, value, DELAY)),
    patienceMs: read("patienceMs", (field, value) => orNull(field, value, DELAY)),
    fallback: read("fallback", (_, value) => checkFallback(value, base.fallback)),
    afterContent: read("afterContent", (field, value) => checkOneOf(field, value, ["stop", "restart"])),
    watchdog: read("watchdog", (_, value) => checkWatchdog(value, base.watchdog)),
    require: read("require", (_, value) => checkRequirement(value)),
    sameServerError: read("sameServerError", (field, value) => orNull(field, value, { min: 2, integer: true })),
    guessRetries: read("guessRetries", (field, value) => orNull(field, value, { min: 0, integer: true })),
    breaker: read("breaker", (_, value) => checkBreaker(value, base.breaker ?? BREAKER_DEFAULTS)),
    budget: read("budget", (_, value) => checkBudget(value, base.budget ?? BUDGET_DEFAULTS)),
    filter: read("filter", (_, value) => checkFilter(value)),
  };
  preparePolicy(deepFreeze(policy));
  return policy;
}

function orNull(field: string, value: unknown, bounds: Bounds): number | null {
  return value === null ? null : checkNumber(field, value, bounds);
}

function checkSchedules(value: unknown, base: Policy["schedules"]): Policy["schedules"] {
  const given = checkObject("policy.schedules", value);
  const merged: Record<string, ScheduleSpec> = { ...base };
  for (const [name, spec] of Object.entries(given)) {
    const checked = schedule(spec as ScheduleSpec, `policy.schedules.${name}`).spec;
    // Copied through and through: the policy is frozen, the caller's own list must not be.
    merged[name] = checked.type === "stepped" ? { ...checked, stepsMs: [...checked.stepsMs] } : { ...checked };
  }
  return merged;
}

function checkRules(value: unknown, base: Policy["rules"], names: readonly string[]): Policy["rules"] {
  const given = checkObject("policy.rules", value, FAILURE_KINDS);
  const rules: Record<string, Rule> = {};
  for (const kind of FAILURE_KINDS) {
    const field = `policy.rules.${kind}`;
    rules[kind] = given[kind] === undefined ? base[kind] : checkRule(field, given[kind], names);
  }
  // A retry would send the same oversized request again; an abort is the caller's own word.
  const overflow = rules.context_overflow as Rule;
  if (overflow.action !== "hand-over" && overflow.action !== "stop") {
    throw new InvalidInput("policy.rules.context_overflow", overflow.action, "hand-over or stop");
  }
  const aborted = rules.aborted as Rule;
  if (aborted.action !== "stop") throw new InvalidInput("policy.rules.aborted", aborted.action, "stop");
  return rules as Policy["rules"];
}

const RULE_DEFAULTS = { schedule: "general", delay: "schedule", when: "retryable", otherwise: "stop" };

function checkRule(field: string, value: unknown, names: readonly string[]): Rule {
  const given = typeof value === "string" ? { action: value } : checkObject(field, value);
  const action = checkOneOf(field, given.action, ["retry", "elsewhere", "hand-over", "stop"]);
  const full = withDefaults(RULE_DEFAULTS, given);
  const schedule = checkOneOf(`${field}.schedule`, full.schedule, names);
  switch (action) {
    case "retry": {
      const { maxDelayMs } = checkObject(field, given, ["action", "schedule", "delay", "when", "maxDelayMs"]);
      const delay = checkOneOf(`${field}.delay`, full.delay, ["schedule", "none"]);
      const when = checkOneOf(`${field}.when`, full.when, ["retryable", "always"]);
      if (maxDelayMs === undefined) return { action, schedule, delay, when };
      return { action, schedule, delay, when, maxDelayMs: checkNumber(`${field}.maxDelayMs`, maxDelayMs, DELAY) };
    }
    case "elsewhere":
      checkObject(field, given, ["action", "schedule", "otherwise"]);
      return {
        action,
        schedule,
        otherwise: checkOneOf(`${field}.otherwise`, full.otherwise, ["wait", "retry", "stop"]),
      };
    default:
      checkObject(field, given, ["action"]);
      return { action };
  }
}

function checkStatuses(value: unknown, base: Policy["statuses"], names: readonly string[]): Policy["statuses"] {
  const statuses: Record<number, Rule> = { ...base };
  for (const [key, rule] of Object.entries(checkObject("policy.statuses", value))) {
    const status = checkNumber(`policy.statuses key ${key}`, Number(key), { min: 100, max: 599, integer: true });
    statuses[status] = checkRule(`policy.statuses.${key}`, rule, names);
  }
  return statuses;
}

function checkFallback(value: unknown, base: FallbackPolicy): FallbackPolicy {
  const given = withDefaults(base, checkObject("policy.fallback", value, Object.keys(base)));
  return {
    when: checkOneOf("policy.fallback.when", given.when, ["immediate", "after-retries", "long-wait"]),
    longWaitMs: checkNumber("policy.fallback.longWaitMs", given.longWaitMs, DELAY),
    patienceMs: orNull("policy.fallback.patienceMs", given.patienceMs, DELAY),
    triesPerFallback: orNull("policy.fallback.triesPerFallback", given.triesPerFallback, { min: 1, integer: true }),
    movesCount: checkBoolean("policy.fallback.movesCount", given.movesCount),
    revert: checkOneOf("policy.fallback.revert", given.revert, ["cooldown-expiry", "never"]),
    cooldownMs: checkNumber("policy.fallback.cooldownMs", given.cooldownMs, POSITIVE_DELAY),
  };
}

function checkWatchdog(value: unknown, base: Policy["watchdog"]): Policy["watchdog"] {
  const given = withDefaults(base, checkObject("policy.watchdog", value, Object.keys(base)));
  return {
    firstContentMs: orNull("policy.watchdog.firstContentMs", given.firstContentMs, POSITIVE_DELAY),
    idleMs: orNull("policy.watchdog.idleMs", given.idleMs, POSITIVE_DELAY),
  };
}

function checkBreaker(value: unknown, base: BreakerSpec): BreakerSpec | null {
  if (value === null) return null;
  const old = (value as { readonly patienceMs?: unknown } | undefined)?.patienceMs;
  if (old !== undefined) throw new InvalidInput("policy.breaker.patienceMs", old, "omitted (now: policy.patienceMs)");
  const input = checkObject("policy.breaker", value, Object.keys(base));
  const given = withDefaults(base, input);
  const cooldownMs = checkNumber("policy.breaker.cooldownMs", given.cooldownMs, POSITIVE_DELAY);
  // A cooldown longer than the base's maximum raises the maximum, unless one is given.
  const maxCooldownMs =
    input.maxCooldownMs === undefined ? Math.max(base.maxCooldownMs, cooldownMs) : input.maxCooldownMs;
  return {
    failures: checkNumber("policy.breaker.failures", given.failures, { min: 1, integer: true }),
    leastShare: checkNumber("policy.breaker.leastShare", given.leastShare, { min: 0, max: 1 }),
    cooldownMs,
    maxCooldownMs: checkNumber("policy.breaker.maxCooldownMs", maxCooldownMs, {
      min: cooldownMs,
      max: MAX_DELAY_MS,
    }),
    rampMs: checkNumber("policy.breaker.rampMs", given.rampMs, DELAY),
  };
}

function checkBudget(value: unknown, base: RetryBudgetSpec): RetryBudgetSpec | null {
  if (value === null) return null;
  const given = withDefaults(base, checkObject("policy.budget", value, Object.keys(base)));
  return {
    capacity: checkNumber("policy.budget.capacity", given.capacity, { min: 1, max: 1_000_000 }),
    capacitySeconds: checkNumber("policy.budget.capacitySeconds", given.capacitySeconds, { min: 0, max: 86_400 }),
    refillPerSuccess: checkNumber("policy.budget.refillPerSuccess", given.refillPerSuccess, { min: 0, max: 1_000_000 }),
    refillPerSecond: checkNumber("policy.budget.refillPerSecond", given.refillPerSecond, { min: 0, max: 1_000_000 }),
  };
}

function checkFilter(value: unknown): Policy["filter"] {
  if (value === null) return null;
  const given = checkObject("policy.filter", value, ["mode", "ids"]);
  return {
    mode: checkOneOf("policy.filter.mode", given.mode, ["whitelist", "blacklist"]),
    ids: checkArray("policy.filter.ids", given.ids).map((id, i) => checkString(`policy.filter.ids[${i}]`, id)),
  };
}
