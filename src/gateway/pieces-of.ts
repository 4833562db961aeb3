import { asEvents } from "../formats/as-events.ts";
import { type ByteRead, type ByteReader, EventPieces, type Piece, type PiecesOptions } from "../formats/index.ts";
import { AnswerError } from "../library/answer-error.ts";
import { judgeWhole } from "./answer/judge-whole.ts";
import { eventsIn } from "./run-whole.ts";
import { headerRecord } from "./upstream/response-headers.ts";
import type { UpstreamAnswer } from "./upstream/upstream-call.ts";

type Judge = (reading: { readonly problem: unknown }) => { readonly problem: unknown };

interface Asked extends Omit<PiecesOptions, "judge"> {
  /** Whether the client looks for events, and for nothing else. */
  readonly wantsEvents: boolean;
  /** Called before the piece of an answer that the endpoint did not stream, and that is streamed here. */
  readonly onStreamed: () => void;
}

/** The answer to a request for a stream, as pieces: events, or all of it where the endpoint did not stream. */
export function piecesOf(
  { head, body }: UpstreamAnswer,
  asked: Asked,
): AsyncIterable<Piece> | Promise<AsyncIterable<Piece>> {
  const judge: Judge = ({ problem }) => ({ problem: new AnswerError(problem, headerRecord(head.rawHeaders)) });
  const options = { ...asked, judge };
  if (head.type.includes("event-stream")) return new EventPieces(body, options);
  return body.read().then((first) => {
    const start = first.done ? "" : Buffer.from(first.value.subarray(0, 16)).toString("latin1");
    if (!first.done && /^\s*(?:\xef\xbb\xbf)?(?:data|event|id|retry)?:/.test(start))
      return new EventPieces(body, options, first.value);
    return wholePiece({ first, body, judge }, asked);
  });
}

/** Some servers do not stream all that is asked for. */
async function* wholePiece(
  { first, body, judge }: { readonly first: ByteRead; readonly body: ByteReader; readonly judge: Judge },
  { wantsEvents, onStreamed }: Asked,
): AsyncGenerator<Piece> {
  const bytes = await readToEnd(body, first);
  const reading = judgeWhole(bytes);
  if (typeof reading === "object") return yield { bytes, reading: judge(reading) };
  const events = eventsIn(bytes);
  const stream = wantsEvents ? asEvents(events[0]) : undefined;
  if (stream !== undefined) onStreamed();
  yield { bytes: stream === undefined ? bytes : Buffer.from(stream), reading, events };
}

/** More than any answer. */
const MOST_BYTES = 256 * 1024 * 1024;

async function readToEnd(body: ByteReader, first: ByteRead): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let next = first; !next.done; next = await body.read()) {
    chunks.push(next.value);
    bytes += next.value.length;
    if (bytes <= MOST_BYTES) continue;
    await body.cancel();
    throw new AnswerError({ code: "stream_broken", message: `The answer is larger than ${MOST_BYTES} bytes` }, {});
  }
  return Buffer.concat(chunks);
}
