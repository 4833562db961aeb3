const LF = 10;
const CR = 13;

/**
 * Where the last complete event ends: behind the last blank line. 0: no event is complete. `before` is how the bytes before
 * these ended, three of them at most, because a blank line may be split. A CR at the end counts as a line end; an LF that follows it
 * later is then a blank line, which means nothing.
 */
export function lastEventEnd(bytes: Uint8Array, before: readonly number[]): number {
  const { length } = bytes;
  // Nearly all chunks end with an event.
  if (length > 1 && bytes[length - 1] === LF && bytes[length - 2] === LF) return length;
  return before.length === 0 && !bytes.includes(LF) && !bytes.includes(CR) ? 0 : searchBack(bytes, before);
}

function searchBack(bytes: Uint8Array, before: readonly number[]): number {
  const at = (index: number): number | undefined => (index >= 0 ? bytes[index] : before.at(index));
  for (let index = bytes.length - 1; index >= 0; index -= 1) {
    const byte = bytes[index];
    if (byte !== LF && byte !== CR) continue;
    const start = byte === LF && at(index - 1) === CR ? index - 1 : index;
    const previous = at(start - 1);
    if (previous === LF || previous === CR) return index + 1;
    index = Math.min(index, Math.max(start, 0));
  }
  return 0;
}
