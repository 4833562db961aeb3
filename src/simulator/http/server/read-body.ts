import type { IncomingMessage } from "node:http";
import type { HttpRequest } from "../dialects/dialect.ts";

/** The largest body that is read. Real providers accept 20 to 32 MB. */
const MOST_BYTES = 32 * 1024 * 1024;

export type ReadBody =
  | { readonly type: "read"; readonly received: HttpRequest }
  | { readonly type: "too-large" }
  | { readonly type: "no-json"; readonly message: string };

/** Reads the whole body and parses it. */
export async function readBody(request: IncomingMessage, url: URL): Promise<ReadBody> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    length += part.length;
    if (length <= MOST_BYTES) parts.push(part);
  }
  if (length > MOST_BYTES) return { type: "too-large" };
  const text = Buffer.concat(parts).toString("utf8");
  const received = { path: url.pathname, query: url.searchParams, bodyChars: text.length };
  if (text === "") return { type: "read", received: { ...received, body: undefined } };
  try {
    return { type: "read", received: { ...received, body: JSON.parse(text) } };
  } catch (fault) {
    return { type: "no-json", message: fault instanceof Error ? fault.message : String(fault) };
  }
}

/** The API key of a request, from any of the places where providers expect it; empty: none. */
export function keyOf({ headers }: IncomingMessage, url: URL): string {
  const bearer = /^Bearer\s+(.+)$/i.exec(headers.authorization ?? "")?.[1];
  const named = headers["x-api-key"] ?? headers["x-goog-api-key"];
  return bearer ?? (typeof named === "string" ? named : undefined) ?? url.searchParams.get("key") ?? "";
}
