/**
 * Fallback chains as they were kept, as far as they are any: one bad entry does not cost the others. An entry that is no text
 * stays as the name of what it was, so that the session can warn of it. Undefined: no chains at all.
 */
export function mendChains(stored: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return undefined;
  const roles = Object.entries(stored).filter(([role]) => role !== "");
  return Object.fromEntries(roles.map(([role, chain]) => [role, [chain].flat().map(nameOf)]));
}

function nameOf(entry: unknown): string {
  return typeof entry === "object" ? "object" : String(entry);
}
