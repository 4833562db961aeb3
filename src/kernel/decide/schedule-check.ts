import { InvalidInput } from "../model/invalid-input.ts";
import type { Jitter, ScheduleSpec } from "../model/schedule-spec.ts";

/** The longest single delay: what `setTimeout` can hold. More than that (24.8 days) fires at once. */
export const MAX_DELAY_MS = 2 ** 31 - 1;

type FieldCheck = (value: unknown, field: string) => void;

const JITTERS: readonly Jitter[] = ["none", "full", "equal", "decorrelated"];
const TYPES = "exponential, fibonacci, stepped or fixed";

const LIMIT_CHECKS: Readonly<Record<string, FieldCheck>> = {
  capMs: optional(checkDelay),
  jitter: optional(checkJitter),
  budgetMs: optional(checkBudget),
  atMost: optional(checkAtMost),
};

const CHECKS: Readonly<Record<ScheduleSpec["type"], Readonly<Record<string, FieldCheck>>>> = {
  exponential: { baseMs: checkDelay, factor: optional(checkFactor), ...LIMIT_CHECKS },
  fibonacci: { unitMs: optional(checkDelay), repeatFirst: optional(checkFlag), ...LIMIT_CHECKS },
  stepped: { stepsMs: checkSteps, ...LIMIT_CHECKS },
  fixed: { delayMs: checkDelay, ...LIMIT_CHECKS },
};

/** Throws `InvalidInput` unless the value is a spec that yields finite delays whatever happens. */
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
    throw new InvalidInput(`${field}.${name}`, given, `left out (${type} has ${Object.keys(checks).join(", ")})`);
  }
  for (const [name, check] of Object.entries(checks)) check(rest[name], `${field}.${name}`);
}

function isType(value: unknown): value is ScheduleSpec["type"] {
  // Own keys only: "constructor" is no schedule.
  return typeof value === "string" && Object.hasOwn(CHECKS, value);
}

/** An option that is spelled out as undefined counts as left out. */
function optional(check: FieldCheck): FieldCheck {
  return (value, field) => {
    if (value !== undefined) check(value, field);
  };
}

function checkDelay(value: unknown, field: string): void {
  if (isFiniteNumber(value) && value >= 0 && value <= MAX_DELAY_MS) return;
  throw new InvalidInput(field, value, `a number of milliseconds from 0 to ${MAX_DELAY_MS}`);
}

// Below 1 the delays would shrink towards a busy loop.
function checkFactor(value: unknown, field: string): void {
  if (isFiniteNumber(value) && value >= 1) return;
  throw new InvalidInput(field, value, "a finite number, 1 or more");
}

// Many delays may add up to more than one delay can be, so a budget has no upper bound but that it is finite.
function checkBudget(value: unknown, field: string): void {
  if (isFiniteNumber(value) && value >= 0) return;
  throw new InvalidInput(field, value, "a finite number of milliseconds, 0 or more");
}

function checkAtMost(value: unknown, field: string): void {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return;
  throw new InvalidInput(field, value, "a whole number of retries, 0 or more");
}

function checkJitter(value: unknown, field: string): void {
  if (!JITTERS.includes(value as Jitter)) throw new InvalidInput(field, value, "none, full, equal or decorrelated");
}

function checkFlag(value: unknown, field: string): void {
  if (typeof value !== "boolean") throw new InvalidInput(field, value, "true or false");
}

function checkSteps(value: unknown, field: string): void {
  if (!Array.isArray(value) || value.length === 0) throw new InvalidInput(field, value, "a list of at least one delay");
  // By index: forEach would let a hole in the list slip through.
  for (let index = 0; index < value.length; index++) checkDelay(value[index], `${field}[${index}]`);
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
