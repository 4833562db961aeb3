/** Enough to recognise a body by; more would be a copy of it. */
const MOST_CHARS = 4_096;
const MOST_DEPTH = 6;
const MOST_ENTRIES = 32;

/** A message for a problem that carries none: the body's JSON, or the value itself. Never throws, never grows without bound. */
export function describeProblem(problem: unknown): string {
  try {
    const body = (problem as { readonly body?: unknown } | null | undefined)?.body ?? problem;
    // A stream is the body of a `Response` that nobody has read.
    return toJson(Symbol.asyncIterator in Object(body) ? problem : body, 0, { left: MOST_CHARS });
  } catch {
    return "an unreadable value";
  }
}

// JSON.stringify is not linear: an object that shares its parts is written out once for every way to them.
function toJson(value: unknown, depth: number, budget: { left: number }): string {
  const written = depth > MOST_DEPTH || budget.left <= 0 ? "…" : write(value, depth, budget);
  budget.left -= written.length;
  return written;
}

function write(value: unknown, depth: number, budget: { left: number }): string {
  if (typeof value === "string") return depth === 0 ? value : JSON.stringify(value.slice(0, MOST_CHARS));
  if (typeof value !== "object" || value === null) return String(value);
  if (Array.isArray(value)) {
    return `[${value
      .slice(0, MOST_ENTRIES)
      .map((item) => toJson(item, depth + 1, budget))
      .join(",")}]`;
  }
  // Listing the keys of bytes would take seconds.
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  const entries: string[] = [];
  for (const key in value) {
    if (entries.length >= MOST_ENTRIES) break;
    const part: unknown = (value as Record<string, unknown>)[key];
    if (part !== undefined && typeof part !== "function")
      entries.push(`${JSON.stringify(key)}:${toJson(part, depth + 1, budget)}`);
  }
  return `{${entries.join(",")}}`;
}
