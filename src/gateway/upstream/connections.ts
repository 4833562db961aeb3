import { type AnswerSink, Connection, type ConnectionOwner, type Origin } from "./connection.ts";

/** What a call is made with. */
export interface UpstreamRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** With the query. */
  readonly path: string;
  readonly method: string;
  /** As lines that HTTP can carry, without those of the connection. */
  readonly headers: string;
  readonly body: Buffer | null;
  /** The body with one character for each byte, if that is known. */
  readonly text?: string | undefined;
  /** No other request is under way. */
  readonly isAlone?: boolean;
}

/** How long a connection without requests is kept, unless the server says otherwise. */
const KEPT_MS = 30_000;
/** A server that closes after 5 s may do so while a request is on its way: it is left this much earlier. */
const MARGIN_MS = 1000;
const SWEEP_MS = 1000;
const PATH = /^[\x21-\xff]+$/;
const HAS_BODY: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The connections to one origin. */
class Line implements ConnectionOwner {
  readonly origin: Origin;
  readonly hostHeader: string;
  /** The one that was used last comes first: the others can grow old and be closed. */
  readonly idle: Connection[] = [];
  readonly all = new Set<Connection>();

  constructor(url: URL) {
    const isTls = url.protocol === "https:";
    this.origin = {
      host: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? (isTls ? 443 : 80) : Number(url.port),
      isTls,
    };
    this.hostHeader = `host: ${url.host}\r\n`;
  }

  take(): Connection {
    const nowMs = performance.now();
    for (let known = this.idle.pop(); known !== undefined; known = this.idle.pop()) {
      if (known.isUsable && known.idleUntilMs > nowMs) return known;
      known.destroy();
    }
    const connection = new Connection(this.origin, this);
    this.all.add(connection);
    return connection;
  }

  release(connection: Connection, keptMs = KEPT_MS + MARGIN_MS): void {
    connection.rest();
    connection.idleUntilMs = performance.now() + Math.min(KEPT_MS, keptMs - MARGIN_MS);
    this.idle.push(connection);
  }

  forget(connection: Connection): void {
    this.all.delete(connection);
    const at = this.idle.indexOf(connection);
    if (at !== -1) this.idle.splice(at, 1);
  }

  /** The next attempt gets a new connection. */
  distrust(): void {
    for (const connection of this.idle.splice(0)) connection.destroy();
  }
}

/** Connections to all endpoints, used again and again. */
export class Connections {
  private readonly lines = new Map<string, Line>();
  private timer: ReturnType<typeof setInterval> | undefined = undefined;

  /** Sends a request on a free connection or a new one. Throws a `TypeError` for a path that HTTP can't carry. */
  send(request: UpstreamRequest, sink: AnswerSink): Connection {
    const line = this.lineTo(request.origin);
    const head = headOf(request, line.hostHeader);
    const connection = line.take();
    connection.send(head, request, sink);
    return connection;
  }

  /** Closes all. What is under way hears of a closed connection. */
  destroy(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const { all, idle } of this.lines.values()) {
      idle.length = 0;
      for (const connection of all) connection.close();
    }
  }

  private lineTo(origin: string): Line {
    const known = this.lines.get(origin);
    if (known !== undefined) return known;
    const line = new Line(new URL(origin));
    this.lines.set(origin, line);
    this.timer ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
    return line;
  }

  /** Those at the front have waited longest. */
  private sweep(): void {
    const nowMs = performance.now();
    for (const { idle } of this.lines.values())
      for (const connection of idle.filter(({ idleUntilMs }) => idleUntilMs <= nowMs)) connection.destroy();
  }
}

function headOf({ path, method, headers, body }: UpstreamRequest, hostHeader: string): string {
  if (!PATH.test(path)) throw new TypeError("The path has characters that HTTP forbids");
  const length = body !== null || HAS_BODY.has(method) ? `content-length: ${body?.length ?? 0}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\n${hostHeader}connection: keep-alive\r\n${headers}${length}\r\n`;
}
