import type { Reading } from "../kernel/index.ts";
import type { Meaning, Said } from "./event-meaning.ts";
import { EventRun } from "./event-run.ts";
import { dataOf, errorOf, isOfAFormat, isPlainEvent, isSilent, rewriteEvent } from "./event-text.ts";
import { isFields, parseJson } from "./fields.ts";
import { joinBriefly, joinBytes } from "./join-bytes.ts";
import { lastEventEnd } from "./last-event-end.ts";
import { AnswerReader, isErrorEvent } from "./read-event.ts";
import { TokenLikeness } from "./token-likeness.ts";

/** Bytes of an answer that can be handed on together, and what they mean to the engine. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly reading: Reading;
  /** What they say, parsed, if the cutter was asked for it. */
  readonly events?: readonly unknown[];
}

export interface CutterOptions {
  /** Whether to keep what the pieces say. Default false. */
  readonly keepsEvents?: boolean;
  /** Hears of each unknown event: a sign of life of the connection. */
  readonly onIgnored?: () => void;
  /** As in `AnswerReader`. */
  readonly mayBeSilent?: (() => boolean) | undefined;
}

/** What the cutter may do with the bytes that it gets. */
interface Tenure {
  /** What is needed later. */
  keep(bytes: Uint8Array): Uint8Array;
  join(parts: readonly Uint8Array[]): Uint8Array;
}

const OWNED: Tenure = { keep: (bytes) => bytes, join: joinBytes };
const LENT: Tenure = { keep: (bytes) => new Uint8Array(bytes), join: joinBriefly };

const NO_BYTES = new Uint8Array(0);
const NO_PIECES: readonly Piece[] = [];
const NO_END: readonly number[] = [];
const LF = 10;
const encoder = new TextEncoder();
/** One for all: it keeps nothing between two texts. A byte order mark is to be seen, so that it can be left out. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** After the first content most events are tokens. Only those that may end or break the answer, or carry no token, are parsed. */
const TURNING =
  /finish_?[rR]eason"\s*:\s*"|\[DONE\]|"error"|_stop"|message_delta|response\.(?:completed|incomplete|failed)|arguments|partial_json/;
const TOKEN = /"(?:content|text|thinking|reasoning|reasoning_content|delta)"\s*:\s*"[^"]/;
/** An event this long is content unless it may end the answer. To parse it would take as long as to receive it. */
const MOST_CHARS = 1_000_000;
/** How often the form of a token is looked at, if it keeps changing. */
const MOST_LEARNT = 8;
/** More than any event: what is larger is a fault, such as a compressed bomb. */
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Cuts an answer that comes as server-sent events into pieces that end with an event. Bytes pass as they came. Left out is what
 * no client should see: what comes after the terminal marker, unknown events, and an error, which the engine judges. Line ends and
 * forms that some SDKs can't read are written anew.
 */
export class EventCutter {
  /** The terminal marker has come. */
  hasEnded = false;
  /** The terminal marker has come, and nothing counts after it. */
  isOver = false;
  private readonly reader: AnswerReader;
  private readonly keepsEvents: boolean;
  private readonly onIgnored: (() => void) | undefined;
  /** The bytes of an event that is not complete, and how they end. */
  private tail: Uint8Array[] = [];
  private tailBytes = 0;
  private tailEnd: readonly number[] = NO_END;
  private isCommitted = false;
  private token: TokenLikeness | undefined = undefined;
  private learnt = 0;
  private wantsToken = false;

  constructor({ keepsEvents = false, onIgnored, mayBeSilent }: CutterOptions = {}) {
    this.reader = new AnswerReader(mayBeSilent);
    this.keepsEvents = keepsEvents;
    this.onIgnored = onIgnored;
  }

  /** The pieces that these bytes complete. */
  push(bytes: Uint8Array): readonly Piece[] {
    return this.add(bytes, OWNED);
  }

  /**
   * The same for bytes that are the caller's: they are written over after the pieces were handed on. So may be those of the pieces, but
   * for what is held: all up to the first content, and answers of which content is required.
   */
  pushLent(bytes: Uint8Array): readonly Piece[] {
    return this.isCommitted && !this.keepsEvents ? this.add(bytes, LENT) : this.add(LENT.keep(bytes), OWNED);
  }

  private add(bytes: Uint8Array, tenure: Tenure): readonly Piece[] {
    if (this.isOver || bytes.length === 0) return NO_PIECES;
    if (this.tail.length === 0 && this.tailEnd === NO_END && this.isLikeToken(bytes))
      return [{ bytes, reading: "content" }];
    const end = lastEventEnd(bytes, this.tailEnd);
    if (end === 0) return this.keep(tenure.keep(bytes));
    const whole = end === bytes.length ? bytes : bytes.subarray(0, end);
    const complete = this.tail.length === 0 ? whole : tenure.join([...this.tail, whole]);
    this.keepRest(bytes, end, tenure);
    // Many tokens at a time, cut anywhere.
    if (complete !== bytes && this.isLikeToken(complete)) return [{ bytes: complete, reading: "content" }];
    return this.cut(complete);
  }

  private isLikeToken(bytes: Uint8Array): boolean {
    // A token is known only of an answer that has not ended, as far as its events say.
    return this.token !== undefined && !this.hasEnded && this.token.matches(bytes);
  }

  private keepRest(bytes: Uint8Array, end: number, tenure: Tenure): void {
    if (this.tail.length > 0) this.tail = [];
    const rest = end === bytes.length ? undefined : bytes.subarray(end);
    if (rest !== undefined) this.tail.push(tenure.keep(rest));
    this.tailBytes = rest?.length ?? 0;
    const isPlainEnd = rest === undefined && bytes[end - 1] === LF;
    this.tailEnd = isPlainEnd ? NO_END : [...bytes.subarray(-3)];
  }

  /** What is left when the body is over: the last event counts without its blank line, if it is whole. */
  end(): readonly Piece[] {
    const pieces = this.isOver || this.tail.length === 0 ? NO_PIECES : this.cutTail();
    if (this.hasEnded || !this.reader.mayHaveEnded) return pieces;
    this.hasEnded = true;
    return [...pieces, { bytes: NO_BYTES, reading: "end" }];
  }

  private cutTail(): readonly Piece[] {
    const text = decoder.decode(joinBytes(this.tail)).trimEnd();
    this.tail = [];
    const data = dataOf(`${text}\n\n`);
    const isWhole = data.trim() === "[DONE]" || parseJson(data) !== undefined;
    if (isWhole) return this.cut(encoder.encode(`${text}\n\n`));
    // No event at all: an error that is sent as a stream because one was asked for.
    const value = this.hasEnded ? undefined : parseJson(text);
    return isFields(value) && isErrorEvent(value) ? [{ bytes: NO_BYTES, reading: { problem: value } }] : NO_PIECES;
  }

  private keep(bytes: Uint8Array): readonly Piece[] {
    this.tail.push(bytes);
    this.tailBytes += bytes.length;
    this.tailEnd = [...this.tailEnd, ...bytes.subarray(-3)].slice(-3);
    if (this.tailBytes <= MOST_BYTES) return NO_PIECES;
    this.tail = [];
    this.tailBytes = 0;
    return [{ bytes: NO_BYTES, reading: broken(`An event of the stream is larger than ${MOST_BYTES} bytes`) }];
  }

  private cut(bytes: Uint8Array): readonly Piece[] {
    const text = decoder.decode(bytes);
    // Most chunks are one token.
    if (this.isToken(text) && text.indexOf("\n\n") === text.length - 2 && isPlainEvent(text))
      return this.passToken(bytes);
    this.wantsToken = this.learnt < MOST_LEARNT;
    const run = new EventRun(bytes, this.keepsEvents);
    for (const event of text.includes("\r") ? text.split(/(?<=(?:\r\n|\n|\r(?!\n)){2})/) : splitPlain(text)) {
      const problem = this.isOver ? run.leaveOut() : this.take(event, run);
      if (problem === undefined) continue;
      run.leaveOut();
      return [...run.pieces(), { bytes: NO_BYTES, reading: problem }];
    }
    return run.pieces();
  }

  /** The next ones are most likely of the same form. Where they are not, there is no end to learning. */
  private passToken(bytes: Uint8Array): readonly Piece[] {
    if (this.learnt < MOST_LEARNT) this.learn(bytes);
    return [{ bytes, reading: "content" }];
  }

  private learn(token: Uint8Array): void {
    this.token = TokenLikeness.of(token);
    this.learnt += 1;
    this.wantsToken = false;
  }

  /** Adds one event to the run. Returns a problem, which ends it. */
  private take(event: string, run: EventRun): Extract<Reading, object> | undefined {
    if (isSilent(event)) return run.add(event, "noise", { isAsItCame: true });
    const data = dataOf(event);
    // Data with an empty value is nothing, and some SDKs would parse it.
    if (data.trim() === "") return this.takeError(event) ?? run.leaveOut();
    const meaning = this.meaningOf(event, data, run);
    // After the terminal marker nothing can break any more.
    if (typeof meaning === "object") return this.hasEnded ? run.leaveOut() : meaning;
    const reading = this.readingOf(meaning);
    if (meaning === "unknown") this.onIgnored?.();
    if (reading === undefined) return run.leaveOut();
    const isPlain = isPlainEvent(event);
    if (this.wantsToken && isPlain && event.indexOf("\n\n") === event.length - 2 && this.isToken(event))
      this.learn(encoder.encode(event));
    return run.add(isPlain ? event : rewriteEvent(event), reading, { isAsItCame: isPlain });
  }

  private takeError(event: string): Extract<Reading, object> | undefined {
    const error = this.hasEnded ? undefined : errorOf(event);
    return error === undefined ? undefined : { problem: { error } };
  }

  private meaningOf(event: string, data: string, run: EventRun): Meaning {
    if (this.isToken(event)) return "content";
    if (data.trim() === "[DONE]") return "last";
    if (data.length > MOST_CHARS && !this.keepsEvents && !TURNING.test(data)) return "content";
    const value = parseJson(data);
    if (value === undefined)
      return isOfAFormat(event) ? broken(`An event of the stream is no JSON: ${data.slice(0, 500)}`) : "unknown";
    run.keep(value);
    return this.reader.read(value);
  }

  private isToken(event: string): boolean {
    if (!this.isCommitted || this.keepsEvents || this.hasEnded || this.reader.mayHaveEnded) return false;
    return TOKEN.test(event) && !TURNING.test(event);
  }

  /** Undefined: the event is left out. */
  private readingOf(meaning: Exclude<Meaning, object>): Said | undefined {
    const { hasEnded } = this;
    switch (meaning) {
      case "unknown":
        return undefined;
      case "last":
      case "content-last":
        this.isOver = this.hasEnded = true;
        if (hasEnded) return "noise";
        return meaning === "last" ? "end" : "content-end";
      case "end":
      case "content-end":
        this.hasEnded = true;
        return hasEnded ? undefined : meaning;
      case "content":
        this.isCommitted = true;
        return hasEnded ? undefined : meaning;
      case "life":
      case "noise":
        return hasEnded ? "noise" : meaning;
      default:
        return meaning satisfies never;
    }
  }
}

function broken(message: string): Extract<Reading, object> {
  return { problem: { code: "stream_broken", message } };
}

function splitPlain(text: string): readonly string[] {
  const events: string[] = [];
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf("\n\n", from);
    const end = at === -1 ? text.length : at + 2;
    events.push(text.slice(from, end));
    from = end;
  }
  return events;
}
