import { EventCutter, joinBytes, type Piece, parseJson, readAnswer } from "../../formats/index.ts";
import type { Reading } from "../../kernel/index.ts";
import { AnswerError } from "./answer-error.ts";
import { headersOf } from "./refusal.ts";

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = Awaited<ReturnType<Reader["read"]>>;

export interface AnswerOptions {
  /** The request asked for a stream: what comes is one even if its content type does not say so. */
  readonly isStreaming: boolean;
  /** Whether to keep what the pieces say, for required content. */
  readonly keepsEvents: boolean;
}

/** More than any answer: what is larger is a fault, such as a compressed bomb. */
const MOST_BYTES = 256 * 1024 * 1024;
/** A longer JSON value is not parsed, unless it is to be searched for required content: that would double the work of the caller. */
const MOST_PARSED = 262_144;
/** After the terminal marker usage may come; the end of the body is due at once. A server that holds on to it is left. */
const GOODBYE_MS = 2000;
const EVENTS = /^\s*(?:\uFEFF)?(?:data|event|id|retry)?:/;

/** The answer as the engine reads it: pieces of an event stream, or one piece with all of it. */
export interface AnswerPieces {
  readonly pieces: AsyncIterable<Piece>;
  readonly isWhole: boolean;
}

export async function answerPieces(response: Response, options: AnswerOptions): Promise<AnswerPieces> {
  const reader = response.body?.getReader() as Reader | undefined;
  const type = response.headers.get("content-type") ?? "";
  if (reader !== undefined && type.includes("event-stream")) {
    return { pieces: new EventPieces(reader, response, options), isWhole: false };
  }
  const first = reader === undefined ? undefined : await reader.read();
  if (reader === undefined || first === undefined || first.done) {
    return { pieces: wholePiece([], response, options), isWhole: true };
  }
  if (options.isStreaming && EVENTS.test(new TextDecoder().decode(first.value.subarray(0, 16))))
    return { pieces: new EventPieces(reader, response, options, first.value), isWhole: false };
  return { pieces: wholePiece(await readAll(reader, first.value), response, options), isWhole: true };
}

async function readAll(reader: Reader, first: Uint8Array): Promise<readonly Uint8Array[]> {
  const chunks = [first];
  let bytes = first.length;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    bytes += next.value.length;
    if (bytes <= MOST_BYTES) continue;
    void reader.cancel().catch(() => undefined);
    throw new AnswerError({ code: "stream_broken", message: `The answer is larger than ${MOST_BYTES} bytes` }, {});
  }
  return chunks;
}

async function* wholePiece(
  chunks: readonly Uint8Array[],
  response: Response,
  { keepsEvents }: AnswerOptions,
): AsyncGenerator<Piece> {
  const bytes = joinBytes(chunks);
  if (bytes.length > MOST_PARSED && !keepsEvents && isObject(bytes)) {
    yield { bytes, reading: "content-end" };
    return;
  }
  const text = new TextDecoder().decode(bytes);
  const value = parseJson(text);
  const reading = judged(readAnswer(value, text), response);
  yield keepsEvents ? { bytes, reading, events: [value] } : { bytes, reading };
}

/** Whether the bytes are the beginning and the end of a JSON object. */
function isObject(bytes: Uint8Array): boolean {
  const ends = new TextDecoder().decode(joinBytes([bytes.subarray(0, 200), bytes.subarray(-20)])).trim();
  return ends.startsWith("{") && ends.endsWith("}") && !/^\{\s*"error"/.test(ends);
}

function judged(reading: Reading, response: Response): Reading {
  return typeof reading === "object" ? { problem: new AnswerError(reading.problem, headersOf(response)) } : reading;
}

/** Reads an event stream piece by piece, and leaves it soon after its terminal marker. */
class EventPieces implements AsyncIterable<Piece>, AsyncIterator<Piece> {
  private readonly reader: Reader;
  private readonly response: Response;
  private readonly cutter: EventCutter;
  private first: Uint8Array | undefined;
  private ready: readonly Piece[] = [];
  private place = 0;
  private isDone = false;

  constructor(reader: Reader, response: Response, { keepsEvents }: AnswerOptions, first?: Uint8Array) {
    this.reader = reader;
    this.response = response;
    this.cutter = new EventCutter({ keepsEvents });
    this.first = first;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Piece, undefined>> {
    for (;;) {
      const piece = this.ready[this.place];
      if (piece !== undefined) {
        this.place += 1;
        return { done: false, value: this.withHeaders(piece) };
      }
      if (this.isDone) return { done: true, value: undefined };
      this.ready = await this.readMore();
      this.place = 0;
    }
  }

  /** Frees the connection. */
  async return(): Promise<IteratorResult<Piece, undefined>> {
    this.isDone = true;
    await this.reader.cancel().catch(() => undefined);
    return { done: true, value: undefined };
  }

  private async readMore(): Promise<readonly Piece[]> {
    const { cutter } = this;
    if (cutter.isOver) return this.leave();
    const next = await this.readChunk();
    if (next === "late") return this.leave();
    if (!next.done) return cutter.push(next.value);
    this.isDone = true;
    return cutter.end();
  }

  private readChunk(): Promise<Read | "late"> {
    const { first } = this;
    if (first !== undefined) {
      this.first = undefined;
      return Promise.resolve({ done: false, value: first });
    }
    return this.cutter.hasEnded ? withinGoodbye(this.reader) : this.reader.read();
  }

  private leave(): readonly Piece[] {
    this.isDone = true;
    void letEnd(this.reader);
    return [];
  }

  private withHeaders(piece: Piece): Piece {
    return typeof piece.reading === "object" ? { ...piece, reading: judged(piece.reading, this.response) } : piece;
  }
}

/** The terminal marker was seen: a fault that comes now is no loss. */
async function withinGoodbye(reader: Reader): Promise<Read | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, GOODBYE_MS, "late");
  });
  const next = await Promise.race([reader.read().catch(() => "late" as const), late]);
  clearTimeout(timer);
  return next;
}

/** Reads to the end, so that the connection can be used again. A server that holds on to it is left. */
async function letEnd(reader: Reader): Promise<void> {
  const leaveAt = performance.now() + GOODBYE_MS;
  let next = await withinGoodbye(reader);
  while (next !== "late" && !next.done && performance.now() < leaveAt) next = await withinGoodbye(reader);
  await reader.cancel().catch(() => undefined);
}
