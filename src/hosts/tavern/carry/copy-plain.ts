/**
 * A deep copy of arrays and plain objects of any realm; files, functions and the like are shared. The host's listeners may change a
 * request, and callers may reuse their object: neither may affect a later attempt.
 */
export function copyPlain<T>(value: T): T {
  return copy(value, new Map()) as T;
}

/** `known` keeps cycles. */
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

/** Every realm has its own `Object.prototype`, whose prototype is null. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
