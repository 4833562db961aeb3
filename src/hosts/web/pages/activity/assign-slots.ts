/**
 * Which element draws which row: a row that stays keeps its element, a new one takes over the element of a row that has left.
 * Elements are the keys of the list, so that the browser builds none while rows come and go.
 */
export function assignSlots(
  before: ReadonlyMap<number, number>,
  wanted: readonly number[],
): ReadonlyMap<number, number> {
  const slots = new Map<number, number>();
  const taken = new Set<number>();
  for (const serial of wanted) {
    const slot = before.get(serial);
    if (slot === undefined) continue;
    slots.set(serial, slot);
    taken.add(slot);
  }
  let next = 0;
  for (const serial of wanted) {
    if (slots.has(serial)) continue;
    while (taken.has(next)) next++;
    slots.set(serial, next++);
  }
  return slots;
}
