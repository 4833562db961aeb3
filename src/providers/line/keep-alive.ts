const QUIET_LINE = /^(?::.*|event: ?ping|data: ?\{"type": ?"ping"\}|)$/;
/** Keep-alives are short. Anything longer is not looked at. */
const MOST_BYTES = 512;

/**
 * Whether these bytes of an event stream only say that the connection stands: comments, Anthropic's pings. One that is split
 * over two reads is missed, which costs a sign of life and nothing else.
 */
export function isKeepAlive(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > MOST_BYTES) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .split(/\r\n|\r|\n/)
    .every((line) => QUIET_LINE.test(line));
}
