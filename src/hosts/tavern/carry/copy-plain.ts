/**
 * A copy of lists and plain objects, of whichever realm; files, functions and the like are the same. Listeners of the host
 * may write into a request, and callers use their object again: neither may show in a later attempt.
 */
export function copyPlain<T>(value: T): T {
  return copy(value, new Map()) as T;
}

/** What was copied already is known: a cycle stays a cycle. */
function copy(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (known.has(value)) return known.get(value);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    known.set(value, list);
    for (const item of value) list.push(copy(item, known));
    return list;
  }
  if (!isPlain(value)) return value;
  const object: Record<string, unknown> = {};
  known.set(value, object);
  for (const [name, part] of Object.entries(value)) object[name] = copy(part, known);
  return object;
}

/** Every realm has an `Object.prototype` of its own, with nothing above it. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
