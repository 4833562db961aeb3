/** One setting: what it may be, what it is by default, and what it means. */
export interface ConfigKey<T> {
  readonly type: "number" | "boolean" | "choice" | "chains";
  readonly default: T;
  /** What may be set, in words; the second half of "must be …". */
  readonly allowed: string;
  readonly description: string;
  accepts(value: unknown): value is T;
  /** What can be used of a stored value that is not allowed. Left out, or undefined: nothing, it counts as not set. */
  mend?(stored: unknown): T | undefined;
}

interface Described<T> {
  readonly default: T;
  readonly description: string;
}

interface NumberSpec extends Described<number> {
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
}

export function numberKey(spec: NumberSpec): ConfigKey<number> {
  const { min, max, integer = false } = spec;
  return {
    type: "number",
    default: spec.default,
    allowed: `${integer ? "a whole number" : "a number"} from ${min} to ${max}`,
    description: spec.description,
    accepts: (value): value is number =>
      typeof value === "number" && value >= min && value <= max && (!integer || Number.isInteger(value)),
  };
}

export function booleanKey(spec: Described<boolean>): ConfigKey<boolean> {
  return {
    type: "boolean",
    allowed: "true or false",
    accepts: (value): value is boolean => typeof value === "boolean",
    ...spec,
  };
}

export function choiceKey<const T extends string>(choices: readonly T[], spec: Described<NoInfer<T>>): ConfigKey<T> {
  return {
    type: "choice",
    allowed: `one of ${choices.join(", ")}`,
    accepts: (value): value is T => choices.some((choice) => choice === value),
    ...spec,
  };
}
