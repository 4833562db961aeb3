/** What was seen of one body: its beginning, up to a limit. */
export class BodyPart {
  /** Of all that passed. */
  bytes = 0;
  private readonly chunks: Buffer[] = [];
  private kept = 0;
  private readonly take: (bytes: number) => number;

  /** `take` is asked for room, and returns how much there is. */
  constructor(take: (bytes: number) => number) {
    this.take = take;
  }

  add(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding);
    this.bytes += bytes.length;
    const room = Math.min(bytes.length, this.take(bytes.length));
    if (room <= 0) return;
    // A copy: what passes may be part of a larger buffer, which would be kept as a whole.
    this.chunks.push(Buffer.from(bytes.subarray(0, room)));
    this.kept += room;
  }

  get isCut(): boolean {
    return this.kept < this.bytes;
  }

  /** Undefined: it is no text. */
  get text(): string | undefined {
    try {
      // With more to come, half a character at the end is no error.
      return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(this.chunks), { stream: this.isCut });
    } catch {
      return undefined;
    }
  }

  /** How much it holds. */
  get size(): number {
    return this.kept;
  }
}

/** What `write` and `end` of a response take. */
function bytesOf(chunk: unknown, encoding: unknown): Uint8Array {
  if (typeof chunk === "string")
    return Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
  return chunk instanceof Uint8Array ? chunk : new Uint8Array(0);
}
