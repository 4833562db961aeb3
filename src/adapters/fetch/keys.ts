import type { WireFormat } from "../../formats/index.ts";

/** Where the providers have their keys. */
const KEY_HEADERS = ["authorization", "x-api-key", "x-goog-api-key", "api-key"] as const;
/** What belongs to one account: no other origin gets it. */
const ACCOUNT_HEADERS = [...KEY_HEADERS, "cookie", "proxy-authorization", "openai-organization", "openai-project"];
const USUAL: Readonly<Record<WireFormat, string>> = {
  openai: "authorization",
  anthropic: "x-api-key",
  gemini: "x-goog-api-key",
};

/** The key that a request carries; undefined: none. */
export function keyOf(url: URL, headers: Headers): string | undefined {
  for (const name of KEY_HEADERS) {
    const value = headers.get(name);
    if (value !== null) return value;
  }
  // Making `searchParams` costs more than the rest.
  return url.search.includes("key=") ? (url.searchParams.get("key") ?? undefined) : undefined;
}

/** Puts another key where the request has its own, or where the format usually has it. */
export function setKey(url: URL, headers: Headers, key: string, format: WireFormat): void {
  let isSet = false;
  for (const name of KEY_HEADERS) {
    if (!headers.has(name)) continue;
    headers.set(name, valueFor(name, key));
    isSet = true;
  }
  if (url.searchParams.has("key")) {
    url.searchParams.set("key", key);
    isSet = true;
  }
  if (!isSet) headers.set(USUAL[format], valueFor(USUAL[format], key));
}

/** Takes away what must not reach another origin. */
export function dropKeys(url: URL, headers: Headers): void {
  for (const name of ACCOUNT_HEADERS) headers.delete(name);
  url.searchParams.delete("key");
}

function valueFor(header: string, key: string): string {
  return header === "authorization" ? `Bearer ${key}` : key;
}
