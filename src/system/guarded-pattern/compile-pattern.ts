import { RE2JS } from "re2js";

/** Flags that mean something here. `g` and `u` are accepted and change nothing: one match is enough, and text is Unicode. */
const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  g: 0,
  u: 0,
};

export interface CompiledPattern {
  test(text: string): boolean;
  programSize(): number;
}

/** Compiles a pattern in JavaScript's notation for matching in linear time. Throws if it is invalid or needs backtracking. */
export function compilePattern(pattern: string, flags: string): CompiledPattern {
  let bits = 0;
  for (const flag of flags) bits |= FLAGS[flag] ?? 0;
  // JavaScript's own escapes (\u0041, \cJ, [^]) are not RE2's.
  return RE2JS.compile(RE2JS.translateRegExp(pattern), bits);
}
