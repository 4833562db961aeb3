import { type CallingSource, type Ports, PULL, type Reading, type Sleeper } from "../kernel/index.ts";
import { EventCutter, type Piece } from "./event-cutter.ts";

/** Where bytes come from: the reader of a web stream is one. */
export interface ByteReader {
  read(): Promise<ByteRead>;
  /**
   * The same without a promise. Calls back once, never at once. The bytes are lent: they are written over after `onRead` has returned.
   * Absent: only by promises.
   */
  take?(onRead: (read: ByteRead) => void, onFault: (fault: unknown) => void): void;
  /** Gives up the rest, which closes the connection. */
  cancel(): Promise<unknown>;
}

export type ByteRead = { readonly done: false; readonly value: Uint8Array } | { readonly done: true };

export interface PiecesOptions {
  /** Whether to keep what the pieces say, for required content. */
  readonly keepsEvents: boolean;
  readonly ports: Ports;
  /** As in `AnswerReader`. */
  readonly mayBeSilent: () => boolean;
  /** Adds to a problem what came with the answer: its headers. */
  readonly judge: (reading: Extract<Reading, object>) => Reading;
}

type Step = IteratorResult<Piece, undefined>;

const DONE: Step = { done: true, value: undefined };
const NONE: readonly Piece[] = [];
/** After the terminal marker usage may come; the end of the body is due at once. A server that holds on to it is left. */
const GOODBYE_MS = 2000;
/** The consumer is not kept waiting for longer than this. */
const END_MS = 20;

/** Reads an event stream piece by piece, and leaves it soon after its terminal marker. */
export class EventPieces implements AsyncIterable<Piece>, CallingSource<Piece> {
  private readonly reader: ByteReader;
  private readonly judge: PiecesOptions["judge"];
  private readonly ports: Ports;
  private readonly cutter: EventCutter;
  /** What was read to find out that these are events. */
  private first: Uint8Array | undefined;
  private ready: readonly Piece[] = NONE;
  private place = 0;
  private isDone = false;
  /** Not put off by what comes after the terminal marker, which may have no end. */
  private leaveAtMs: number | undefined = undefined;
  private onItem: ((step: Step) => void) | undefined = undefined;
  private onProblem: ((problem: unknown) => void) | undefined = undefined;

  constructor(reader: ByteReader, { judge, keepsEvents, mayBeSilent, ports }: PiecesOptions, first?: Uint8Array) {
    this.reader = reader;
    this.judge = judge;
    this.ports = ports;
    this.cutter = new EventCutter({ keepsEvents, mayBeSilent });
    this.first = first;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Step> {
    const piece = this.ready[this.place];
    return piece === undefined ? this.readMore() : Promise.resolve(this.give(piece));
  }

  [PULL](onItem: (step: Step) => void, onProblem: (problem: unknown) => void): void {
    const { cutter, reader } = this;
    // What comes next is told by the next bytes alone: nearly always so.
    const isPlain =
      this.ready[this.place] === undefined && !this.isDone && !cutter.hasEnded && this.first === undefined;
    if (!isPlain || reader.take === undefined) return void this.next().then(onItem, onProblem);
    this.onItem = onItem;
    this.onProblem = onProblem;
    reader.take(this.onRead, onProblem);
  }

  private readonly onRead = (read: ByteRead): void => {
    const { onItem, onProblem } = this;
    if (onItem === undefined || onProblem === undefined) return;
    this.load(read, "lent");
    // Only the first one has bytes, and they are used up when this returns.
    const [piece] = this.ready;
    if (piece === undefined) this[PULL](onItem, onProblem);
    else onItem(this.give(piece));
  };

  /** Frees the connection. */
  async return(): Promise<Step> {
    this.isDone = true;
    await this.reader.cancel().catch(() => undefined);
    return DONE;
  }

  private give(piece: Piece): Step {
    this.place += 1;
    const { reading } = piece;
    return {
      done: false,
      value: typeof reading === "object" ? { ...piece, reading: this.judge(reading) } : piece,
    };
  }

  // Not an async function: one promise for each piece, not three.
  private readMore(): Promise<Step> {
    if (this.isDone) return Promise.resolve(DONE);
    if (this.cutter.isOver) return this.leave();
    const { first } = this;
    if (first !== undefined) {
      this.first = undefined;
      return Promise.resolve({ done: false as const, value: first }).then(this.take);
    }
    if (!this.cutter.hasEnded) return this.reader.read().then(this.take);
    this.leaveAtMs ??= this.ports.now() + GOODBYE_MS;
    return readUntil(this.reader, this.leaveAtMs, this.ports).then(this.take);
  }

  private readonly take = (read: ByteRead | "late"): Step | Promise<Step> => {
    if (read === "late") return this.leave();
    if (this.leaveAtMs !== undefined && this.ports.now() >= this.leaveAtMs) return this.leave();
    this.load(read, "owned");
    const [piece] = this.ready;
    return piece === undefined ? this.readMore() : this.give(piece);
  };

  private load(read: ByteRead, tenure: "lent" | "owned"): void {
    const { cutter } = this;
    if (read.done) {
      this.isDone = true;
      this.ready = cutter.end();
    } else this.ready = tenure === "lent" ? cutter.pushLent(read.value) : cutter.push(read.value);
    this.place = 0;
  }

  /** All has been said. The end of the body is due at once: read, it frees the connection for the next request. */
  private leave(): Promise<Step> {
    this.isDone = true;
    return readUntil(this.reader, this.ports.now() + END_MS, this.ports).then((read) => {
      if (read === "late" || !read.done) void letEnd(this.reader, this.ports);
      return DONE;
    });
  }
}

/** Ends a wait for the next bytes, unless they come in time. */
class Goodbye implements Sleeper {
  wakeAtMs = 0;
  slot = -1;
  readonly wake: () => void;

  constructor(wake: () => void) {
    this.wake = wake;
  }
}

/** The terminal marker was seen: a fault that comes now is no loss, and what does not come in time is not waited for. */
function readUntil(reader: ByteReader, leaveAtMs: number, ports: Ports): Promise<ByteRead | "late"> {
  return new Promise((resolve) => {
    const limit = new Goodbye(() => resolve("late"));
    ports.sleep(limit, Math.max(0, leaveAtMs - ports.now()));
    const end = (read: ByteRead | "late"): void => {
      ports.rouse(limit);
      resolve(read);
    };
    reader.read().then(end, () => end("late"));
  });
}

/** Reads to the end, so that the connection can be used again. A server that holds on to it is left. */
async function letEnd(reader: ByteReader, ports: Ports): Promise<void> {
  const leaveAtMs = ports.now() + GOODBYE_MS;
  let next = await readUntil(reader, leaveAtMs, ports);
  while (next !== "late" && !next.done && ports.now() < leaveAtMs) next = await readUntil(reader, leaveAtMs, ports);
  if (next === "late" || !next.done) await reader.cancel().catch(() => undefined);
}
