import { hash } from "node:crypto";
import type { LineId } from "./batch-line.ts";

const FIRST_SIZE = 4096;
const MOST_FULL = 0.6;
/** High and low half of the hash, and the line. */
const FIELDS = 3;

/**
 * The ids of a file and their lines, in twelve bytes each: by 64 bits of a hash, of which a million have two alike once in
 * thirty million files. Ids are compared as text: many programs do not tell 7 from "7".
 */
export class IdSet {
  #table = new Uint32Array(FIRST_SIZE * FIELDS);
  #size = 0;

  /** The line that had the id before. Undefined: it is new. */
  add(id: LineId, line: number): number | undefined {
    if (this.#size >= (this.#table.length / FIELDS) * MOST_FULL) this.#grow();
    const digest = hash("sha1", String(id));
    const high = Number.parseInt(digest.slice(0, 8), 16);
    const low = Number.parseInt(digest.slice(8, 16), 16);
    const before = place(this.#table, high, low, line);
    if (before === undefined) this.#size++;
    return before;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#table.length * 2);
    for (let at = 0; at < this.#table.length; at += FIELDS) {
      const [high = 0, low = 0, line = 0] = this.#table.subarray(at, at + FIELDS);
      if (line !== 0) place(larger, high, low, line);
    }
    this.#table = larger;
  }
}

function place(table: Uint32Array, high: number, low: number, line: number): number | undefined {
  const slots = table.length / FIELDS;
  for (let slot = low % slots; ; slot = (slot + 1) % slots) {
    const at = slot * FIELDS;
    const there = table[at + 2];
    if (there === 0) {
      table.set([high, low, line], at);
      return undefined;
    }
    if (table[at] === high && table[at + 1] === low) return there;
  }
}
