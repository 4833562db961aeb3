import { ServerResponse } from "node:http";
import { pairsIn } from "../upstream/header-lines.ts";
import type { Head } from "../upstream/read-head.ts";

/** What Node's responses have besides what is documented. */
interface Inside {
  /** The head as text, null until there is one: Node writes it before the first bytes of the body. */
  _header?: string | null;
  readonly _keepAliveTimeout?: number;
  readonly _maxRequestsPerSocket?: number;
  readonly _expect_continue?: boolean;
}

/**
 * Puts the head of an answer in front of what is written next: the endpoint's headers and `more` of our own, as lines. They were checked
 * when they were read, so they go out as the text that they are. `writeHead` would take them apart, check and join them again, which
 * is a tenth of what a small answer costs. It is still used where Node has something to add that we do not know.
 */
export function writeHead(response: ServerResponse, { status, statusText, passed, hasDate }: Head, more: string): void {
  const inside = response as unknown as Inside;
  if (status !== 200 || !hasDate || !isPlain(response, inside))
    return void response.writeHead(status, statusText, [...pairsIn(passed), ...pairsIn(more)]);
  response.statusCode = status;
  response.statusMessage = statusText;
  inside._header = `HTTP/1.1 ${status} ${statusText}\r\n${passed}${more}${kept(inside._keepAliveTimeout ?? 0)}\r\n`;
}

/** HTTP/1.1, a connection that is kept, and nobody else who has set or wants to see headers. */
function isPlain(response: ServerResponse, inside: Inside): boolean {
  return (
    inside._header === null &&
    (inside._maxRequestsPerSocket ?? 0) === 0 &&
    inside._expect_continue !== true &&
    response.shouldKeepAlive &&
    response.useChunkedEncodingByDefault &&
    response.req.method !== "HEAD" &&
    response.writeHead === ServerResponse.prototype.writeHead &&
    isUnwrapped(response) &&
    response.getHeaderNames().length === 0
  );
}

/** Middleware that compresses or records answers replaces these, and expects the bytes of the body alone. */
export function isUnwrapped({ write, end }: ServerResponse): boolean {
  return write === ServerResponse.prototype.write && end === ServerResponse.prototype.end;
}

let keptText = "";
let keptMs = -1;

/** As Node writes it. */
function kept(timeoutMs: number): string {
  if (timeoutMs === keptMs) return keptText;
  keptMs = timeoutMs;
  keptText = "Connection: keep-alive\r\n";
  if (timeoutMs > 0) keptText += `Keep-Alive: timeout=${Math.floor(timeoutMs / 1000)}\r\n`;
  return keptText;
}
