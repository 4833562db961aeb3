import { classify, type Failure } from "../kernel/index.ts";
import type { ErrorInput } from "./error-input.ts";

/** The failure that the engine would see. */
export function classifyError(input: ErrorInput, wallNowMs: number): Failure {
  const { provider, ...wire } = input;
  const failure = classify(wire, { wallNowMs, ...(provider !== undefined && { provider }) });
  // Without a body the endpoint sent no message; the classifier only describes the input.
  return input.body === undefined ? { ...failure, message: "" } : failure;
}

/** The result for machines: exactly these fields, in this order; `hintMs` is null if there is no hint. */
export function verdictJson({ kind, scope, retryable, hintMs, evidence, confidence }: Failure): string {
  return JSON.stringify({ kind, scope, retryable, hintMs: hintMs ?? null, evidence, confidence });
}
