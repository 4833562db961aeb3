import { classify } from "../kernel/index.ts";
import type { ProviderError } from "./provider.ts";

/** Where a problem was met, and how secrets are taken out of what is told about it. */
export interface ProblemSource {
  readonly provider: string;
  readonly redact: <T>(value: T) => T;
}

/** A failed request as an error that can be thrown, with everything the classifier looks at. */
export class ProviderProblem extends Error {
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  /** K8 derives the flag from the status, and the classifier knows more than that (a 408, a quota): it counts where there is none. */
  readonly retryable: boolean | undefined;

  constructor({ message, status, code, headers, cause, retryable }: ProviderError) {
    super(message, { cause });
    this.name = "ProviderProblem";
    this.status = status;
    this.code = code;
    this.headers = headers;
    this.retryable = status === undefined ? retryable : undefined;
  }
}

const MOST_BODY_CHARS = 8192;

/** Whatever was thrown or received, as an event. The kernel's classifier has the only opinion on what it means. */
export function toProviderError(problem: unknown, { provider, redact }: ProblemSource): ProviderError {
  if (problem instanceof ProviderProblem) return fromProblem(problem, redact);
  const { status, code, retryable, message } = classify(problem, { provider });
  const failing = status !== undefined && status >= 300 ? status : undefined;
  const headers = headersOf(problem);
  return {
    type: "error",
    message: redact(failing === undefined ? message : `HTTP ${failing}: ${bodyOf(problem) ?? message}`),
    retryable: failing === undefined ? retryable : isRetryableStatus(failing),
    ...(failing !== undefined && { status: failing }),
    ...(code !== undefined && { code }),
    ...(headers !== undefined && { headers: redact(headers) }),
    cause: problem,
  };
}

/** K8, to the letter. */
function isRetryableStatus(status: number): boolean {
  return status >= 500 || status === 429;
}

function fromProblem(problem: ProviderProblem, redact: ProblemSource["redact"]): ProviderError {
  const { message, status, code, headers, cause } = problem;
  return {
    type: "error",
    message: redact(message),
    retryable: status === undefined ? classify(problem).retryable : isRetryableStatus(status),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(headers !== undefined && { headers }),
    cause: cause ?? problem,
  };
}

/** The AI SDK's `APICallError` keeps the body as it came. */
function bodyOf(problem: unknown): string | undefined {
  const body = fieldOf(problem, "responseBody");
  if (typeof body !== "string" || body.trim() === "") return undefined;
  return body.length > MOST_BODY_CHARS ? `${body.slice(0, MOST_BODY_CHARS)}…` : body;
}

function headersOf(problem: unknown): Readonly<Record<string, string>> | undefined {
  const headers = fieldOf(problem, "responseHeaders") ?? fieldOf(problem, "headers");
  if (typeof headers !== "object" || headers === null) return undefined;
  const pairs = Symbol.iterator in headers ? [...(headers as Headers)] : Object.entries(headers);
  const told = pairs.filter(([name]) => !/^set-cookie/i.test(name));
  return Object.fromEntries(told.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
