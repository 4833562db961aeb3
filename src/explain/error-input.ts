import { checkNumber, checkObject, checkString, InvalidInput } from "../kernel/index.ts";

/** The parts of an HTTP error that are known. */
export interface ErrorInput {
  readonly provider?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export const ERROR_FIELDS = ["provider", "status", "headers", "body"] as const;

/** Checks a parsed JSON value. Ignores null and unknown fields. */
export function checkErrorInput(value: unknown): ErrorInput {
  const given = checkObject("the line", value);
  if (Object.keys(given).length > 0 && !ERROR_FIELDS.some((field) => field in given)) {
    throw new InvalidInput("the line", value, `an object with at least one of ${ERROR_FIELDS.join(", ")}`);
  }
  const { provider, status, headers, body } = given;
  return {
    ...(isGiven(provider) && { provider: checkString("provider", provider) }),
    ...(isGiven(status) && { status: checkStatus("status", status) }),
    ...(isGiven(headers) && { headers: checkHeaders(headers) }),
    ...(isGiven(body) && { body }),
  };
}

export function checkStatus(field: string, value: unknown): number {
  return checkNumber(field, value, { min: 100, max: 599, integer: true });
}

function checkHeaders(value: unknown): Readonly<Record<string, unknown>> {
  const headers = checkObject("headers", value);
  for (const [name, content] of Object.entries(headers)) {
    if (!isHeaderValue(content))
      throw new InvalidInput(`headers.${name}`, content, "a string, a number or a list of strings");
  }
  return headers;
}

function isHeaderValue(content: unknown): boolean {
  if (typeof content === "string" || typeof content === "number" || content === null) return true;
  return Array.isArray(content) && content.every((one) => typeof one === "string");
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
