import { FAILURE_KINDS, MAX_DELAY_MS } from "../../../../kernel/index.ts";
import type { PolicyPath } from "./policy-path.ts";

export const SECTIONS = [
  "waiting",
  "models",
  "silence",
  "hopeless",
  "protection",
  "content",
  "rules",
  "classify",
  "scope",
] as const;
export type Section = (typeof SECTIONS)[number];

/** How a field is edited. Words and help are in the texts, under the same path. */
export type FieldSpec = { readonly section: Section } & FieldInput;

export type FieldInput =
  | ({
      readonly input: "number";
      readonly unit: "seconds" | "percent" | "times" | "tokens" | "none";
      /** What an empty field means: null, or no such field. Default: it may not be empty. */
      readonly empty?: "null" | "absent";
    } & NumberBounds)
  | { readonly input: "choice"; readonly choices: readonly string[]; readonly empty?: "absent" }
  | { readonly input: "switch"; readonly empty?: "absent" }
  | { readonly input: "text"; readonly empty?: "absent" }
  /** May be null: switched off as a whole. */
  | { readonly input: "part" };

/** In the units of the data, as the engine checks them. */
export interface NumberBounds {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
}

const ANY_TIME = { input: "number", unit: "seconds", min: 0, max: MAX_DELAY_MS } as const;
const TIME = { input: "number", unit: "seconds", min: 1, max: MAX_DELAY_MS } as const;
const STATUS = { input: "number", unit: "none", min: 100, max: 599, integer: true } as const;
const orNull = { empty: "null" } as const;
const orAbsent = { empty: "absent" } as const;

const RULE = {
  action: { section: "rules", input: "choice", choices: ["retry", "elsewhere", "hand-over", "stop"] },
  schedule: { section: "rules", input: "text" },
  delay: { section: "rules", input: "choice", choices: ["schedule", "none"] },
  when: { section: "rules", input: "choice", choices: ["retryable", "always"] },
  maxDelayMs: { section: "rules", ...ANY_TIME, ...orAbsent },
  otherwise: { section: "rules", input: "choice", choices: ["stop", "wait", "retry"] },
} as const satisfies Readonly<Record<string, FieldSpec>>;

/** Every field of a policy. */
export const FIELDS = {
  name: { section: "scope", input: "text" },
  enabled: { section: "scope", input: "switch" },
  "schedules.*.type": {
    section: "waiting",
    input: "choice",
    choices: ["exponential", "fibonacci", "stepped", "fixed"],
  },
  "schedules.*.jitter": {
    section: "waiting",
    input: "choice",
    choices: ["none", "full", "equal", "decorrelated"],
    ...orAbsent,
  },
  "schedules.*.baseMs": { section: "waiting", ...ANY_TIME },
  "schedules.*.factor": { section: "waiting", input: "number", unit: "times", min: 1, ...orAbsent },
  "schedules.*.unitMs": { section: "waiting", ...ANY_TIME, ...orAbsent },
  "schedules.*.repeatFirst": { section: "waiting", input: "switch", ...orAbsent },
  "schedules.*.stepsMs[]": { section: "waiting", ...ANY_TIME },
  "schedules.*.delayMs": { section: "waiting", ...ANY_TIME },
  "schedules.*.capMs": { section: "waiting", ...ANY_TIME, ...orAbsent },
  "schedules.*.atMost": { section: "waiting", input: "number", unit: "none", min: 0, integer: true, ...orAbsent },
  "schedules.*.budgetMs": { section: "waiting", input: "number", unit: "seconds", min: 0, ...orAbsent },
  honourHints: { section: "waiting", input: "switch" },
  maxDelayMs: { section: "waiting", ...ANY_TIME, ...orNull },
  patienceMs: { section: "waiting", ...ANY_TIME, ...orNull },
  "fallback.when": { section: "models", input: "choice", choices: ["immediate", "long-wait", "after-retries"] },
  "fallback.longWaitMs": { section: "models", ...ANY_TIME },
  "fallback.patienceMs": { section: "models", ...ANY_TIME, ...orNull },
  "fallback.triesPerFallback": { section: "models", input: "number", unit: "none", min: 1, integer: true, ...orNull },
  "fallback.movesCount": { section: "models", input: "switch" },
  "fallback.revert": { section: "models", input: "choice", choices: ["cooldown-expiry", "never"] },
  "fallback.cooldownMs": { section: "models", ...TIME },
  "watchdog.firstContentMs": { section: "silence", ...TIME, ...orNull },
  "watchdog.idleMs": { section: "silence", ...TIME, ...orNull },
  afterContent: { section: "silence", input: "choice", choices: ["stop", "restart"] },
  guessRetries: { section: "hopeless", input: "number", unit: "none", min: 0, integer: true, ...orNull },
  sameServerError: { section: "hopeless", input: "number", unit: "none", min: 2, integer: true, ...orNull },
  breaker: { section: "protection", input: "part" },
  "breaker.failures": { section: "protection", input: "number", unit: "none", min: 1, integer: true },
  "breaker.leastShare": { section: "protection", input: "number", unit: "percent", min: 0, max: 1 },
  "breaker.cooldownMs": { section: "protection", ...TIME },
  "breaker.maxCooldownMs": { section: "protection", ...TIME },
  "breaker.rampMs": { section: "protection", ...ANY_TIME },
  budget: { section: "protection", input: "part" },
  "budget.capacity": { section: "protection", input: "number", unit: "tokens", min: 1, max: 1_000_000 },
  // Seconds in the data as well.
  "budget.capacitySeconds": { section: "protection", input: "number", unit: "none", min: 0, max: 86_400 },
  "budget.refillPerSuccess": { section: "protection", input: "number", unit: "tokens", min: 0, max: 1_000_000 },
  "budget.refillPerSecond": { section: "protection", input: "number", unit: "tokens", min: 0, max: 1_000_000 },
  require: { section: "content", input: "part" },
  "require.text": { section: "content", input: "text" },
  "require.pattern": { section: "content", input: "text" },
  "require.flags": { section: "content", input: "text", ...orAbsent },
  "rules.*.action": RULE.action,
  "rules.*.schedule": RULE.schedule,
  "rules.*.delay": RULE.delay,
  "rules.*.when": RULE.when,
  "rules.*.maxDelayMs": RULE.maxDelayMs,
  "rules.*.otherwise": RULE.otherwise,
  "statuses.*.action": RULE.action,
  "statuses.*.schedule": RULE.schedule,
  "statuses.*.delay": RULE.delay,
  "statuses.*.when": RULE.when,
  "statuses.*.maxDelayMs": RULE.maxDelayMs,
  "statuses.*.otherwise": RULE.otherwise,
  "classify[].name": { section: "classify", input: "text" },
  "classify[].when.status": { section: "classify", ...STATUS, ...orAbsent },
  "classify[].when.code": { section: "classify", input: "text", ...orAbsent },
  "classify[].when.text": { section: "classify", input: "text", ...orAbsent },
  "classify[].when.provider": { section: "classify", input: "text", ...orAbsent },
  "classify[].kind": { section: "classify", input: "choice", choices: FAILURE_KINDS },
  "classify[].retryable": { section: "classify", input: "choice", choices: ["true", "false"], ...orAbsent },
  filter: { section: "scope", input: "part" },
  "filter.mode": { section: "scope", input: "choice", choices: ["blacklist", "whitelist"] },
  "filter.ids[]": { section: "scope", input: "text" },
} as const satisfies Readonly<Record<PolicyPath, FieldSpec>>;

/** The description of a field by its path; undefined: no field of a policy. */
export function fieldAt(generic: string): FieldSpec | undefined {
  return Object.hasOwn(FIELDS, generic) ? FIELDS[generic as PolicyPath] : undefined;
}
