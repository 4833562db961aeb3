import type { Redactor } from "./redactor.ts";

const DEEPEST = 100;
const TOO_DEEP = "[too deep to look at]";

/**
 * Any value without the secrets in it. A value without secrets is returned as it is, so that the usual case costs a walk and no
 * copy. Copies keep their class if it is only data; what can't be inspected (a function) is passed on.
 */
export function redactValue<T>(value: T, redactor: Redactor): T {
  if (!isTainted(value, { redactor, seen: new Set(), depth: 0 })) return value;
  return copy(value, { redactor, made: new Map(), depth: 0 }) as T;
}

interface Search {
  readonly redactor: Redactor;
  readonly seen: Set<object>;
  readonly depth: number;
}

function isTainted(value: unknown, search: Search): boolean {
  const { redactor, seen, depth } = search;
  if (typeof value === "string") return redactor.has(value);
  if (typeof value !== "object" || value === null || seen.has(value)) return false;
  if (depth >= DEEPEST) return true;
  seen.add(value);
  const text = textIn(value);
  if (text !== undefined) return redactor.has(text);
  return entriesOf(value).some((pair) => pair.some((inner) => isTainted(inner, { ...search, depth: depth + 1 })));
}

interface Copying {
  readonly redactor: Redactor;
  /** Cycles stay cycles. */
  readonly made: Map<object, unknown>;
  readonly depth: number;
}

function copy(value: unknown, copying: Copying): unknown {
  const { redactor, made, depth } = copying;
  if (typeof value === "string") return redactor.redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (made.has(value)) return made.get(value);
  if (depth >= DEEPEST) return TOO_DEEP;
  const text = textIn(value);
  if (text !== undefined) return redactor.has(text) ? redactor.redactText(text) : value;
  const deeper: Copying = { ...copying, depth: depth + 1 };
  const twin = emptyTwin(value);
  made.set(value, twin);
  for (const [key, inner] of entriesOf(value)) put(twin, copy(key, deeper), copy(inner, deeper));
  return twin;
}

/** For values whose text is in no property: bytes, URLs, dates. */
function textIn(value: object): string | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("utf8");
  if (value instanceof URL || value instanceof URLSearchParams) return String(value);
  return value instanceof Date ? "" : undefined;
}

type Pair = readonly [unknown, unknown];

function entriesOf(value: object): readonly Pair[] {
  if (value instanceof Map || isHeaders(value)) return [...value];
  if (value instanceof Set) return [...value].map((item) => [item, item]);
  // An error's message, stack and cause are not enumerable.
  const keys = value instanceof Error ? Object.getOwnPropertyNames(value) : Object.keys(value);
  return keys.map((key) => [key, readable(value, key)]);
}

function readable(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}

function emptyTwin(value: object): object {
  if (Array.isArray(value)) return new Array<unknown>(value.length);
  if (value instanceof Map) return new Map<unknown, unknown>();
  if (value instanceof Set) return new Set<unknown>();
  if (isHeaders(value)) return new Headers();
  return Object.create(Object.getPrototypeOf(value)) as object;
}

function put(twin: object, key: unknown, value: unknown): void {
  if (twin instanceof Map) twin.set(key, value);
  else if (twin instanceof Set) twin.add(value);
  else if (isHeaders(twin)) twin.set(String(key), String(value));
  else
    Object.defineProperty(twin, String(key), {
      value,
      writable: true,
      configurable: true,
      enumerable: !(twin instanceof Error),
    });
}

/** By its tag: naming the class would load all of Node's `fetch`, which takes as long as starting Node. */
function isHeaders(value: object): value is Headers {
  return Object.prototype.toString.call(value) === "[object Headers]";
}
