import { pairsIn } from "./header-lines.ts";

/** How the end of a body is known. */
export type Framing = "none" | "length" | "chunked" | "close";

/** The head of an answer. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** The headers that the client gets, as they came, each with its line end: all but those of the connection, of the body's length, and of a gateway before this one. */
  readonly passed: string;
  /** The value of `content-type`; empty: there is none. */
  readonly type: string;
  readonly hasDate: boolean;
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

const CR = 13;
const LF = 10;
const COLON = 58;
const USUAL = "HTTP/1.1 200 OK\r\n";
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const LENGTH = /^\d{1,15}$/;
/** What a name is made of, and what a value is. Control characters are neither: there a sloppy parser would see another header. */
const OF_NAME = 1;
const OF_VALUE = 2;
const KINDS = Uint8Array.from({ length: 256 }, (_, code) => {
  const isOfName = /[!#$%&'*+\-.^_`|~0-9a-z]/i.test(String.fromCharCode(code));
  const isOfValue = code === 9 || (code >= 32 && code !== 127);
  return (isOfName ? OF_NAME : 0) + (isOfValue ? OF_VALUE : 0);
});

/**
 * Reads a head that stands at the start of `bytes` and ends at `end`, without its blank line. Looks at each byte once and cuts out
 * nothing but what counts: the headers are passed on as one text. Throws {@link UnreadableAnswer}: an answer whose end two parsers may
 * see in different places is refused, never guessed at.
 */
export function readHead(bytes: Buffer, end: number, method: string): Head {
  const text = bytes.toString("latin1", 0, end);
  // Nearly all begin alike.
  if (text.startsWith(USUAL))
    return readHeaders(bytes, end, new ReadHead(text, USUAL.length, 200, "OK"), { method, isOld: false });
  const lineEnd = text.indexOf("\r\n");
  const statusEnd = lineEnd === -1 ? end : lineEnd;
  const [line, minor, code, statusText = ""] = STATUS_LINE.exec(text.slice(0, statusEnd)) ?? [];
  if (line === undefined) throw new UnreadableAnswer("The answer does not begin with an HTTP status");
  const head = new ReadHead(text, statusEnd + 2, Number(code), statusText);
  return readHeaders(bytes, end, head, { method, isOld: minor === "0" });
}

function readHeaders(
  bytes: Buffer,
  end: number,
  head: ReadHead,
  { method, isOld }: Pick<Facts, "method" | "isOld">,
): Head {
  for (let at = head.start; at < end; ) at = head.take(bytes, at, end);
  head.settle(method, isOld);
  return head;
}

/** A head as plain data, to be copied with changes. */
export function plainHead(head: Head): Head {
  const { status, statusText, rawHeaders, passed, type, hasDate, framing, length, packing, isKept, keptMs } = head;
  return { status, statusText, rawHeaders, passed, type, hasDate, framing, length, packing, isKept, keptMs };
}

class ReadHead implements Head {
  readonly status: number;
  readonly statusText: string;
  passed = "";
  type = "";
  hasDate = false;
  framing: Framing = "none";
  length = 0;
  packing = "";
  isKept = false;
  keptMs: number | undefined = undefined;
  private readonly text: string;
  readonly start: number;
  /** What is passed begins here, behind what was left out last. */
  private from: number;
  private lengthText: string | undefined = undefined;
  private encoding: string | undefined = undefined;
  private connection = "";
  private raw: readonly string[] | undefined = undefined;

  constructor(text: string, start: number, status: number, statusText: string) {
    this.text = text;
    this.start = start;
    this.from = start;
    this.status = status;
    this.statusText = statusText;
  }

  get rawHeaders(): readonly string[] {
    this.raw ??= pairsIn(this.text.slice(this.start));
    return this.raw;
  }

  /** Takes one header. Returns where the next one begins. */
  take(bytes: Buffer, from: number, end: number): number {
    let at = from;
    while (at < end && ((KINDS[bytes[at] as number] as number) & OF_NAME) !== 0) at++;
    const colon = at;
    if (colon === from || colon >= end || bytes[colon] !== COLON)
      throw new UnreadableAnswer("The answer has an invalid header");
    at++;
    while (at < end && ((KINDS[bytes[at] as number] as number) & OF_VALUE) !== 0) at++;
    if (at < end && (bytes[at] !== CR || bytes[at + 1] !== LF || at + 2 > end))
      throw new UnreadableAnswer("The answer's headers have characters that HTTP forbids");
    if (this.isLeftOut(bytes, from, colon, at)) {
      this.passed += this.text.slice(this.from, from);
      this.from = at + 2;
    }
    return at + 2;
  }

  /** Notes what counts for us. True: the client does not get it. */
  private isLeftOut(bytes: Buffer, from: number, colon: number, end: number): boolean {
    switch (colon - from) {
      case 2:
        return isName(bytes, from, "te");
      case 4:
        if (isName(bytes, from, "date")) this.hasDate = true;
        return false;
      case 7:
        return isName(bytes, from, "trailer") || isName(bytes, from, "upgrade");
      case 10:
        if (isName(bytes, from, "connection")) {
          this.connection = `${this.connection},${this.valueAt(colon, end).toLowerCase()}`;
          return true;
        }
        if (!isName(bytes, from, "keep-alive")) return false;
        this.keptMs = keptFor(this.valueAt(colon, end));
        return true;
      case 12:
        if (this.type === "" && isName(bytes, from, "content-type")) this.type = this.valueAt(colon, end);
        return false;
      case 14:
        if (!isName(bytes, from, "content-length")) break;
        if (this.lengthText !== undefined) throw new UnreadableAnswer("The answer has two content-lengths");
        this.lengthText = this.valueAt(colon, end);
        return true;
      case 16:
        if (isName(bytes, from, "content-encoding")) this.notePacking(this.valueAt(colon, end).toLowerCase());
        else if (isName(bytes, from, "proxy-connection")) return true;
        break;
      case 17:
        if (!isName(bytes, from, "transfer-encoding")) break;
        if (this.encoding !== undefined) throw new UnreadableAnswer("The answer has two transfer-encodings");
        this.encoding = this.valueAt(colon, end);
        return true;
      case 18:
        if (isName(bytes, from, "proxy-authenticate")) return true;
        break;
    }
    // The receipt is that of the last gateway.
    return colon - from > OWN.length && isName(bytes, from, OWN);
  }

  private notePacking(packing: string): void {
    if (packing !== "identity") this.packing = packing;
  }

  private valueAt(colon: number, end: number): string {
    return this.text.slice(colon + 1, end).trim();
  }

  /** All headers are read. */
  settle(method: string, isOld: boolean): void {
    const { text, from, connection, lengthText, encoding, status } = this;
    if (from < text.length) this.passed += `${text.slice(from)}\r\n`;
    this.framing = framingOf({ status, method, length: lengthText, encoding, isOld });
    if (this.framing === "length") this.length = Number(lengthText);
    const isKept =
      connection === "" ? !isOld : isOld ? /\bkeep-alive\b/.test(connection) : !/\bclose\b/.test(connection);
    this.isKept = isKept && this.framing !== "close";
  }
}

const OWN = "x-secondwind-";

/** Whether the bytes begin with this name, which is in lower case. Only letters have their like 32 places before them in a name. */
function isName(bytes: Buffer, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at++)
    if (((bytes[from + at] as number) | 32) !== name.charCodeAt(at)) return false;
  return true;
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
    if (isOld || encoding.toLowerCase() !== "chunked")
      throw new UnreadableAnswer(`The answer's transfer-encoding is not chunked: ${encoding.slice(0, 60)}`);
  }
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return "none";
  if (encoding !== undefined) return "chunked";
  return length === undefined ? "close" : "length";
}

function keptFor(keepAlive: string): number | undefined {
  const seconds = /(?:^|[,\s])timeout\s*=\s*(\d{1,6})/i.exec(keepAlive)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}
