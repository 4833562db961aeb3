type Pairs = Iterable<readonly [name: string, value: string]>;
type Init = Pairs | Readonly<Record<string, string | undefined>> | undefined;

/**
 * Headers by name, whatever its case: as much of `Headers` as lines and SDKs use. The built-in one brings all of Node's `fetch`
 * with it, which takes as long to load as Node itself.
 */
export class PlainHeaders {
  readonly #byName = new Map<string, string>();

  constructor(init: Init = {}) {
    const pairs = Symbol.iterator in init ? (init as Pairs) : Object.entries(init);
    for (const [name, value] of pairs) if (value !== undefined) this.set(name, value);
  }

  get(name: string): string | null {
    return this.#byName.get(name.toLowerCase()) ?? null;
  }

  set(name: string, value: string): void {
    this.#byName.set(name.toLowerCase(), String(value));
  }

  delete(name: string): void {
    this.#byName.delete(name.toLowerCase());
  }

  entries(): IterableIterator<[string, string]> {
    return this.#byName.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#byName.entries();
  }
}
