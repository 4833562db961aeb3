import type { Piece } from "../../formats/index.ts";
import { type Receipt, receiptHeaders, type StreamGeneration, type Waiter } from "../../kernel/index.ts";
import { receiptOf as receiptOfError } from "../../library/secondwind-error.ts";
import type { WholeAnswer } from "./answer-pieces.ts";
import { holdResponse } from "./held-response.ts";

interface Receipted {
  readonly receipt: Receipt;
}

/** Where a response has its generation. Not a `WeakMap`: one entry for each call costs the collector more than the call costs us. */
const GENERATION = Symbol("generation");

/** The receipt of a response of ours, or of an error that was thrown instead. Of a stream it is final once the stream has ended. */
export function receiptOf(answer: unknown): Receipt | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  return (answer as { [GENERATION]?: Receipted })[GENERATION]?.receipt ?? receiptOfError(answer);
}

export function keepReceipt(response: Response, generation: Receipted): Response {
  return Object.assign(response, { [GENERATION]: generation });
}

/**
 * Where servers are written in `Response`s (workers, Deno, Bun), the runtime reads a response past its methods: there it has to be a
 * plain one. Node's own HTTP server knows no `Response`.
 */
const IS_NODE =
  typeof process === "object" && process.release?.name === "node" && !("Bun" in globalThis) && !("Deno" in globalThis);

/** The answer: what came, with the receipt in its headers. */
export function toResponse(from: Response, body: Response["body"], generation: Receipted): Response {
  return finish(new Response(body, initOf(from, generation)), from, generation);
}

export function toWholeResponse(from: Response, { text, value }: WholeAnswer, generation: Receipted): Response {
  const init = initOf(from, generation);
  return finish(IS_NODE ? holdResponse(text, value, init) : new Response(text, init), from, generation);
}

function initOf({ status, statusText, headers }: Response, { receipt }: Receipted): ResponseInit {
  const copy = new Headers(headers);
  const more = receiptHeaders(receipt);
  for (const name in more) copy.set(name, more[name] as string);
  return { status, statusText, headers: copy };
}

function finish(response: Response, { url }: Response, generation: Receipted): Response {
  Object.defineProperty(response, "url", { value: url, configurable: true });
  return keepReceipt(response, generation);
}

/** A body that hands the pieces on, from the first one. An answer that breaks ends in the generation's error, never cleanly. */
export function bodyOf(first: Uint8Array, generation: StreamGeneration<Piece>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(new PieceRelay(first, generation), { highWaterMark: 0 });
}

/** Gives a generation's pieces to the reader of a stream, one for each that it asks for. */
class PieceRelay {
  private held: Uint8Array | undefined;
  private readonly generation: StreamGeneration<Piece>;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined = undefined;
  /** Made once for all pieces. */
  private readonly take: Waiter<Piece> = (result) => {
    if ("then" in result) result.then(undefined, (error) => this.controller?.error(error));
    else if (result.done === true) this.controller?.close();
    else this.controller?.enqueue(result.value.bytes);
  };

  constructor(first: Uint8Array, generation: StreamGeneration<Piece>) {
    this.held = first;
    this.generation = generation;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller;
  }

  /** Returns nothing: the stream is told by what is put into it, which spares it a promise for each piece. */
  pull(): void {
    const { held } = this;
    if (held === undefined) return this.generation.read(this.take);
    this.held = undefined;
    this.controller?.enqueue(held);
  }

  async cancel(): Promise<void> {
    this.controller = undefined;
    await this.generation.return();
  }
}
