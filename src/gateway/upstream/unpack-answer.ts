import { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { ByteRead, ByteReader } from "../../formats/index.ts";
import { AnswerError } from "../../library/answer-error.ts";
import { linesOf, pairsIn } from "./header-lines.ts";
import { type Head, plainHead } from "./read-head.ts";
import type { UpstreamAnswer } from "./upstream-call.ts";
import { MOST_BYTES, type WholeAnswer } from "./whole-call.ts";

const DECODERS = { gzip: createGunzip, "x-gzip": createGunzip, deflate: createInflate, br: createBrotliDecompress };
/** What is no longer true of the bytes. */
const OF_THE_PACKING: ReadonlySet<string> = new Set(["content-encoding", "content-length"]);

/**
 * An endpoint is asked not to compress, and some do it all the same. Such an answer is unpacked, because it can't be judged
 * otherwise, and passed on unpacked, which every client understands. One that is packed in an unknown way is a fault.
 */
export function unpacked(answer: UpstreamAnswer): UpstreamAnswer {
  const { head, body } = answer;
  return head.packing === "" ? answer : { head: plain(head), body: readerOf(body, head.packing) };
}

/** The same for an answer that was received to its end. What can be read of a refusal is enough to judge it by. */
export async function unpackedWhole({ head, body }: WholeAnswer): Promise<WholeAnswer> {
  const reader = readerOf(oneRead(body), head.packing);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      bytes += next.value.length;
      if (bytes > MOST_BYTES) throw broken(`The answer is larger than ${MOST_BYTES} bytes`);
    }
  } catch (fault) {
    await reader.cancel();
    if (head.status < 300) throw fault;
  }
  return { head: plain(head), body: Buffer.concat(chunks) };
}

function plain(head: Head): Head {
  const passed = linesOf(withoutPacking(pairsIn(head.passed)));
  return { ...plainHead(head), rawHeaders: withoutPacking(head.rawHeaders), passed, packing: "" };
}

function withoutPacking(headers: readonly string[]): readonly string[] {
  return headers.filter((_, at) => !OF_THE_PACKING.has((headers[at - (at % 2)] as string).toLowerCase()));
}

function readerOf(body: ByteReader, packing: string): ByteReader {
  return Object.hasOwn(DECODERS, packing)
    ? new Unpacked(body, packing as keyof typeof DECODERS)
    : new Unreadable(body, packing);
}

function oneRead(bytes: Buffer): ByteReader {
  let isRead = bytes.length === 0;
  const read = async (): Promise<ByteRead> => {
    if (isRead) return { done: true };
    isRead = true;
    return { done: false, value: bytes };
  };
  return { read, cancel: () => Promise.resolve() };
}

/** Reads through a decoder, which reads no further ahead than it must. */
class Unpacked implements ByteReader {
  private readonly source: ByteReader;
  private readonly packing: string;
  private readonly pieces: AsyncIterator<Buffer>;
  /** What the connection itself failed with. */
  private problem: { readonly error: unknown } | undefined;

  constructor(source: ByteReader, packing: keyof typeof DECODERS) {
    this.source = source;
    this.packing = packing;
    const decoder = DECODERS[packing]();
    const packed = Readable.from(this.packed(), { objectMode: false, highWaterMark: 16_384 });
    packed.on("error", (fault) => decoder.destroy(fault));
    decoder.on("close", () => packed.destroy());
    this.pieces = packed.pipe(decoder)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async read(): Promise<ByteRead> {
    try {
      const { done, value } = await this.pieces.next();
      return done === true ? { done: true } : { done: false, value };
    } catch (fault) {
      if (this.problem !== undefined) throw this.problem.error;
      const what = fault instanceof Error ? fault.message : String(fault);
      throw broken(`The answer can't be unpacked (${this.packing}): ${what}`);
    }
  }

  async cancel(): Promise<void> {
    await this.source.cancel();
    // Does not wait for a read that is under way.
    void this.pieces.return?.().catch(() => undefined);
  }

  private async *packed(): AsyncGenerator<Uint8Array> {
    try {
      for (let next = await this.source.read(); !next.done; next = await this.source.read()) yield next.value;
    } catch (error) {
      this.problem = { error };
      throw error;
    }
  }
}

class Unreadable implements ByteReader {
  private readonly source: ByteReader;
  private readonly packing: string;

  constructor(source: ByteReader, packing: string) {
    this.source = source;
    this.packing = packing;
  }

  async read(): Promise<ByteRead> {
    await this.source.cancel();
    throw broken(`The answer is packed in an unknown way: content-encoding ${this.packing.slice(0, 40)}`);
  }

  cancel(): Promise<unknown> {
    return this.source.cancel();
  }
}

function broken(message: string): AnswerError {
  return new AnswerError({ code: "stream_broken", message }, {});
}
