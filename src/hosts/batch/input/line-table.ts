/** What is known of a line. `absent`: it is blank, or not in the file. */
export type LineState = "absent" | "todo" | "done" | "failed";

const STATES: readonly LineState[] = ["absent", "todo", "done", "failed"];
const FIRST_SIZE = 1024;

/** State and hash of every line: five bytes each, so that a million lines take five megabytes. */
export class LineTable {
  #states = new Uint8Array(FIRST_SIZE);
  #hashes = new Uint32Array(FIRST_SIZE);
  /** The highest line that anything is known of. */
  last = 0;

  stateOf(line: number): LineState {
    return STATES[this.#states[line] ?? 0] ?? "absent";
  }

  hashOf(line: number): string {
    return (this.#hashes[line] ?? 0).toString(16).padStart(8, "0");
  }

  set(line: number, state: LineState, hash?: string): void {
    this.#grow(line);
    this.last = Math.max(this.last, line);
    this.#states[line] = STATES.indexOf(state);
    if (hash !== undefined) this.#hashes[line] = Number.parseInt(hash, 16);
  }

  count(state: LineState): number {
    const wanted = STATES.indexOf(state);
    let found = 0;
    for (let line = 1; line <= this.last; line++) if (this.#states[line] === wanted) found++;
    return found;
  }

  #grow(line: number): void {
    if (line < this.#states.length) return;
    const size = Math.max(line + 1, this.#states.length * 2);
    const states = new Uint8Array(size);
    states.set(this.#states);
    this.#states = states;
    const hashes = new Uint32Array(size);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }
}
