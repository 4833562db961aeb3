import type { HeaderList } from "../transport.ts";

type Entry = [name: string, value: string];

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** The headers of an answer as they came. They are looked up where they are: most are never asked for. */
export class WireHeaders implements HeaderList {
  /** Names in lower case and values in turn. */
  private readonly pairs: readonly string[];

  constructor(pairs: readonly string[]) {
    this.pairs = pairs;
  }

  get(name: string): string | null {
    const { pairs } = this;
    const wanted = String(name).toLowerCase();
    let found: string | null = null;
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at] !== wanted) continue;
      const value = pairs[at + 1] as string;
      found = found === null ? value : join(wanted, found, value);
    }
    if (found === null && !NAME.test(wanted)) return this.toPlain().get(name);
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of this) visit(value, name);
  }

  /** In the order of their names. Those with one name are one, except for cookies. */
  [Symbol.iterator](): IterableIterator<Entry> {
    const { pairs } = this;
    const all: Entry[] = [];
    const known = new Map<string, Entry>();
    for (let at = 0; at < pairs.length; at += 2) {
      const name = pairs[at] as string;
      const value = pairs[at + 1] as string;
      const before = name === "set-cookie" ? undefined : known.get(name);
      if (before !== undefined) {
        before[1] = join(name, before[1], value);
        continue;
      }
      const entry: Entry = [name, value];
      known.set(name, entry);
      all.push(entry);
    }
    return all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).values();
  }

  private toPlain(): Headers {
    return new Headers([...this]);
  }
}

function join(name: string, before: string, value: string): string {
  return `${before}${name === "cookie" ? "; " : ", "}${value}`;
}

/** As undici has them: bytes or texts, and for some names several values at once. */
export type RawHeaders = readonly (Bytes | string | readonly (Bytes | string)[])[];
type Bytes = Uint8Array & { toString(encoding: "latin1"): string };

export function readHeaders(raw: RawHeaders): WireHeaders {
  const pairs: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = textOf(raw[at] as Bytes).toLowerCase();
    const value = raw[at + 1] as Bytes | string | readonly (Bytes | string)[];
    if (Array.isArray(value)) for (const one of value as readonly (Bytes | string)[]) pairs.push(name, textOf(one));
    else pairs.push(name, textOf(value as Bytes | string));
  }
  return new WireHeaders(pairs);
}

function textOf(part: Bytes | string): string {
  return typeof part === "string" ? part : part.toString("latin1");
}
