import { EventCutter, type Piece } from "../../formats/index.ts";
import { fairTurn } from "../../system/fair-turn.ts";

const QUIET_LINE = /^(?::.*|event: ?ping|data: ?\{"type": ?"ping"\}|)$/;
/** Keep-alives are short. Anything longer is not looked at. */
const MOST_KEEP_ALIVE_BYTES = 512;
/** The end of the body is due at once. Usage may still come; a server that holds on to the connection is left. */
const GOODBYE_MS = 2000;

/**
 * A stream of events, told of its keep-alives as they come, and over soon after its terminal marker: two of the SDKs wait for the
 * end of the body, and would make nothing of a whole answer if that never comes, or comes with a fault.
 */
export function tapped(body: ReadableStream<Uint8Array>, onKeepAlive: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const cutter = new EventCutter({ onIgnored: onKeepAlive });
  let leaveAt: number | undefined;

  /** Undefined: the body is over. */
  const readNext = async (): Promise<readonly Piece[] | undefined> => {
    const next = leaveAt === undefined ? await reader.read() : await readUntil(reader, leaveAt);
    if (next.done) return undefined;
    await fairTurn.take("go on");
    if (isKeepAlive(next.value)) onKeepAlive();
    const pieces = cutter.push(next.value);
    // Not put off by what comes later, which may have no end.
    if (cutter.hasEnded) leaveAt ??= performance.now() + GOODBYE_MS;
    return pieces;
  };

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let pieces = await readNext();
      while (pieces?.length === 0) pieces = await readNext();
      for (const { bytes, reading } of pieces ?? cutter.end()) {
        if (typeof reading === "object") {
          void reader.cancel().catch(() => undefined);
          controller.error(reading.problem);
          return;
        }
        controller.enqueue(bytes);
      }
      if (pieces === undefined) controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = Awaited<ReturnType<Reader["read"]>>;

const OVER: Read = { done: true };

/** What comes next, or the end: of the body, of patience, or of a connection that was cut when all had been said. */
async function readUntil(reader: Reader, leaveAt: number): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Read>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, leaveAt - performance.now()), OVER);
  });
  const next = await Promise.race([reader.read().catch(() => OVER), late]);
  clearTimeout(timer);
  if (next.done) void reader.cancel().catch(() => undefined);
  return next;
}

/**
 * Whether these bytes of an event stream only say that the connection stands: comments, Anthropic's pings. One that is split
 * over two reads is missed, which costs a sign of life and nothing else.
 */
export function isKeepAlive(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > MOST_KEEP_ALIVE_BYTES) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .split(/\r\n|\r|\n/)
    .every((line) => QUIET_LINE.test(line));
}
