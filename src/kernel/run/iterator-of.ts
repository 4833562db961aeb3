/** What a `ReadableStream` has everywhere. */
interface Readable<T> {
  getReader(): { read(): PromiseLike<unknown>; cancel(): PromiseLike<unknown> };
  readonly [Symbol.asyncIterator]?: () => AsyncIterator<T>;
}

/** Reads what a call has opened. Throws if it is no stream. Safari's streams can't be iterated: they are read by their reader. */
export function iteratorOf<T>(opened: AsyncIterable<T> | Readable<T>): AsyncIterator<T> {
  const iterate = opened[Symbol.asyncIterator];
  if (iterate !== undefined || !("getReader" in opened)) return (opened as AsyncIterable<T>)[Symbol.asyncIterator]();
  const reader = opened.getReader();
  return {
    next: async () => (await reader.read()) as IteratorResult<T>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
