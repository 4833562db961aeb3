import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { atTurnEnd } from "../turn-end.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { type Head, readHead, UnreadableAnswer } from "./read-head.ts";

/** Where the parts of an answer go. After `onEnd` or `onFault` nothing more comes. */
export interface AnswerSink {
  onHead(head: Head): void;
  /** The bytes are lent: the next read of any connection writes over them. False: no more until `resume`. */
  onBytes(bytes: Buffer): boolean;
  onEnd(): void;
  onFault(fault: unknown): void;
}

/** One server: where to connect. */
export interface Origin {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

/** What a connection sends, besides the head. */
interface Sent {
  readonly method: string;
  readonly body: Buffer | null;
  readonly text?: string | undefined;
  readonly isAlone?: boolean;
}

/** What a connection reports to. */
export interface ConnectionOwner {
  /** It can carry another request. */
  release(connection: Connection, keptMs: number | undefined): void;
  forget(connection: Connection): void;
  /** The server has closed a connection that was kept: others are likely to be closed as well. */
  distrust(): void;
}

/** An endpoint that has not accepted the connection by then is not there. */
const CONNECT_MS = 10_000;
const MOST_HEAD_BYTES = 65_536;
const BLANK_LINE = "\r\n\r\n";

/** One for all connections: what is read is passed on before the next read, or copied. A thousand streams need no buffer each. */
const READ_BUFFER = Buffer.allocUnsafeSlow(16_384);

/** A connection to an endpoint that carries one request at a time. */
export class Connection {
  /** When it was last used, while it is idle. */
  idleUntilMs = 0;
  isReused = false;
  private readonly socket: Socket;
  private readonly owner: ConnectionOwner;
  private sink: AnswerSink | undefined = undefined;
  private method = "";
  private head: Head | undefined = undefined;
  /** A head that comes in several reads. */
  private headPart: Buffer | undefined = undefined;
  /** Bytes of the body still to come. */
  private left = 0;
  private chunked: ChunkedBody | undefined = undefined;
  private fault: unknown = undefined;
  /** The request has not been written yet. */
  private isUnsent = false;

  constructor(origin: Origin, owner: ConnectionOwner) {
    this.owner = owner;
    this.socket = open(origin, (count) => this.read(count));
    const timer = setTimeout(() => this.socket.destroy(connectTimeout(origin)), CONNECT_MS);
    this.socket.once(origin.isTls ? "secureConnect" : "connect", () => clearTimeout(timer));
    this.socket.on("error", (fault) => {
      this.fault = fault;
    });
    this.socket.on("end", () => this.onSocketEnd());
    this.socket.on("close", () => {
      clearTimeout(timer);
      this.owner.forget(this);
      if (this.isReused && this.sink !== undefined && this.head === undefined) this.owner.distrust();
      this.fail(this.fault ?? closedEarly());
    });
  }

  get isUsable(): boolean {
    return !this.socket.destroyed && this.socket.writable && this.sink === undefined;
  }

  /** Sends a request. `head` ends with its blank line. */
  send(head: string, { body, text, method, isAlone = false }: Sent, sink: AnswerSink): void {
    this.sink = sink;
    this.method = method;
    this.head = undefined;
    const { socket } = this;
    if (this.isReused) socket.ref();
    this.isUnsent = true;
    const write = (): void => {
      this.isUnsent = false;
      if (socket.destroyed) return;
      if (body === null) socket.write(head, "latin1");
      // One string is one write.
      else if (body.length <= 16_384) socket.write(head + (text ?? body.toString("latin1")), "latin1");
      else {
        socket.cork();
        socket.write(head, "latin1");
        socket.write(body);
        socket.uncork();
      }
    };
    if (isAlone) write();
    else atTurnEnd(write);
  }

  resume(): void {
    this.socket.resume();
  }

  /** Closes it, whatever it is doing. The sink hears nothing more. */
  destroy(): void {
    this.sink = undefined;
    this.socket.destroy();
  }

  /** Closes it. The sink hears of a closed connection. */
  close(): void {
    this.socket.destroy();
  }

  /** While no request is under way it does not keep the process alive. */
  rest(): void {
    this.isReused = true;
    this.socket.unref();
  }

  /** Returns whether to go on reading. */
  private read(count: number): boolean {
    // Nobody asked.
    if (this.sink === undefined) {
      this.socket.destroy();
      return false;
    }
    try {
      return this.head === undefined ? this.takeHead(count) : this.takeBody(0, count);
    } catch (fault) {
      this.break(fault);
      return false;
    }
  }

  private takeHead(count: number): boolean {
    const part = this.headPart;
    const bytes = part === undefined ? READ_BUFFER : Buffer.concat([part, READ_BUFFER.subarray(0, count)]);
    const size = part === undefined ? count : bytes.length;
    const end = bytes.indexOf(BLANK_LINE, part === undefined ? 0 : Math.max(0, part.length - 3), "latin1");
    if (end === -1 || end + BLANK_LINE.length > size) {
      if (size > MOST_HEAD_BYTES)
        throw new UnreadableAnswer(
          `The answer's headers are larger than ${MOST_HEAD_BYTES} bytes`,
          "HPE_HEADER_OVERFLOW",
        );
      this.headPart = part === undefined ? Buffer.from(READ_BUFFER.subarray(0, count)) : bytes;
      return true;
    }
    this.headPart = undefined;
    const head = readHead(bytes, end, this.method);
    const start = end + BLANK_LINE.length;
    if (head.status < 200) return this.skipInterim(head, bytes, start, size);
    this.head = head;
    this.left = head.length;
    this.chunked = head.framing === "chunked" ? new ChunkedBody() : undefined;
    this.sink?.onHead(head);
    if (this.sink === undefined) return false;
    if (head.framing === "none" || (head.framing === "length" && head.length === 0)) return this.finish(size > start);
    if (size === start) return true;
    if (part !== undefined) bytes.copy(READ_BUFFER, 0, start, size);
    return part === undefined ? this.takeBody(start, size) : this.takeBody(0, size - start);
  }

  /** 100, 103 and their like: the answer follows. Nothing was offered to upgrade to. */
  private skipInterim(head: Head, bytes: Buffer, start: number, size: number): boolean {
    if (head.status === 101) throw new UnreadableAnswer("The answer switches to another protocol");
    bytes.copy(READ_BUFFER, 0, start, size);
    return size === start ? true : this.takeHead(size - start);
  }

  private takeBody(from: number, to: number): boolean {
    const { chunked, head } = this;
    if (chunked !== undefined) {
      chunked.decode(READ_BUFFER, from, to);
      const { start, stop, end } = chunked;
      const goesOn = stop === start || this.give(start, stop);
      if (!chunked.isOver || this.sink === undefined) return goesOn;
      return this.finish(end < to);
    }
    if (head?.framing === "close") return this.give(from, to);
    const count = Math.min(this.left, to - from);
    this.left -= count;
    const goesOn = this.give(from, from + count);
    return this.left > 0 || this.sink === undefined ? goesOn : this.finish(from + count < to);
  }

  private give(from: number, to: number): boolean {
    return this.sink?.onBytes(READ_BUFFER.subarray(from, to)) ?? false;
  }

  /** The answer is whole. `hasMore`: bytes came after it, so the server and we do not agree about where it ends. */
  private finish(hasMore: boolean): boolean {
    const { sink, head, socket } = this;
    this.sink = undefined;
    this.head = undefined;
    this.chunked = undefined;
    const isSent = !this.isUnsent && socket.writableLength === 0;
    const isFree = head?.isKept === true && !hasMore && isSent && !socket.destroyed;
    if (isFree) {
      this.owner.release(this, head.keptMs);
      // TLS gives out what it has decrypted after it was told to stop: a connection at rest would never hear of its next answer.
      socket.resume();
    } else socket.destroy();
    sink?.onEnd();
    return isFree;
  }

  private onSocketEnd(): void {
    if (this.head?.framing === "close" && this.sink !== undefined) this.finish(false);
  }

  private break(fault: unknown): void {
    this.fail(fault);
    this.socket.destroy();
  }

  private fail(fault: unknown): void {
    const { sink } = this;
    this.sink = undefined;
    sink?.onFault(fault);
  }
}

function open({ host, port, isTls }: Origin, onRead: (count: number) => boolean): Socket {
  const options = { host, port, noDelay: true, onread: { buffer: READ_BUFFER, callback: onRead } };
  if (!isTls) return connectPlain(options);
  return connectTls({ ...options, ALPNProtocols: ["http/1.1"], ...(isIP(host) === 0 && { servername: host }) });
}

function connectTimeout({ host, port }: Origin): Error {
  const message = `Connecting to ${host}:${port} timed out after ${CONNECT_MS / 1000} s`;
  return Object.assign(new Error(message), { code: "ETIMEDOUT" });
}

function closedEarly(): Error {
  return Object.assign(
    new Error("The endpoint closed the connection before its answer was complete: other side closed"),
    {
      code: "ECONNRESET",
    },
  );
}
