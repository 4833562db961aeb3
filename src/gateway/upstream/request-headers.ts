import type { WireFormat } from "../../formats/index.ts";
import { isHeaderValue } from "./header-lines.ts";
import { KnownNames } from "./known-names.ts";

/** Of one connection, not of the request; and what is set anew for each attempt. */
const NOT_PASSED: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-connection transfer-encoding te trailer upgrade expect host content-length accept-encoding http2-settings".split(
    " ",
  ),
);
/** Where the providers have their keys. */
const KEYS: ReadonlySet<string> = new Set(["authorization", "x-api-key", "x-goog-api-key", "api-key"]);
/** What belongs to the client's own account: an endpoint with keys of ours does not get it. */
const ACCOUNT: ReadonlySet<string> = new Set([
  "cookie",
  "proxy-authorization",
  "openai-organization",
  "openai-project",
]);
/** Where each format has the key of an endpoint. A client may have put its own elsewhere: Claude Code sends a token as bearer. */
const USUAL: Readonly<Record<WireFormat, string>> = {
  openai: "authorization",
  anthropic: "x-api-key",
  gemini: "x-goog-api-key",
};
/** Azure's. */
const OTHER_OF_OPENAI = "api-key";
const NONE: ReadonlySet<string> = new Set();

interface Fate {
  readonly lower: string;
  readonly isValid: boolean;
  readonly isPassed: boolean;
  readonly isOfAccount: boolean;
}

const NAMES = new KnownNames<Fate>((lower) => ({
  lower,
  isValid: /^[!#$%&'*+\-.^_`|~0-9a-z]+$/.test(lower),
  isPassed: !NOT_PASSED.has(lower) && !lower.startsWith("x-secondwind-"),
  isOfAccount: KEYS.has(lower) || ACCOUNT.has(lower),
}));
/** Bytes are passed on as they come, so they must not be compressed. */
const NOT_PACKED = "accept-encoding: identity\r\n";
const IS_USUAL = /^\s*(?:keep-alive|close)\s*$/i;

/** A client's headers as endpoints get them, as lines. */
export interface PassedHeaders {
  /** For an endpoint that the client has an account with. */
  readonly whole: string;
  /** For one that must not see whose they are. */
  readonly withoutAccount: string;
  /** The client has its key where Azure wants it. */
  readonly hasApiKey: boolean;
  /** The name of a header that HTTP can't carry. */
  readonly invalid: string | undefined;
}

/** What each endpoint gets of a request's headers. */
export function passedHeaders(rawHeaders: readonly string[]): PassedHeaders {
  const ofThisHop = namedByConnection(rawHeaders);
  let whole = "";
  let withoutAccount = "";
  let hasApiKey = false;
  let invalid: string | undefined;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const value = rawHeaders[at + 1] as string;
    const { lower, isValid, isPassed, isOfAccount } = NAMES.of(name);
    if (!isPassed || (ofThisHop !== NONE && ofThisHop.has(lower))) continue;
    if (lower === OTHER_OF_OPENAI) hasApiKey = true;
    if (!isValid || !isHeaderValue(value)) invalid = name;
    const line = `${name}: ${value}\r\n`;
    whole += line;
    if (!isOfAccount) withoutAccount += line;
  }
  return { whole, withoutAccount, hasApiKey, invalid };
}

/** The header lines for one endpoint. `key`: in place of the client's own. Throws a `TypeError` for what HTTP can't carry. */
export function requestLines(
  { whole, withoutAccount, hasApiKey, invalid }: PassedHeaders,
  {
    key,
    format,
    keepsAccount,
    isAzure = false,
  }: {
    readonly key?: string | undefined;
    readonly format: WireFormat;
    readonly keepsAccount: boolean;
    readonly isAzure?: boolean;
  },
): string {
  if (invalid !== undefined) throw new TypeError(`The header ${invalid} has characters that HTTP forbids`);
  const lines = NOT_PACKED + (keepsAccount ? whole : withoutAccount);
  if (key === undefined) return lines;
  if (!isHeaderValue(key)) throw new TypeError("The key has characters that HTTP forbids");
  const name = USUAL[format];
  const usual = `${name}: ${name === "authorization" ? `Bearer ${key}` : key}\r\n`;
  if (format !== "openai" || !(isAzure || hasApiKey)) return lines + usual;
  const other = `${OTHER_OF_OPENAI}: ${key}\r\n`;
  return lines + (isAzure ? other : other + usual);
}

/** `Connection` may name further headers that are meant for the next hop only, which is this one. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  let named = NONE;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length !== 10 || name.toLowerCase() !== "connection" || IS_USUAL.test(rawHeaders[at + 1] as string))
      continue;
    const names = (rawHeaders[at + 1] as string).split(",").map((name) => name.trim().toLowerCase());
    named = new Set([...named, ...names]);
  }
  return named;
}

/** The key that a request brings, as it stands in its header; empty: none. */
export function clientKeyOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  for (const name of KEYS) {
    const value = headers[name];
    if (typeof value === "string") return value;
  }
  return "";
}

/** The same for a key in the query, where Google takes it too. */
export function keyInQuery(query: string): string {
  return /[?&]key=([^&]*)/.exec(query)?.[1] ?? "";
}
