import { Writable } from "node:stream";

/**
 * The output as readline sees it: what is typed shows at the prompt, and not in the middle of an answer, which readline knows
 * nothing of and would write into.
 */
export class PromptEcho extends Writable {
  isOn = false;
  readonly #output: NodeJS.WriteStream;
  readonly #resized = (): void => void this.emit("resize");

  constructor(output: NodeJS.WriteStream) {
    super({ decodeStrings: false });
    this.#output = output;
    output.on("resize", this.#resized);
  }

  /** While nothing shows nothing wraps: the prompt that comes back goes up over no lines. */
  get columns(): number {
    return this.isOn ? this.#output.columns : Number.POSITIVE_INFINITY;
  }

  /** Shown whether readline may write or not. */
  pass(text: string): void {
    this.#output.write(text);
  }

  /** To the start of a line of this width that ends just above, and clears everything from there. */
  goUp(width: number): void {
    if (!this.isOn) return;
    const rows = Math.floor(width / this.#output.columns) + 1;
    this.pass(`\r\u001b[${rows}A\u001b[J`);
  }

  override _write(chunk: string, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOn) this.#output.write(chunk);
    done();
  }

  override _destroy(_fault: Error | null, done: () => void): void {
    this.#output.off("resize", this.#resized);
    done();
  }
}
