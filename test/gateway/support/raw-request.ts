import { connect, type Socket } from "node:net";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Status line and headers as they came. */
  readonly head: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without the framing. */
  readonly body: Buffer;
  /** Whether the last chunk came, or as many bytes as were declared. */
  readonly isWhole: boolean;
  readonly trailers: Readonly<Record<string, string>>;
}

export interface RawOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** Whether the client keeps the connection, as nearly all do. Default of `askRaw`: true; of `requestBytes`: false. */
  readonly isKept?: boolean;
}

/** A request as bytes. */
export function requestBytes(
  path: string,
  { method = "POST", headers = {}, body, isKept = false }: RawOptions = {},
): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? "" : textOf(body));
  const lines = [`${method} ${path} HTTP/1.1`, "host: 127.0.0.1", ...(isKept ? [] : ["connection: close"])];
  if (body !== undefined) lines.push("content-type: application/json", `content-length: ${bytes.length}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

/** Sends a request over a bare socket: nothing between the test and the bytes. */
export function askRaw(port: number, path: string, options: RawOptions = {}): Promise<RawAnswer> {
  const isKept = options.isKept ?? options.method !== "HEAD";
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = openSocket(port, requestBytes(path, { ...options, isKept }));
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (isKept && hasEnd(Buffer.concat(chunks))) socket.destroy();
    });
    socket.on("close", () => {
      try {
        resolve(readAnswer(Buffer.concat(chunks)));
      } catch (problem) {
        reject(problem as Error);
      }
    });
  });
}

/** Whether all of an answer has come whose end is declared. */
function hasEnd(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, headEnd))?.[1];
  if (length !== undefined) return bytes.length >= headEnd + 4 + Number(length);
  const tail = bytes.toString("latin1", Math.max(headEnd + 4, bytes.length - 4));
  return tail === "\r\n\r\n" && readAnswer(bytes).isWhole;
}

/** A socket that has sent these bytes. That the other side resets it is no error of the test. */
export function openSocket(port: number, bytes: Buffer): Socket {
  const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(bytes));
  return socket.on("error", () => undefined);
}

export function readAnswer(bytes: Buffer): RawAnswer {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) throw new Error(`No answer: ${JSON.stringify(bytes.toString("latin1").slice(0, 200))}`);
  const head = bytes.toString("latin1", 0, headEnd).replaceAll("\r", "");
  const [first = "", ...lines] = head.split("\n");
  const headers = fieldsOf(lines);
  const rest = bytes.subarray(headEnd + 4);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
  if (headers["transfer-encoding"] === "chunked") return { status, head, headers, ...readChunks(rest) };
  const isWhole = headers["content-length"] === undefined || Number(headers["content-length"]) === rest.length;
  return { status, head, headers, body: rest, isWhole, trailers: {} };
}

function readChunks(bytes: Buffer): Pick<RawAnswer, "body" | "isWhole" | "trailers"> {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    if (size === 0) {
      const isWhole = bytes.subarray(lineEnd).toString("latin1").endsWith("\r\n\r\n");
      const trailers = fieldsOf(
        bytes
          .toString("latin1", lineEnd + 2)
          .split("\r\n")
          .filter((line) => line !== ""),
      );
      return { body: Buffer.concat(chunks), isWhole, trailers };
    }
    if (Number.isNaN(size)) return { body: Buffer.concat(chunks), isWhole: false, trailers: {} };
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

function fieldsOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}
