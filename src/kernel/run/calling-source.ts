/** Not a name: other sources may have a method of any name. */
export const PULL: unique symbol = Symbol("pull");

/**
 * A source that calls back with its next item, or with what went wrong: no promise for each item. It calls exactly one of the two, once,
 * and never before the method has returned.
 */
export interface CallingSource<T> extends AsyncIterator<T> {
  [PULL](onItem: (result: IteratorResult<T>) => void, onProblem: (problem: unknown) => void): void;
}

export function isCallingBack<T>(source: AsyncIterator<T>): source is CallingSource<T> {
  return PULL in source;
}
