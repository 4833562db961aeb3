import { constants, createBrotliDecompress, createUnzip } from "node:zlib";

/** Events are due when they come, not when a block is full. */
export function brotli(): ReturnType<typeof createBrotliDecompress> {
  return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
}

/** For gzip as well as for deflate. */
export function unzip(): ReturnType<typeof createUnzip> {
  return createUnzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH });
}
