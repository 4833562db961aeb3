import { ServerResponse } from "node:http";
import { pairsIn } from "../upstream/header-lines.ts";
import type { Head } from "../upstream/read-head.ts";

/** What Node's responses have besides what is documented. */
interface Inside {
  /** The head as text, null until there is one, and whether it was written. */
  _header?: string | null;
  _headerSent?: boolean;
  readonly _keepAliveTimeout?: number;
  readonly _maxRequestsPerSocket?: number;
  readonly _expect_continue?: boolean;
}

/**
 * Begins an answer with the endpoint's headers and `more` of our own, as lines. They were checked when they were read, so they can
 * go out as the text that they are: `writeHead` takes them apart, checks and joins them again, and `write` puts a tick and a queue
 * between, which together is a tenth of what a small answer costs. Returns the text of the head, to be written to the socket before
 * the body; Node then takes it for sent, and still has to be told of the end. Undefined: Node has something to say that we do not
 * know, so it has the head, and gets the body.
 */
export function takeHead(response: ServerResponse, head: Head, more: string): string | undefined {
  const inside = response as unknown as Inside;
  if (!isPlain(response, inside) || head.status !== 200) return undefined;
  const { status, statusText, passed, hasDate } = head;
  response.statusCode = status;
  response.statusMessage = statusText;
  const own = (hasDate ? "" : dateLine()) + keptLines(inside._keepAliveTimeout ?? 0);
  const text = `HTTP/1.1 ${status} ${statusText}\r\n${passed}${more}${own}\r\n`;
  inside._header = text;
  inside._headerSent = true;
  return text;
}

/** The same by Node. */
export function giveHead(response: ServerResponse, { status, statusText, passed }: Head, more: string): void {
  response.writeHead(status, statusText, [...pairsIn(passed), ...pairsIn(more)]);
}

/** HTTP/1.1, a connection that is kept, its turn to answer, and no other code that has set headers or wants to see them. */
function isPlain(response: ServerResponse, inside: Inside): boolean {
  return (
    inside._header === null &&
    inside._headerSent === false &&
    (inside._maxRequestsPerSocket ?? 0) === 0 &&
    inside._expect_continue !== true &&
    response.socket?.writable === true &&
    response.shouldKeepAlive &&
    response.sendDate &&
    response.useChunkedEncodingByDefault &&
    response.req.method !== "HEAD" &&
    response.write === ServerResponse.prototype.write &&
    response.end === ServerResponse.prototype.end &&
    response.writeHead === ServerResponse.prototype.writeHead &&
    response.getHeaderNames().length === 0
  );
}

let kept = { ms: -1, lines: "" };

/** As Node writes them. */
function keptLines(ms: number): string {
  if (ms !== kept.ms) {
    const limit = ms > 0 ? `Keep-Alive: timeout=${Math.floor(ms / 1000)}\r\n` : "";
    kept = { ms, lines: `Connection: keep-alive\r\n${limit}` };
  }
  return kept.lines;
}

function dateLine(): string {
  return `Date: ${new Date().toUTCString()}\r\n`;
}
