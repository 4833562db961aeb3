import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

const CHUNK_BYTES = 64 * 1024;

interface LineBatch {
  /** Without their line ends. */
  readonly lines: readonly string[];
  /** How many bytes of the file were read for it. */
  readonly bytes: number;
  /** How many lines turned out to be too long in it, and are cut. */
  readonly cut: number;
}

/** The lines of a file, as many at a time as come in one chunk. What is held is one chunk and one line at most. */
export async function* readLines(file: FileHandle, mostLineChars: number): AsyncGenerator<LineBatch> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const decoder = new StringDecoder("utf8");
  let position = 0;
  let open = "";
  let isCut = false;
  for (;;) {
    const { bytesRead: bytes } = await file.read(chunk, 0, CHUNK_BYTES, position);
    position += bytes;
    const text = bytes === 0 ? decoder.end() : decoder.write(chunk.subarray(0, bytes));
    const lines: string[] = [];
    let cut = 0;
    text.split("\n").forEach((piece, index) => {
      if (index > 0) {
        lines.push(open);
        open = "";
        isCut = false;
      }
      const isTooLong = open.length + piece.length > mostLineChars;
      if (isTooLong && !isCut) cut++;
      isCut ||= isTooLong;
      open = isTooLong ? open + piece.slice(0, mostLineChars - open.length) : open + piece;
    });
    if (bytes === 0 && open !== "") lines.push(open);
    yield { lines, bytes, cut };
    if (bytes === 0) return;
  }
}
