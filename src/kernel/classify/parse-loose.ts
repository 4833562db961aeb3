import { MOST_DEPTH } from "./bounds.ts";

/** A structure that was found in a text, and where it ends. */
export interface Parsed {
  readonly value: unknown;
  readonly end: number;
}

type Bag = Record<string, unknown>;

const SPACE = /\s*/y;
/** Also Rust's `Some("…")`, Swift's `Optional("…")`. */
const OPENING_QUOTE = /(?:[bruf]{0,2}|[A-Z]\w{0,31}\()(["'`])/y;
/** Rust names the type of an object in front of it, and Node does: `<ref *1> Object [AxiosHeaders] {`. */
const TYPE = /(?:[A-Z<[*][\w:\]>]{0,63} ){0,4}(?=\{)/y;
/** Ruby's symbols begin with a colon: `{:error=>{…}}`. Node's are in brackets (`[Symbol(a.b)]: true`, `[cause]: …`), since 24 without. */
const BARE_KEY = /\[?Symbol\([^)]{0,64}\)\]?|:?[a-z_$@][\w$.-]{0,63}|\[\w{1,64}\]/iy;
const AFTER_KEY = /\s*(?::|=>?)/y;
const AFTER_VALUE = /[\s)]*(?:,\s*)?/y;
const BARE_VALUE = /[^,}\]\n]{0,256}/y;
/** What follows the quote at the end of a value, or of a key: any other quote is part of the text. */
const ENDS_VALUE = /\s{0,64}(?:[,}\])]|$)/y;
const ENDS_KEY = /\s{0,8}(?::|=)/y;
/** An object as a text ends with its brace, though its own quotes were not escaped. */
const OBJECT_AS_TEXT = /^\{(?:\s|\\n){0,8}"/;
const CLOSED = /\}(?:\s|\\n){0,8}$/;
const MOST_BLANKS = 24;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "", b: "", f: "" };
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["nil", null],
  ["undefined", undefined],
]);

/**
 * Reads the object at a `{`, however it is written: JSON, a Python dict, what `console.log` prints, `{status=400}`. Quotes
 * inside a text need not be escaped, and the end may be missing. Undefined: what stands there is no object. Linear.
 */
export function parseLoose(text: string, at: number): Parsed | undefined {
  return parseObject(text, at, 0);
}

function parseObject(text: string, at: number, depth: number): Parsed | undefined {
  if (depth > MOST_DEPTH) return undefined;
  const bag: Bag = {};
  let next = skip(SPACE, text, at + 1);
  for (;;) {
    if (next >= text.length || text[next] === "}") break;
    const key = parseKey(text, next);
    if (key === undefined) {
      // Something else in braces, or a text that goes on where the object should: what was read so far counts.
      if (Object.keys(bag).length === 0) return undefined;
      return { value: bag, end: next };
    }
    const parsed = parseValue(text, skip(SPACE, text, key.end), depth);
    // The first of two counts. Nor does `__proto__` get a value: it has one.
    bag[key.value] ??= parsed.value;
    next = skip(AFTER_VALUE, text, parsed.end);
  }
  return { value: bag, end: Math.min(next + 1, text.length) };
}

function parseKey(text: string, at: number): { readonly value: string; readonly end: number } | undefined {
  const quoted = parseQuoted(text, at, ENDS_KEY);
  const end = quoted?.end ?? skip(BARE_KEY, text, at);
  const after = skip(AFTER_KEY, text, end);
  if (after === end) return undefined;
  return { value: quoted?.value ?? text.slice(text[at] === ":" ? at + 1 : at, end), end: after };
}

function parseValue(text: string, from: number, depth: number): Parsed {
  const at = skip(TYPE, text, from);
  if (text[at] === "{") {
    const inner = parseObject(text, at, depth + 1);
    if (inner !== undefined) return inner;
  }
  if (text[at] === "[") return parseArray(text, at, depth + 1);
  const quoted = parseQuoted(text, at, ENDS_VALUE);
  if (quoted !== undefined) return quoted;
  const end = skip(BARE_VALUE, text, at);
  const word = text.slice(at, end).trim();
  if (/^-?\d{1,15}(?:\.\d{1,20})?$/.test(word)) return { value: Number(word), end };
  return { value: WORDS.has(word) ? WORDS.get(word) : word, end };
}

function parseArray(text: string, at: number, depth: number): Parsed {
  const items: unknown[] = [];
  let next = skip(SPACE, text, at + 1);
  while (next < text.length && text[next] !== "]" && text[next] !== "}" && depth <= MOST_DEPTH) {
    const parsed = parseValue(text, next, depth);
    items.push(parsed.value);
    next = skip(AFTER_VALUE, text, parsed.end);
  }
  return { value: items, end: text[next] === "]" ? next + 1 : next };
}

function parseQuoted(text: string, at: number, ends: RegExp): { value: string; end: number } | undefined {
  OPENING_QUOTE.lastIndex = at;
  const quote = OPENING_QUOTE.exec(text)?.[1];
  if (quote === undefined) return undefined;
  const start = OPENING_QUOTE.lastIndex;
  const isObject = OBJECT_AS_TEXT.test(text.slice(start, start + MOST_BLANKS));
  let value = "";
  let from = start;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") {
      const escaped = text[i + 1] ?? "";
      value += text.slice(from, i) + (ESCAPES[escaped] ?? escaped);
      from = ++i + 1;
    } else if (char === quote && skip(ends, text, i + 1) > i + 1 - Number(i + 1 === text.length)) {
      if (isObject && !CLOSED.test(text.slice(i - MOST_BLANKS, i))) continue;
      return { value: value + text.slice(from, i), end: i + 1 };
    }
  }
  return { value: value + text.slice(from), end: text.length };
}

/** Where the pattern ends that stands at this place; the place itself if it does not stand there. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
