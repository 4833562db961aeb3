import { KnownNames } from "./known-names.ts";

/** How the end of a body is known. */
export type Framing = "none" | "length" | "chunked" | "close";

/** The head of an answer. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** Those that the client gets: all but those of the connection, of the body's length, and of a gateway before this one. */
  readonly passed: readonly string[];
  readonly framing: Framing;
  /** Bytes of a body that has a length. */
  readonly length: number;
  /** How the body is compressed, in lower case; empty: it is not. */
  readonly packing: string;
  /** Whether the connection may carry another request. */
  readonly isKept: boolean;
  /** How long the server keeps a connection without requests, if it says so. */
  readonly keptMs: number | undefined;
}

/** The answer breaks the rules of HTTP. The code is in the family of Node's own parser, which the classifier knows. */
export class UnreadableAnswer extends Error {
  readonly code: string;

  constructor(message: string, code = "HPE_INVALID_RESPONSE") {
    super(message);
    this.name = "UnreadableAnswer";
    this.code = code;
  }
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: (.*))?$/;
/** Control characters, and line ends that are not CRLF: where a sloppy parser would see another header. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
/** Of the connection, or of the body's length, which may change. */
const NOT_PASSED: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-connection transfer-encoding te trailer upgrade proxy-authenticate content-length".split(
    " ",
  ),
);
type Fate = "invalid" | "dropped" | "passed";
const FATES = new KnownNames<Fate>((lower) => {
  if (!NAME.test(lower)) return "invalid";
  // The receipt is that of the last gateway.
  return NOT_PASSED.has(lower) || lower.startsWith("x-secondwind-") ? "dropped" : "passed";
});
const LENGTH = /^\d{1,15}$/;

/**
 * Reads a head, without the blank line that ends it. Throws {@link UnreadableAnswer}: an answer whose end two parsers may see in
 * different places is refused, never guessed at.
 */
export function readHead(text: string, method: string): Head {
  const lineEnd = text.indexOf("\r\n");
  const [line, minor, code, statusText = ""] = STATUS_LINE.exec(lineEnd === -1 ? text : text.slice(0, lineEnd)) ?? [];
  if (line === undefined) throw new UnreadableAnswer("The answer does not begin with an HTTP status");
  const rawHeaders: string[] = [];
  const passed: string[] = [];
  let length: string | undefined;
  let encoding: string | undefined;
  let connection = "";
  let keepAlive = "";
  let packing = "";
  for (let at = line.length + 2; at < text.length; ) {
    const next = text.indexOf("\r\n", at);
    const end = next === -1 ? text.length : next;
    const colon = text.indexOf(":", at);
    const name = text.slice(at, Math.min(colon, end));
    const fate = colon === -1 || colon > end ? "invalid" : FATES.of(name);
    if (fate === "invalid") throw new UnreadableAnswer("The answer has an invalid header");
    const value = text.slice(colon + 1, end).trim();
    if (FORBIDDEN.test(value)) throw new UnreadableAnswer("The answer's headers have characters that HTTP forbids");
    rawHeaders.push(name, value);
    if (fate === "passed") passed.push(name, value);
    at = end + 2;
    switch (name.length) {
      case 10:
        if (is(name, "connection")) connection = `${connection},${value.toLowerCase()}`;
        else if (is(name, "keep-alive")) keepAlive = value;
        break;
      case 14:
        if (!is(name, "content-length")) break;
        if (length !== undefined) throw new UnreadableAnswer("The answer has two content-lengths");
        length = value;
        break;
      case 16:
        if (is(name, "content-encoding") && !is(value, "identity")) packing = value.toLowerCase();
        break;
      case 17:
        if (!is(name, "transfer-encoding")) break;
        if (encoding !== undefined) throw new UnreadableAnswer("The answer has two transfer-encodings");
        encoding = value;
        break;
    }
  }
  const status = Number(code);
  const isOld = minor === "0";
  const framing = framingOf({ status, method, length, encoding, isOld });
  const isKept = connection === "" ? !isOld : isOld ? /\bkeep-alive\b/.test(connection) : !/\bclose\b/.test(connection);
  return {
    status,
    statusText,
    rawHeaders,
    passed,
    framing,
    length: framing === "length" ? Number(length) : 0,
    packing,
    isKept: isKept && framing !== "close",
    keptMs: keepAlive === "" ? undefined : keptFor(keepAlive),
  };
}

interface Facts {
  readonly status: number;
  readonly method: string;
  readonly length: string | undefined;
  readonly encoding: string | undefined;
  readonly isOld: boolean;
}

function framingOf({ status, method, length, encoding, isOld }: Facts): Framing {
  if (length !== undefined && !LENGTH.test(length))
    throw new UnreadableAnswer("The answer's content-length is no number");
  if (encoding !== undefined) {
    if (length !== undefined)
      throw new UnreadableAnswer("The answer has both a content-length and a transfer-encoding");
    if (isOld || !is(encoding, "chunked"))
      throw new UnreadableAnswer(`The answer's transfer-encoding is not chunked: ${encoding.slice(0, 60)}`);
  }
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return "none";
  if (encoding !== undefined) return "chunked";
  return length === undefined ? "close" : "length";
}

function is(text: string, lower: string): boolean {
  return text === lower || text.toLowerCase() === lower;
}

function keptFor(keepAlive: string): number | undefined {
  const seconds = /(?:^|[,\s])timeout\s*=\s*(\d{1,6})/i.exec(keepAlive)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
