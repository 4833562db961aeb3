import {
  type ByteReader,
  EventCutter,
  EventPieces,
  joinBytes,
  type Piece,
  type PiecesOptions,
  parseJson,
  readAnswer,
} from "../../formats/index.ts";
import type { Ports, Reading } from "../../kernel/index.ts";
import { AnswerError } from "../../library/answer-error.ts";
import { headersOf } from "./refusal.ts";
import type { HeaderList, Incoming } from "./transport/index.ts";

/** An answer that has come as one JSON value, in one piece. */
export interface WholeAnswer extends Piece {
  readonly text: string;
  /** Undefined: it is no JSON. */
  readonly value: unknown;
  /** The text was made a stream, because one was asked for. */
  readonly isStream?: true;
}

/** Where an answer comes from. */
interface WholeSource {
  readonly response: Incoming;
  /** Whether to keep what the answer says, for required content. */
  readonly keepsEvents: boolean;
}

/** The same for an answer that is to be streamed. */
export interface AnswerSource extends WholeSource {
  /** Whether the caller looks for events, and for nothing else. */
  readonly wantsEvents: boolean;
  /** As in `AnswerReader`. */
  readonly mayBeSilent: () => boolean;
  readonly ports: Ports;
}

/** More than any answer: what is larger is a fault, such as a compressed bomb. */
const MOST_BYTES = 256 * 1024 * 1024;
const EVENTS = /^\s*\uFEFF?(?:data|event|id|retry)?:/;

/** The answer to a request for a stream: the pieces of one, or one piece, for some servers do not stream all that is asked for. */
export async function answerPieces(source: AnswerSource): Promise<AsyncIterable<Piece | WholeAnswer>> {
  const { body, headers } = source.response;
  const reader = body?.getReader();
  if (reader !== undefined && isEventStream(headers)) return new EventPieces(reader, optionsFor(source));
  const first = await reader?.read();
  if (reader === undefined || first === undefined || first.done) return new OnePiece(judgeWhole("", source));
  // It is a stream even if its content type does not say so.
  if (EVENTS.test(new TextDecoder().decode(first.value.subarray(0, 16))))
    return new EventPieces(reader, optionsFor(source), first.value);
  return new OnePiece(await streamed(judgeWhole(await readAll(reader, first.value), source), source));
}

async function streamed(answer: WholeAnswer, { wantsEvents }: AnswerSource): Promise<WholeAnswer> {
  if (!wantsEvents || typeof answer.reading === "object") return answer;
  // Loaded here: few servers need it, and a bundle has it in a file of its own.
  const { asEvents } = await import("../../formats/as-events.ts");
  const text = asEvents(answer.value);
  return text === undefined ? answer : { ...answer, text, value: undefined, isStream: true };
}

/** The answer to a request for one JSON value. */
export async function readWhole(source: WholeSource): Promise<WholeAnswer> {
  const { response } = source;
  const { body, headers } = response;
  // Only what is compressed can grow beyond what was sent.
  if (!headers.has("content-encoding")) return judgeWhole(await response.text(), source);
  const reader = body?.getReader();
  const first = await reader?.read();
  const isEmpty = reader === undefined || first === undefined || first.done;
  return judgeWhole(isEmpty ? "" : await readAll(reader, first.value), source);
}

function isEventStream(headers: HeaderList): boolean {
  return headers.get("content-type")?.includes("event-stream") === true;
}

function optionsFor({ response, keepsEvents, ports, mayBeSilent }: AnswerSource): PiecesOptions {
  return { keepsEvents, ports, mayBeSilent, judge: (reading) => judged(reading, response) };
}

async function readAll(reader: ByteReader, first: Uint8Array): Promise<string> {
  const chunks = [first];
  let bytes = first.length;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    bytes += next.value.length;
    if (bytes <= MOST_BYTES) continue;
    void reader.cancel().catch(() => undefined);
    throw new AnswerError({ code: "stream_broken", message: `The answer is larger than ${MOST_BYTES} bytes` }, {});
  }
  return new TextDecoder().decode(joinBytes(chunks));
}

const NO_BYTES = new Uint8Array(0);

function judgeWhole(text: string, { response, keepsEvents }: WholeSource): WholeAnswer {
  const value = parseJson(text);
  const reading = judged(value === undefined ? readEvents(text) : readAnswer(value, text), response);
  return { bytes: NO_BYTES, reading, text, value, ...(keepsEvents && { events: [value] }) };
}

/** No JSON: a page, or events that were not asked for, which some servers send anyway. */
function readEvents(text: string): Reading {
  if (!EVENTS.test(text.slice(0, 16))) return readAnswer(undefined, text);
  const cutter = new EventCutter();
  const pieces = [...cutter.push(new TextEncoder().encode(text)), ...cutter.end()];
  const broken = pieces.find(({ reading }) => typeof reading === "object");
  if (broken !== undefined) return broken.reading;
  return cutter.hasEnded ? "content-end" : readAnswer(undefined, text);
}

function judged(reading: Reading, response: Incoming): Reading {
  return typeof reading === "object" ? { problem: new AnswerError(reading.problem, headersOf(response)) } : reading;
}

class OnePiece implements AsyncIterable<WholeAnswer>, AsyncIterator<WholeAnswer> {
  private piece: WholeAnswer | undefined;

  constructor(piece: WholeAnswer) {
    this.piece = piece;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<WholeAnswer, undefined>> {
    const { piece } = this;
    this.piece = undefined;
    return Promise.resolve(piece === undefined ? { done: true, value: undefined } : { done: false, value: piece });
  }
}
