import type { Redact, RpcOutput } from "../../wire/index.ts";

/** For example `process.stdout`. */
export interface LineOutput {
  /** False: the buffer is full until the event `drain`. */
  write(chunk: string): boolean;
  once(event: "drain" | "close" | "error", listener: () => void): unknown;
}

/**
 * Writes one JSON object per line, in order. Holds lines while the reader is slow, and joins deltas of the same message, so that
 * memory holds an answer and not its thousand events. Everything on stdout passes here, and secrets are redacted here.
 */
export class LineWriter {
  readonly #output: LineOutput;
  readonly #redact: Redact;
  readonly #held: RpcOutput[] = [];
  #isFull = false;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(output: LineOutput, redact: Redact) {
    this.#output = output;
    this.#redact = redact;
    for (const event of ["close", "error"] as const) output.once(event, () => this.#close());
  }

  /** The reader has closed the pipe. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  write(line: RpcOutput): void {
    if (this.#isClosed) return;
    if (!this.#isFull) return this.#put(line);
    const last = this.#held.at(-1);
    const joined = last === undefined ? undefined : joinDeltas(last, line);
    if (joined === undefined) this.#held.push(line);
    else this.#held[this.#held.length - 1] = joined;
  }

  /** Resolves when the reader has caught up, or has closed the pipe. */
  async ready(): Promise<void> {
    if (!this.#isFull || this.#isClosed) return;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #put(line: RpcOutput): void {
    if (this.#output.write(`${JSON.stringify(this.#redact(line))}\n`)) return;
    this.#isFull = true;
    this.#output.once("drain", () => this.#drain());
  }

  #drain(): void {
    this.#isFull = false;
    while (!this.#isFull) {
      const line = this.#held.shift();
      if (line === undefined) return this.#release();
      this.#put(line);
    }
  }

  #close(): void {
    this.#isClosed = true;
    this.#held.length = 0;
    this.#release();
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function joinDeltas(last: RpcOutput, next: RpcOutput): RpcOutput | undefined {
  if (last.type !== "message_delta" || next.type !== "message_delta") return undefined;
  if (last.messageId !== next.messageId || last.kind !== next.kind) return undefined;
  return { ...last, delta: last.delta + next.delta };
}
