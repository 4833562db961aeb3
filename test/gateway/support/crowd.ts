/** Does something for each item, so many at a time. */
export async function inCrowd<T>(items: readonly T[], atOnce: number, act: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) await act(items[next++] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
