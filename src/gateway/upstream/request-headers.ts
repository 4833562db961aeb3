import type { WireFormat } from "../../formats/index.ts";
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
  readonly isPassed: boolean;
  readonly isOfAccount: boolean;
}

const NAMES = new KnownNames<Fate>((lower) => ({
  lower,
  isPassed: !NOT_PASSED.has(lower) && !lower.startsWith("x-secondwind-"),
  isOfAccount: KEYS.has(lower) || ACCOUNT.has(lower),
}));
const IS_USUAL = /^\s*(?:keep-alive|close)\s*$/i;

/** The client's headers as an endpoint gets them: names and values in turn. `key`: in place of the client's own. */
export function requestHeaders(
  rawHeaders: readonly string[],
  {
    key,
    format,
    keepsAccount,
  }: { readonly key?: string | undefined; readonly format: WireFormat; readonly keepsAccount: boolean },
): string[] {
  // Bytes are passed on as they come, so they must not be compressed.
  const headers = ["accept-encoding", "identity"];
  const ofThisHop = namedByConnection(rawHeaders);
  let keyHeader = USUAL[format];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    const { lower, isPassed, isOfAccount } = NAMES.of(name);
    if (!isPassed || (ofThisHop !== NONE && ofThisHop.has(lower))) continue;
    if (lower === OTHER_OF_OPENAI && format === "openai") keyHeader = lower;
    if (!keepsAccount && isOfAccount) continue;
    headers.push(name, rawHeaders[at + 1] as string);
  }
  if (key !== undefined) headers.push(keyHeader, keyHeader === "authorization" ? `Bearer ${key}` : key);
  return headers;
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

/** The key that a request brings, as it stands in its header. */
export function clientKeyOf(headers: Readonly<Record<string, string | string[] | undefined>>, query: string): string {
  for (const name of KEYS) {
    const value = headers[name];
    if (typeof value === "string") return value;
  }
  return /[?&]key=([^&]*)/.exec(query)?.[1] ?? "";
}
