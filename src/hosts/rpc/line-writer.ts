import type { Redact, RpcOutput } from "../../wire/index.ts";

/** Where lines go. `process.stdout` is one. */
export interface LineOutput {
  /** False: it has enough for now, and says `drain` when it takes more. */
  write(chunk: string): boolean;
  once(event: "drain" | "close" | "error", listener: () => void): unknown;
}

/**
 * Writes one JSON object a line, in order. A slow reader is waited for; what comes meanwhile is held, and pieces of the same
 * text are joined, so that the memory holds an answer and not its thousand events. This is the border of the process: nothing
 * gets to stdout by another way, and nothing by this one with a secret in it.
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

  /** The reader has left. */
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

  /** Resolves when the reader has taken what was written, or has left. */
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
