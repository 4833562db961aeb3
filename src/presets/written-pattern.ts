/** The body of a pattern between slashes: a slash in it is escaped, or in a class. */
const BETWEEN_SLASHES = /^\/((?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+)\/([a-z]*)$/s;

/** A pattern as people write it: bare, or as in code between slashes and with flags, `/abc/i`. The flags are not checked. */
export function readPattern(written: string): { readonly pattern: string; readonly flags?: string } {
  const [, pattern, flags] = BETWEEN_SLASHES.exec(written) ?? [];
  if (pattern === undefined) return { pattern: written };
  return flags === undefined || flags === "" ? { pattern } : { pattern, flags };
}
