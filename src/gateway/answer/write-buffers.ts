/** A read of an endpoint's connection, the end of the event before it, and the frame. */
const USUAL_BYTES = 20_480;
/** Enough for clients that take all at once, which is one buffer, and some that do not. */
const MOST_SPARE = 16;

const spare: Buffer[] = [];

/**
 * A buffer for one write. They are used again, because V8 collects those that are not only when there are 32 MB of them, and malloc does
 * not return what they took.
 */
export function takeBuffer(bytes: number): Buffer {
  if (bytes > USUAL_BYTES) return Buffer.allocUnsafeSlow(bytes);
  return spare.pop() ?? Buffer.allocUnsafeSlow(USUAL_BYTES);
}

/** Nothing may use it any more: neither a socket nor the kernel. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length === USUAL_BYTES && spare.length < MOST_SPARE) spare.push(buffer);
}
