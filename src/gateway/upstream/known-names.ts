const MOST = 500;

/** What is known of header names, as they were written: the same few come with every request. */
export class KnownNames<T> {
  private readonly known = new Map<string, T>();
  private readonly judge: (lower: string) => T;

  /** `judge` gets a name in lower case. */
  constructor(judge: (lower: string) => T) {
    this.judge = judge;
  }

  of(name: string): T {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const made = this.judge(name.toLowerCase());
    if (this.known.size < MOST) this.known.set(name, made);
    return made;
  }
}
