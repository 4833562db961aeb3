import { InvalidInput } from "./invalid-input.ts";

/** Bounds of a number field; the text of an error is made from them. */
export interface Bounds {
  readonly min: number;
  readonly max?: number;
  readonly integer?: boolean;
}

export function checkNumber(field: string, value: unknown, bounds: Bounds): number {
  const { min, integer = false, max = integer ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE } = bounds;
  const fits = typeof value === "number" && value >= min && value <= max && (!integer || Number.isInteger(value));
  if (fits) return value;
  const noun = integer ? "a whole number" : "a number";
  throw new InvalidInput(field, value, `${noun} ${rangeOf(bounds)}`);
}

function rangeOf({ min, max }: Bounds): string {
  if (max === undefined) return `of at least ${min}`;
  return min === Number.NEGATIVE_INFINITY ? `of at most ${max}` : `from ${min} to ${max}`;
}

export function checkBoolean(field: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new InvalidInput(field, value, "true or false");
}

export function checkString(field: string, value: unknown, allowed = "a string"): string {
  if (typeof value === "string") return value;
  throw new InvalidInput(field, value, allowed);
}

export function checkOneOf<const T extends string>(field: string, value: unknown, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new InvalidInput(field, value, `one of ${choices.join(", ")}`);
}

/** A plain object that has no field but the known ones: a misspelt field is an error, not a default. */
export function checkObject(
  field: string,
  value: unknown,
  known?: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidInput(field, value, "an object");
  }
  if (known !== undefined) {
    // Without a list of the keys: this is checked for every stream.
    for (const key in value) {
      if (!known.includes(key) && Object.hasOwn(value, key)) {
        throw new InvalidInput(
          `${field}.${key}`,
          (value as Record<string, unknown>)[key],
          `omitted (known fields: ${known.join(", ")})`,
        );
      }
    }
  }
  return value as Readonly<Record<string, unknown>>;
}

export function checkArray(field: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new InvalidInput(field, value, "an array");
}

/** What was given, over the defaults. A field spelled out as undefined counts as missing. */
export function withDefaults<T extends object>(
  defaults: T,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<keyof T, unknown>> {
  const said = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(said) };
}

/** Freezes plain data through and through, so that a shared policy can't change under a running generation. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
