import { compilePattern } from "./compile-pattern.ts";
import { MOST_INSTRUCTIONS, TOO_LARGE, whyUnusable } from "./scan-pattern.ts";

export type PatternValidity = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** `validatePattern` for those who cannot wait and do not mind that the regex engine is loaded with this file. */
export function validatePatternNow(pattern: string, flags = ""): PatternValidity {
  if (typeof pattern !== "string" || typeof flags !== "string") return refuse("must be text.");
  const reason = whyUnusable(pattern, flags);
  if (reason !== undefined) return refuse(reason);
  try {
    return compilePattern(pattern, flags).programSize() > MOST_INSTRUCTIONS ? refuse(TOO_LARGE) : { ok: true };
  } catch (error) {
    return refuse(explain(error));
  }
}

function refuse(reason: string): PatternValidity {
  return { ok: false, reason };
}

function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const advice = message.includes("invalid repeat count")
    ? " Counts go up to 1000, nested ones multiplied, and the smaller stands first."
    : "";
  return `is not valid: ${message.replace(/^error parsing regexp: /, "")}.${advice}`;
}
