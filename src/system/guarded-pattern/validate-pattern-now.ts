import { compilePattern, unknownFlags } from "./compile-pattern.ts";
import { scanPattern } from "./scan-pattern.ts";

export type PatternValidity = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** Longer patterns are refused: folding the case of many large classes takes milliseconds each. */
const MOST_CHARACTERS = 1000;
/** Larger programs are refused: at some 30 ns per character and instruction they would never be checked in time. */
const MOST_INSTRUCTIONS = 10_000;

/** `validatePattern` for those who cannot wait and do not mind that the regex engine is loaded with this file. */
export function validatePatternNow(pattern: string, flags = ""): PatternValidity {
  if (typeof pattern !== "string" || typeof flags !== "string") return refuse("must be text.");
  const unknown = unknownFlags(flags);
  if (unknown !== "") return refuse(`has the flag "${unknown[0]}", but only i, m and s are possible.`);
  if (pattern.length > MOST_CHARACTERS) return refuse(`is longer than ${MOST_CHARACTERS} characters.`);

  const { unsupported, size } = scanPattern(pattern);
  if (unsupported !== null) {
    return refuse(`uses ${unsupported}, which cannot be checked in bounded time. Write it without.`);
  }
  if (size > MOST_INSTRUCTIONS) return refuse(TOO_LARGE);
  try {
    return compilePattern(pattern, flags).programSize() > MOST_INSTRUCTIONS ? refuse(TOO_LARGE) : { ok: true };
  } catch (error) {
    return refuse(explain(error));
  }
}

const TOO_LARGE = "repeats too much: spelled out it would be too large to be checked in time.";

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
