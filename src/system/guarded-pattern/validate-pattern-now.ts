import { MOST_INSTRUCTIONS, TOO_LARGE, whyInvalid, whyUnusable } from "../../kernel/decide/scan-pattern.ts";
import { compilePattern } from "./compile-pattern.ts";

export type PatternValidity = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** `validatePattern` for those who cannot wait and do not mind that the regex engine is loaded with this file. */
export function validatePatternNow(pattern: string, flags = ""): PatternValidity {
  if (typeof pattern !== "string" || typeof flags !== "string") return refuse("must be text.");
  const reason = whyUnusable(pattern, flags);
  if (reason !== undefined) return refuse(reason);
  try {
    if (compilePattern(pattern, flags).programSize() > MOST_INSTRUCTIONS) return refuse(TOO_LARGE);
    // What passes here must pass in a policy, which asks the JavaScript engine: it is stricter about `^*`.
    const invalid = whyInvalid(pattern);
    return invalid === undefined ? { ok: true } : refuse(`is not valid: ${invalid}.`);
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
