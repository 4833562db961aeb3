/** One setting: its allowed values, default and meaning. */
export interface ConfigKey<T> {
  readonly default: T;
  /** The allowed values in words, as in "must be …". */
  readonly allowed: string;
  readonly description: string;
  accepts(value: unknown): value is T;
  /** The usable part of a stored value that is not allowed. Absent, or undefined: none, and the default applies. */
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
    ...spec,
    allowed: `${integer ? "a whole number" : "a number"} from ${min} to ${max}`,
    accepts: (value): value is number =>
      typeof value === "number" && value >= min && value <= max && (!integer || Number.isInteger(value)),
  };
}

export function booleanKey(spec: Described<boolean>): ConfigKey<boolean> {
  return {
    allowed: "true or false",
    accepts: (value): value is boolean => typeof value === "boolean",
    ...spec,
  };
}

export function choiceKey<const T extends string>(choices: readonly T[], spec: Described<NoInfer<T>>): ConfigKey<T> {
  return {
    allowed: `one of ${choices.join(", ")}`,
    accepts: (value): value is T => choices.some((choice) => choice === value),
    ...spec,
  };
}
