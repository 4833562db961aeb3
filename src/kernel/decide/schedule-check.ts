import { checkBoolean, checkNumber, checkOneOf } from "../model/check.ts";
import { InvalidInput } from "../model/invalid-input.ts";
import type { Jitter, ScheduleSpec } from "../model/schedule-spec.ts";

/** The longest single delay: what `setTimeout` can hold. More than that (24.8 days) fires at once. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

type FieldCheck = (field: string, value: unknown) => void;

const JITTERS: readonly Jitter[] = ["none", "full", "equal", "decorrelated"];
const TYPES = "exponential, fibonacci, stepped or fixed";

const checkDelay: FieldCheck = (field, value) => checkNumber(field, value, { min: 0, max: MAX_DELAY_MS });

const LIMIT_CHECKS: Readonly<Record<string, FieldCheck>> = {
  capMs: optional(checkDelay),
  jitter: optional((field, value) => checkOneOf(field, value, JITTERS)),
  // Many delays may add up to more than one delay can be, so a budget has no upper bound.
  budgetMs: optional((field, value) => checkNumber(field, value, { min: 0 })),
  atMost: optional((field, value) => checkNumber(field, value, { min: 0, integer: true })),
};

const CHECKS: Readonly<Record<ScheduleSpec["type"], Readonly<Record<string, FieldCheck>>>> = {
  exponential: {
    baseMs: checkDelay,
    // Below 1 the delays would shrink towards a busy loop.
    factor: optional((field, value) => checkNumber(field, value, { min: 1 })),
    ...LIMIT_CHECKS,
  },
  fibonacci: { unitMs: optional(checkDelay), repeatFirst: optional(checkBoolean), ...LIMIT_CHECKS },
  stepped: { stepsMs: checkSteps, ...LIMIT_CHECKS },
  fixed: { delayMs: checkDelay, ...LIMIT_CHECKS },
};

/** Throws `InvalidInput` unless the value is a spec that always yields finite delays. */
export function checkSchedule(value: unknown, field: string): asserts value is ScheduleSpec {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidInput(field, value, `an object whose type is ${TYPES}`);
  }
  const { type, ...rest } = value as Readonly<Record<string, unknown>>;
  if (!isType(type)) throw new InvalidInput(`${field}.type`, type, TYPES);

  const checks = CHECKS[type];
  // A misspelt limit would be silently without effect: the retries it should have stopped would go on for ever.
  for (const [name, given] of Object.entries(rest)) {
    if (Object.hasOwn(checks, name)) continue;
    throw new InvalidInput(`${field}.${name}`, given, `omitted (${type} has ${Object.keys(checks).join(", ")})`);
  }
  for (const [name, check] of Object.entries(checks)) check(`${field}.${name}`, rest[name]);
}

function isType(value: unknown): value is ScheduleSpec["type"] {
  // Own keys only: "constructor" is no schedule.
  return typeof value === "string" && Object.hasOwn(CHECKS, value);
}

/** An option that is spelled out as undefined counts as missing. */
function optional(check: FieldCheck): FieldCheck {
  return (field, value) => {
    if (value !== undefined) check(field, value);
  };
}

function checkSteps(field: string, value: unknown): void {
  if (!Array.isArray(value) || value.length === 0) throw new InvalidInput(field, value, "a list of at least one delay");
  // By index: forEach would let a hole in the list slip through.
  for (let index = 0; index < value.length; index++) checkDelay(`${field}[${index}]`, value[index]);
}
