/** Closes a source whose items are no longer wanted, and ignores its reply. */
export function release(source: AsyncIterator<unknown>): void {
  try {
    source.return?.()?.then(undefined, () => undefined);
  } catch {
    // It is gone either way.
  }
}
