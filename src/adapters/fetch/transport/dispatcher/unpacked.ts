import type { Transform } from "node:stream";
import type { ByteRead, ByteReader } from "../../../../formats/index.ts";

/** As many as `fetch` takes. */
const MOST_CODINGS = 5;

type Make = (first: Uint8Array) => Transform;

/** The bytes of an answer without the packing that its headers name. What is packed in an unknown way is left as it is. */
export function unpacked(source: ByteReader, contentEncoding: string): ByteReader {
  const codings = contentEncoding.toLowerCase().split(",").reverse();
  if (codings.length > MOST_CODINGS) return new TooMany(source, codings.length);
  const makers = codings.map((coding) => makerOf(coding.trim()));
  if (makers.includes(undefined)) return source;
  return makers.reduce<ByteReader>((reader, make) => new Unpacked(reader, make as Make), source);
}

/** As lenient as `fetch` is: what a server has cut off at the end is taken for the whole. */
function makerOf(coding: string): Make | undefined {
  // Not imported: this folder is part of bundles for browsers too, where it is never called.
  const zlib = process.getBuiltinModule("node:zlib");
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const options = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
  switch (coding) {
    case "gzip":
    case "x-gzip":
      return () => zlib.createGunzip(options);
    case "deflate":
      // Some servers leave the frame around it out.
      return (first) => (((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(options) : zlib.createInflateRaw(options));
    case "br":
      return () => zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH });
    case "zstd":
      return "createZstdDecompress" in zlib ? (zlib.createZstdDecompress as () => Transform) : undefined;
    default:
      return undefined;
  }
}

/** Reads through a decoder, which reads no further ahead than it must. */
class Unpacked implements ByteReader {
  private readonly source: ByteReader;
  private readonly make: Make;
  private decoder: Transform | undefined = undefined;
  private pieces: AsyncIterator<Uint8Array> | undefined = undefined;
  /** What the connection itself failed with. */
  private problem: { readonly error: unknown } | undefined = undefined;

  constructor(source: ByteReader, make: Make) {
    this.source = source;
    this.make = make;
  }

  async read(): Promise<ByteRead> {
    try {
      this.pieces ??= await this.open();
      const next = await this.pieces?.next();
      return next === undefined || next.done === true ? { done: true } : { done: false, value: next.value };
    } catch (cause) {
      if (this.problem !== undefined) throw this.problem.error;
      await this.source.cancel();
      throw new TypeError("terminated", { cause });
    }
  }

  async cancel(): Promise<void> {
    await this.source.cancel();
    this.decoder?.destroy();
  }

  /** Undefined: there are no bytes at all, which a decoder would complain of. */
  private async open(): Promise<AsyncIterator<Uint8Array> | undefined> {
    const first = await this.pull();
    if (first.done) return undefined;
    const decoder = this.make(first.value);
    this.decoder = decoder;
    // A reader hears of it; one that has left must not end the process.
    decoder.on("error", () => undefined);
    const pieces = decoder[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    this.feed(decoder, first.value).catch((error) => decoder.destroy(error as Error));
    return pieces;
  }

  private async feed(decoder: Transform, first: Uint8Array): Promise<void> {
    for (let next: ByteRead = { done: false, value: first }; !next.done; next = await this.pull()) {
      if (!decoder.write(next.value)) await roomIn(decoder);
      if (decoder.destroyed) return;
    }
    decoder.end();
  }

  private async pull(): Promise<ByteRead> {
    try {
      return await this.source.read();
    } catch (error) {
      this.problem = { error };
      throw error;
    }
  }
}

function roomIn(decoder: Transform): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      decoder.off("drain", go);
      decoder.off("close", go);
      resolve();
    };
    decoder.on("drain", go);
    decoder.on("close", go);
  });
}

class TooMany implements ByteReader {
  private readonly source: ByteReader;
  private readonly count: number;

  constructor(source: ByteReader, count: number) {
    this.source = source;
    this.count = count;
  }

  async read(): Promise<ByteRead> {
    await this.source.cancel();
    throw new TypeError("fetch failed", { cause: new Error(`too many content-encodings in response: ${this.count}`) });
  }

  cancel(): Promise<unknown> {
    return this.source.cancel();
  }
}
