/**
 * One pattern out of several lines of alternatives, so that long lists of wordings stay readable. All wordings are in
 * lower case and matched against a text in lower case: that is cheaper than the `i` flag.
 */
export function wording(...lines: readonly RegExp[]): RegExp {
  return new RegExp(lines.map((line) => line.source).join("|"));
}

/** One wording and then the other in the same line, at most so many characters apart: bounded, so it stays linear (E7). */
export function near(first: RegExp, then: RegExp, mostApart: number): RegExp {
  return new RegExp(`(?:${first.source})[^\\n]{0,${mostApart}}?(?:${then.source})`);
}
