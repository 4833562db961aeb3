import { type Receipt, receiptHeaders } from "../../kernel/index.ts";
import { delegateRest } from "./delegate-rest.ts";
import type { HeaderList } from "./transport/index.ts";

type Entry = [name: string, value: string];

/** The method that Node prints an object by. */
const PRINT: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/** A plain function: a class that extends the platform's headers would have to construct them. */
const Base = function Base(): void {} as unknown as new () => object;
Base.prototype = Headers.prototype;

/**
 * The headers of an answer with the receipt among them. They are looked up where they are: a copy of all of them would cost more than
 * the rest of the response. Code that changes them, or asks for more than names and values, gets a copy.
 */
class AnswerHeaders extends Base {
  private readonly from: HeaderList;
  /** In the order of their names, as headers are listed. */
  private readonly more: Readonly<Record<string, string>>;
  private copy: Headers | undefined = undefined;

  constructor(from: HeaderList, more: Readonly<Record<string, string>>) {
    super();
    this.from = from;
    this.more = more;
  }

  get(name: string): string | null {
    if (this.copy !== undefined) return this.copy.get(name);
    const key = String(name).toLowerCase();
    return Object.hasOwn(this.more, key) ? (this.more[key] as string) : this.from.get(name);
  }

  has(name: string): boolean {
    if (this.copy !== undefined) return this.copy.has(name);
    return Object.hasOwn(this.more, String(name).toLowerCase()) || this.from.has(name);
  }

  entries(): IterableIterator<Entry> {
    return this.copy === undefined ? this.list().values() : this.copy.entries();
  }

  [Symbol.iterator](): IterableIterator<Entry> {
    return this.entries();
  }

  /** Node's own method looks into an object of its own. */
  [PRINT](_depth: number, options: object, print: (value: unknown, options: object) => string): string {
    return print(this.toPlain(), options);
  }

  toPlain(): Headers {
    this.copy ??= new Headers(this.list());
    return this.copy;
  }

  private list(): Entry[] {
    const all: Entry[] = [];
    const names = Object.keys(this.more);
    let at = 0;
    const addUpTo = (name: string | undefined): void => {
      for (let next = names[at]; next !== undefined && (name === undefined || next < name); next = names[++at])
        all.push([next, this.more[next] as string]);
    };
    for (const entry of this.from) {
      const [name] = entry;
      if (Object.hasOwn(this.more, name)) continue;
      addUpTo(name);
      all.push(entry as Entry);
    }
    addUpTo(undefined);
    return all;
  }
}

delegateRest(AnswerHeaders.prototype, Headers.prototype);

export function answerHeaders(from: HeaderList, receipt: Receipt, contentType: string | undefined): Headers {
  const own = receiptHeaders(receipt);
  const more = contentType === undefined ? own : { "content-type": contentType, ...own };
  return new AnswerHeaders(from, more) as unknown as Headers;
}
