import { classify, type Failure } from "../../kernel/index.ts";
import type { Problem } from "./problem.ts";

/** What the engine itself would make of the problem at this moment. */
export function judgeProblem(problem: Problem, wallNowMs: number): Failure {
  const { provider, ...wire } = problem;
  const failure = classify(wire, { wallNowMs, ...(provider !== undefined && { provider }) });
  // Without a body the endpoint has said nothing; the message is then only a picture of what we were given.
  return problem.body === undefined ? { ...failure, message: "" } : failure;
}

/** The verdict for machines: exactly these fields, in this order; `hintMs` is null where there is none. */
export function verdictJson({ kind, scope, retryable, hintMs, evidence }: Failure): string {
  return JSON.stringify({ kind, scope, retryable, hintMs: hintMs ?? null, evidence });
}
