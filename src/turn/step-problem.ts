import type { Failure } from "../kernel/index.ts";
import type { ProviderError } from "../providers/provider.ts";

/** Marks an error that the provider did not flag: whatever its kind, the step ends with it. Never shown. */
export const FINAL_MARK = "secondwind_final";

/** What the engine gets to classify for an error event, and for what a provider threw. */
export interface StepProblem {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly type?: typeof FINAL_MARK;
  readonly headers?: Readonly<Record<string, string>>;
  readonly retryable?: boolean;
  readonly cause?: unknown;
}

/**
 * An emitted error for the classifier. The flag is derived from the status (K8), so it only adds something where there is
 * none: a 408 is judged as what it is.
 */
export function problemOf(error: ProviderError): StepProblem {
  const { message, status, code, headers, cause, retryable } = error;
  return {
    message,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ...(headers !== undefined && { headers }),
    ...(cause !== undefined && { cause }),
    ...(status === undefined && { retryable }),
  };
}

/** The endpoint's words as they came: the classifier's message may be only the innermost part of them. */
export function verbatimOf(failure: Failure): string {
  const { cause } = failure;
  if (typeof cause === "string" && cause !== "") return cause;
  const said = typeof cause === "object" && cause !== null ? readMessage(cause) : undefined;
  return said ?? failure.message;
}

/** What is shown as the code: the HTTP status where there is one. */
export function codeOf({ status, code }: Pick<Failure, "status" | "code">): string | undefined {
  if (status !== undefined) return String(status);
  return code === FINAL_MARK ? undefined : code;
}

function readMessage(cause: object): string | undefined {
  try {
    const { message } = cause as { readonly message?: unknown };
    return typeof message === "string" && message !== "" ? message : undefined;
  } catch {
    // A getter that throws.
    return undefined;
  }
}
