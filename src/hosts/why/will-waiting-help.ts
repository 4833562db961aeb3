import type { Failure } from "../../kernel/index.ts";
import { sayDuration } from "../../terminal/index.ts";
import { EXPLANATIONS } from "./explain-kind.ts";

/** Whether waiting helps, for how long, and what would help instead. */
export function willWaitingHelp(failure: Failure): string {
  const { kind, retryable, hintMs, evidence } = failure;
  const { cure } = EXPLANATIONS[kind];
  if (retryable) {
    return hintMs === undefined
      ? "yes, as a rule; the endpoint does not say how long"
      : `yes: about ${sayDuration(hintMs)}, as the endpoint asks`;
  }
  if (evidence === "quota:never-fits") return `no: this request alone is over the limit. What helps: ${cure}`;
  if (kind === "unknown") return `nothing says so. What would tell more: ${cure}`;
  return hintMs === undefined
    ? `no. What helps: ${cure}`
    : `not soon: the endpoint names ${sayDuration(hintMs)}. What helps: ${cure}`;
}
