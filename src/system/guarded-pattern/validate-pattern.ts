import type { PatternValidity } from "./validate-pattern-now.ts";

export type { PatternValidity } from "./validate-pattern-now.ts";

/**
 * Whether a pattern can be checked at all, for the moment when it is saved (E16). Takes JavaScript's notation, up to 1000
 * characters, without look-around and back-references; flags i, m, s (g and u are accepted and change nothing: one match is
 * enough, and text is always Unicode). The reason is a sentence for people, to be put after "The pattern".
 */
export async function validatePattern(pattern: string, flags = ""): Promise<PatternValidity> {
  // The regex engine takes as long to load as all the rest of the library; only callers with patterns pay for it.
  const { validatePatternNow } = await import("./validate-pattern-now.ts");
  return validatePatternNow(pattern, flags);
}
