import { pipeline, type Readable } from "node:stream";

/** The body as it was before it was compressed. We do not ask for that; some servers and proxies do it all the same. */
export async function decoded(body: Readable, encoding: string | null): Promise<Readable> {
  if (encoding === null || !/^(?:x-)?(?:gzip|deflate|br)$/i.test(encoding)) return body;
  const { createBrotliDecompress, createUnzip, constants } = await import("node:zlib");
  const decoder = /br/i.test(encoding)
    ? createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
    : // Events are due when they come, not when a block is full.
      createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
  // Whatever goes wrong destroys both, and is told by the decoder.
  return pipeline(body, decoder, () => undefined);
}
