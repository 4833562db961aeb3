import type { ContentVerdict } from "../../kernel/model/ports.ts";
import { type CompiledPattern, compilePattern } from "./compile-pattern.ts";

export interface MatchRequest {
  readonly text: string;
  readonly pattern: string;
  readonly flags: string;
}

const MOST_KEPT = 32;
const kept = new Map<string, CompiledPattern>();

/**
 * Matches in linear time: proportional to the text's characters times the pattern's instructions. More of these steps than
 * `mostSteps`: inconclusive.
 */
export function matchText({ text, pattern, flags }: MatchRequest, mostSteps = Infinity): ContentVerdict {
  try {
    const compiled = compileOnce(pattern, flags);
    if (text.length * compiled.programSize() > mostSteps) return "inconclusive";
    return compiled.test(text) ? "present" : "missing";
  } catch {
    // Invalid patterns are rejected when they are saved; one that slips through must not fail good answers.
    return "inconclusive";
  }
}

/** The same few patterns come again and again, and a compiled one gets faster with use. */
function compileOnce(pattern: string, flags: string): CompiledPattern {
  const key = `${flags}/${pattern}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = compilePattern(pattern, flags);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, made);
  return made;
}
