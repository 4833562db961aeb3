/** Settles like the work, or rejects with the signal's reason as soon as it aborts: foreign code can't delay it. */
export function untilAborted<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort);
    const forget = (): void => signal.removeEventListener("abort", abort);
    Promise.resolve(work).then(
      (value) => {
        forget();
        resolve(value);
      },
      (fault) => {
        forget();
        reject(fault);
      },
    );
  });
}
