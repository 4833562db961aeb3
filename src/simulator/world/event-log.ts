/** One line of what happened in a virtual world. */
export interface LogEntry {
  readonly atMs: number;
  readonly what: string;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * What happened, in order. The digest covers every line, also those that are no longer kept: two runs are the same if
 * their digests are.
 */
export class EventLog {
  readonly entries: LogEntry[] = [];
  #digest = FNV_OFFSET;
  #count = 0;
  readonly #keep: number;

  /** `keep`: how many lines stay readable; a day of a thousand clients would not fit into memory. */
  constructor(keep = Number.POSITIVE_INFINITY) {
    this.#keep = keep;
  }

  get count(): number {
    return this.#count;
  }

  get digest(): string {
    return (this.#digest >>> 0).toString(16).padStart(8, "0");
  }

  note(atMs: number, what: string): void {
    this.#count++;
    this.#mix(`${atMs} ${what}\n`);
    if (this.entries.length < this.#keep) this.entries.push({ atMs, what });
  }

  lines(): readonly string[] {
    return this.entries.map(({ atMs, what }) => `${atMs} ${what}`);
  }

  #mix(line: string): void {
    let digest = this.#digest;
    for (let i = 0; i < line.length; i++) digest = Math.imul(digest ^ line.charCodeAt(i), FNV_PRIME);
    this.#digest = digest;
  }
}
