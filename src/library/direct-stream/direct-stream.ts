import { DirectIterator } from "./direct-iterator.ts";
import { DirectReader } from "./direct-reader.ts";
import { platformSource } from "./platform-source.ts";
import type { StreamCore } from "./stream-core.ts";

type IteratorOptions = Parameters<ReadableStream["values"]>[0];
type Constructor = new (source?: object, strategy?: object) => Pick<ReadableStream<unknown>, never>;

const NOTHING_AHEAD = { highWaterMark: 0 };
/** The platform's own methods: they work on the state of its own stream. */
const own = ReadableStream.prototype;

/** Node keeps the state of a stream under symbols of the object, and makes it dearly. Browsers hide theirs, and make it at little cost. */
const SLOTS: readonly symbol[] = Object.getOwnPropertySymbols(new ReadableStream());

const Stateless = function Stateless(): void {} as unknown as Constructor;
Stateless.prototype = own;
const Base = SLOTS.length > 0 ? Stateless : (ReadableStream as unknown as Constructor);

/**
 * A `ReadableStream` that is read without a second queue: each read goes to its source. Whatever needs the platform's own stream
 * (`tee`, `pipeTo`, `pipeThrough`, code of the platform that is given this one) gets it: in Node its state is made at that moment.
 */
class DirectStream<T> extends Base {
  readonly #core: StreamCore<T>;

  constructor(core: StreamCore<T>) {
    super(Base === Stateless ? undefined : platformSource(core), NOTHING_AHEAD);
    this.#core = core;
  }

  get locked(): boolean {
    const { holder, isPlatform } = this.#core;
    return holder !== undefined || ((isPlatform || Base !== Stateless) && platformLocked(this));
  }

  cancel(reason?: unknown): Promise<undefined> {
    if (this.#core.isPlatform) return own.cancel.call(this, reason) as Promise<undefined>;
    return this.locked ? Promise.reject(lockedError()) : this.#core.cancel(reason);
  }

  getReader(options?: { readonly mode?: unknown } | null): unknown {
    if (this.#core.isPlatform || options?.mode !== undefined)
      return own.getReader.call(this, options as { mode: "byob" });
    return new DirectReader(this.#lock());
  }

  values(options?: IteratorOptions | null): AsyncIterableIterator<T, undefined> {
    if (this.#core.isPlatform || options?.preventCancel) return own.values.call(this, options as IteratorOptions);
    return new DirectIterator(this.#lock());
  }

  [Symbol.asyncIterator](options?: IteratorOptions): AsyncIterableIterator<T, undefined> {
    return this.values(options);
  }

  /** Gives this object the state of a stream of the platform. */
  static fill(stream: DirectStream<unknown>): void {
    const core = stream.#core;
    const made = new ReadableStream(platformSource(core), NOTHING_AHEAD);
    for (const slot of SLOTS) Object.defineProperty(stream, slot, { value: made[slot as never], writable: true });
    core.isPlatform = true;
    if (core.holder !== undefined) core.platformLock = own.getReader.call(stream);
    // Of a stream that is over, this changes nothing but that it counts as read.
    else if (core.isDisturbed && core.state !== "readable") own.cancel.call(stream).catch(() => undefined);
  }

  #lock(): StreamCore<T> {
    const core = this.#core;
    if (this.locked) throw lockedError();
    if (Base !== Stateless) core.platformLock = own.getReader.call(this);
    return core;
  }
}

for (const slot of SLOTS) {
  Object.defineProperty(DirectStream.prototype, slot, {
    get(this: DirectStream<unknown>) {
      DirectStream.fill(this);
      return this[slot as never];
    },
    configurable: true,
  });
}

const lockedGetter = Object.getOwnPropertyDescriptor(own, "locked")?.get as (this: object) => boolean;

function platformLocked(stream: object): boolean {
  return lockedGetter.call(stream);
}

function lockedError(): TypeError {
  return new TypeError("The stream is locked to a reader");
}

export function directStream<T>(core: StreamCore<T>): ReadableStream<T> {
  return new DirectStream(core) as unknown as ReadableStream<T>;
}
