import type { Failure } from "../kernel/index.ts";
import { sayDuration } from "../kernel/model/say-duration.ts";
import { EXPLANATIONS } from "./explain-kind.ts";

/** Whether waiting helps, for how long, and what would help instead. */
export function willWaitingHelp(failure: Failure): string {
  const { kind, retryable, hintMs, evidence } = failure;
  const { remedy } = EXPLANATIONS[kind];
  if (retryable) {
    return hintMs === undefined
      ? "usually yes; the endpoint does not say how long"
      : `yes, about ${sayDuration(hintMs)}, as the endpoint requests`;
  }
  if (evidence === "quota:never-fits") return `no: this request alone exceeds the limit. What helps: ${remedy}`;
  if (kind === "unknown") return `unknown. What would help to find out: ${remedy}`;
  return hintMs === undefined
    ? `no. What helps: ${remedy}`
    : `not soon: the endpoint asks for ${sayDuration(hintMs)}. What helps: ${remedy}`;
}
