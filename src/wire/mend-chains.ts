/**
 * Stored fallback chains, as far as they are valid: one bad entry does not affect the others. An entry that is not text is
 * replaced by a text that names it, so that the session can warn about it. Undefined: no chains at all.
 */
export function mendChains(stored: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  const roles = Object.entries(stored).filter(([role]) => role !== "");
  return Object.fromEntries(roles.map(([role, chain]) => [role, [chain].flat().map(nameOf)]));
}

function nameOf(entry: unknown): string {
  return typeof entry === "object" ? "object" : String(entry);
}
