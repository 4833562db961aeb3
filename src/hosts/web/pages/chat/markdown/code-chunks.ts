/** Few enough elements for a million characters, and small enough that one is cheap to lay out again. */
const CHUNK_CHARS = 8000;

/** Long code in pieces that end at line ends. All but the last stay the same strings while the code grows. */
export class CodeChunks {
  #done: string[] = [];
  #length = 0;

  update(code: string): readonly string[] {
    if (code.length < this.#length) {
      this.#done = [];
      this.#length = 0;
    }
    while (code.length - this.#length > 2 * CHUNK_CHARS) {
      const newline = code.indexOf("\n", this.#length + CHUNK_CHARS);
      const end = newline === -1 || newline > this.#length + 2 * CHUNK_CHARS ? this.#length + CHUNK_CHARS : newline + 1;
      this.#done.push(code.slice(this.#length, end));
      this.#length = end;
    }
    return [...this.#done, code.slice(this.#length)];
  }
}
