import { connect } from "node:net";

/** What came over a socket, byte by byte, and how it ended. */
export interface RawExchange {
  /** As they were read: one element for each time that something came. */
  readonly parts: readonly { readonly bytes: Buffer; readonly atMs: number }[];
  readonly bytes: Buffer;
  /** `quiet`: nothing more came for `quietMs`, and we left. */
  readonly end: "fin" | "reset" | "quiet";
}

export interface RawRequest {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly quietMs?: number;
  /** Leaves then, whatever comes. */
  readonly leaveAfterMs?: number;
  /** Sent right behind the request, on the same connection. */
  readonly more?: Buffer;
}

/** Sends one request over a plain socket and looks at the bytes: no HTTP client is in between to smooth anything out. */
export function rawExchange({
  url,
  path,
  headers,
  body,
  quietMs = 2000,
  leaveAfterMs,
  more,
}: RawRequest): Promise<RawExchange> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const parts: { bytes: Buffer; atMs: number }[] = [];
  socket.write(encodeRequest(path, headers, body));
  if (more !== undefined) socket.write(more);
  return new Promise((resolve) => {
    const finish = (end: RawExchange["end"]) => () => {
      clearTimeout(timer);
      clearTimeout(leaving);
      socket.destroy();
      resolve({ parts, bytes: Buffer.concat(parts.map((part) => part.bytes)), end });
    };
    let timer = setTimeout(finish("quiet"), quietMs);
    const leaving = setTimeout(finish("quiet"), leaveAfterMs ?? 30_000);
    socket.on("data", (bytes: Buffer) => {
      parts.push({ bytes, atMs: performance.now() });
      clearTimeout(timer);
      timer = setTimeout(finish("quiet"), quietMs);
    });
    socket.on("end", finish("fin"));
    socket.on("error", finish("reset"));
  });
}

export function encodeRequest(path: string, headers: Readonly<Record<string, string>>, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const lines = Object.entries({ host: "127.0.0.1", ...headers, "content-length": String(text.length) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`), text]);
}

export interface RawResponse {
  readonly status: number;
  readonly head: string;
  /** In order, names in lower case; the same name may be there twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body out of its chunks; as it is where there are none. */
  readonly body: Buffer;
  readonly chunks: readonly Buffer[];
  /** The last chunk, or as many bytes as `content-length` said. */
  readonly isComplete: boolean;
}

/** Reads a response from its bytes. */
export function readResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end).toString("latin1");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const rest = bytes.subarray(end + 4);
  const headerOf = (name: string): string | undefined => headers.find(([one]) => one === name)?.[1];
  const read = headerOf("transfer-encoding") === "chunked" ? unchunk(rest) : { chunks: [rest], isComplete: false };
  const body = Buffer.concat(read.chunks);
  const isComplete = read.isComplete || Number(headerOf("content-length")) === rest.length;
  return { status: Number(first.split(" ")[1]), head, headers, body, chunks: read.chunks, isComplete };
}

function unchunk(bytes: Buffer): { readonly chunks: readonly Buffer[]; readonly isComplete: boolean } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return { chunks, isComplete: false };
    const length = Number.parseInt(bytes.subarray(at, lineEnd).toString(), 16);
    if (length === 0) return { chunks, isComplete: true };
    const chunk = bytes.subarray(lineEnd + 2, lineEnd + 2 + length);
    chunks.push(chunk);
    if (chunk.length < length) return { chunks, isComplete: false };
    at = lineEnd + 2 + length + 2;
  }
}

export interface SseEvent {
  readonly event: string;
  readonly data: string;
  readonly dataLines: number;
}

/** The events of a stream, read by the letter of the standard. */
export function readEvents(text: string): readonly SseEvent[] {
  const blocks = text.replace(/^\uFEFF/, "").split(/\r\n\r\n|\n\n|\r\r/);
  return blocks.flatMap((block) => {
    const lines = block.split(/\r\n|\n|\r/);
    const data = lines.filter((line) => line.startsWith("data:")).map((line) => line.replace(/^data: ?/, ""));
    const event = lines.find((line) => line.startsWith("event:"))?.replace(/^event: ?/, "") ?? "";
    return data.length === 0 ? [] : [{ event, data: data.join("\n"), dataLines: data.length }];
  });
}
