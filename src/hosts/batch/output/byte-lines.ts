const NEWLINE = 0x0a;

export interface ByteLine {
  readonly text: string;
  readonly startByte: number;
  /** Behind the newline. */
  readonly endByte: number;
}

/** The whole lines of a stream of bytes and where they stand. What follows the last newline is no line. */
export async function* byteLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ByteLine> {
  let pieces: Buffer[] = [];
  let startByte = 0;
  let readBytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      pieces.push(chunk.subarray(from, at));
      const endByte = readBytes + at + 1;
      yield { text: Buffer.concat(pieces).toString("utf8"), startByte, endByte };
      pieces = [];
      startByte = endByte;
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    readBytes += chunk.length;
  }
}
