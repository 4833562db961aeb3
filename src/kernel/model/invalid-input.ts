/** Thrown for invalid input: names the field, the value and what is allowed. */
export class InvalidInput extends TypeError {
  readonly field: string;
  readonly allowed: string;

  constructor(
    field: string,
    value: unknown,
    allowed: string,
    message = `${field} must be ${allowed}; got ${show(value)}`,
  ) {
    super(message);
    this.name = "InvalidInput";
    this.field = field;
    this.allowed = allowed;
  }
}

const MOST_SHOWN = 60;

/** A short, harmless picture of any value: never calls into it, never prints more than a line. */
export function show(value: unknown): string {
  switch (typeof value) {
    case "string": {
      const head = value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value;
      return JSON.stringify(head);
    }
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return "a symbol";
    case "function":
      return "a function";
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "an array" : "an object";
    default:
      return "something else";
  }
}
