/** Headers by lower-case name, whatever shape they came in. Looked up on demand: a `Headers` is slow to walk. */
export interface HeaderLookup {
  get(name: string): string | undefined;
}

const NONE: HeaderLookup = { get: () => undefined };
/** No server sends more; a bag that goes on for ever is not a bag of headers. */
const MOST_HEADERS = 256;

type Bag = Readonly<Record<string, unknown>>;

/** Bags as plain object in any case, Headers-like, Map, array of pairs; the outermost bag that has a header wins. */
export function readHeaders(bags: readonly object[]): HeaderLookup {
  if (bags.length === 0) return NONE;
  const readable = bags.map(withLowerCaseNames);
  return {
    get(name) {
      for (const bag of readable) {
        const value = valueIn(bag, name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

function valueIn(bag: Bag, name: string): string | undefined {
  try {
    const value = typeof bag.get === "function" ? bag.get(name) : bag[name];
    // Node gives repeated headers as an array: the first one is the nearest hop's.
    const one: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof one === "number") return String(one);
    return typeof one === "string" ? one.trim() : undefined;
  } catch {
    return undefined;
  }
}

function withLowerCaseNames(bag: object): Bag {
  try {
    if (Symbol.iterator in bag && !isHeadersLike(bag)) return fromPairs(bag as Iterable<unknown>);
    return isHeadersLike(bag) || hasLowerCaseNames(bag) ? (bag as Bag) : fromPairs(Object.entries(bag));
  } catch {
    return {};
  }
}

/** A `Headers` has `get` and no `size`; a Map has both, and keeps names in the case they were put in. */
function isHeadersLike(bag: object): boolean {
  return "get" in bag && typeof bag.get === "function" && !("size" in bag);
}

function hasLowerCaseNames(bag: object): boolean {
  for (const name in bag) if (name !== name.toLowerCase()) return false;
  return true;
}

/** The entries of a bag of any shape, names in lower case; of a repeated header the first. Never throws. */
export function headerEntries(bag: unknown): readonly (readonly [name: string, value: unknown])[] {
  try {
    const pairs = Symbol.iterator in (bag as object) ? (bag as Iterable<unknown>) : Object.entries(bag as object);
    return Object.entries(fromPairs(pairs));
  } catch {
    // Nothing that can have headers, or a bag with a trap.
    return [];
  }
}

function fromPairs(pairs: Iterable<unknown>): Bag {
  const bag: Record<string, unknown> = Object.create(null);
  let count = 0;
  for (const pair of pairs) {
    if (++count > MOST_HEADERS) break;
    if (Array.isArray(pair) && typeof pair[0] === "string") bag[pair[0].toLowerCase()] ??= pair[1];
  }
  return bag;
}
