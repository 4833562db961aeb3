import { planAnswer } from "../answer/plan-answer.ts";
import { type Frame, frame } from "../dialects/dialect.ts";
import { answerReply, streamReply } from "../wire/answer-reply.ts";
import { sseText } from "../wire/encode-frames.ts";
import { chunkedActions, chunkedHead, encodeChunk, LAST_CHUNK, send } from "../wire/encode-http.ts";
import { bodyOf, type SocketAction, untilToken } from "../wire/reply.ts";
import { type FaultContext, type FaultTable, framesOf, goodBytes, numberIn, streamed, wire } from "./fault.ts";

/** Long enough that the other side reads each write separately. */
const SPLIT_MS = 2;
const PING_MS = 15_000;
const BIG_MIB = 64;
const MIB = 1024 * 1024;

/** Faults 27 to 32: how events become bytes. */
export const SSE_FAULTS: FaultTable = {
  27: { title: "split inside each UTF-8 character", react: (context) => wire(splitInCharacters(context)) },
  28: { title: "split inside each CRLF", needs: "sse", react: (context) => wire(splitInLineEnds(context)) },
  29: {
    title: "line ends LF, CR and CRLF in turn, after a byte order mark",
    parameter: "`lf`, `cr`, `crlf` or `bom` alone; `open`: LF, and the last event without its blank line",
    needs: "sse",
    react: (context) => wire(chunkedActions(answerReply(context), [withLineEnds(context)], 0)),
  },
  30: {
    title: "comments and pings forever",
    parameter: "tokens before them",
    needs: "sse",
    react: (context) => wire(pingForever(context)),
  },
  31: {
    title: "data of several lines",
    parameter: "`empty`: an event with empty data before each event instead",
    needs: "sse",
    react: (context) => streamed(context, context.parameter === "empty" ? betweenBlanks : spreadOut),
  },
  32: { title: "one event of 64 MiB", parameter: "MiB", react: (context) => wire(hugeEvent(context)) },
};

/** Sends a text with multi-byte characters in almost every word, and splits each of these characters. */
function* splitInCharacters(context: FaultContext): Generator<SocketAction> {
  const answer = planAnswer(context.request, { seed: 1, content: { text: "Ça déjà → 風と海 ☂ 🌊 über naïve" } });
  const { good, body } = goodBytes({ ...context, answer });
  const cuts: number[] = [];
  // A byte 10xxxxxx continues a character, so the position before it is inside.
  for (const [place, byte] of body.entries()) if ((byte & 0xc0) === 0x80) cuts.push(place);
  yield* chunkedActions(good, cutAt(body, cuts), SPLIT_MS);
}

function* splitInLineEnds(context: FaultContext): Generator<SocketAction> {
  const body = Buffer.from(
    framesOf(context)
      .map((frame) => sseText(frame, "\r\n"))
      .join(""),
  );
  const cuts: number[] = [];
  for (const [place, byte] of body.entries()) if (byte === 0x0a && body[place - 1] === 0x0d) cuts.push(place);
  yield* chunkedActions(answerReply(context), cutAt(body, cuts), SPLIT_MS);
}

function* cutAt(body: Buffer, cuts: readonly number[]): Generator<Buffer> {
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    yield body.subarray(from, cut);
    from = cut;
  }
}

const LINE_ENDS: Readonly<Record<string, readonly string[]>> = {
  lf: ["\n"],
  cr: ["\r"],
  crlf: ["\r\n"],
  bom: ["\n"],
  open: ["\n"],
};

function withLineEnds(context: FaultContext): Buffer {
  const { parameter = "" } = context;
  const ends = LINE_ENDS[parameter] ?? ["\n", "\r", "\r\n"];
  const hasMark = parameter === "bom" || !(parameter in LINE_ENDS);
  const texts = framesOf(context).map((frame, place) => sseText(frame, ends[place % ends.length]));
  const text = (hasMark ? "\uFEFF" : "") + texts.join("");
  return Buffer.from(parameter === "open" ? text.slice(0, -1) : text);
}

function* pingForever(context: FaultContext): Generator<SocketAction> {
  const kept = untilToken(framesOf(context), numberIn(context, 0));
  const good = streamReply(context, kept);
  yield send(chunkedHead(good, "keep-alive"));
  yield send(encodeChunk(bodyOf(good)));
  const ping =
    context.dialect.provider === "anthropic" ? 'event: ping\ndata: {"type": "ping"}\n\n' : ": keep-alive\n\n";
  for (;;) {
    yield send(encodeChunk(Buffer.from(`: OPENROUTER PROCESSING\n\n${ping}`)));
    yield { do: "wait", ms: PING_MS * context.timeScale };
  }
}

function betweenBlanks(frames: readonly Frame[]): readonly Frame[] {
  return frames.flatMap((one) => [frame("other", ""), one]);
}

function spreadOut(frames: readonly Frame[]): readonly Frame[] {
  return frames.map((one) => ({ ...one, data: spread(one.data) }));
}

/** JSON over several lines is still JSON. Other data stays unchanged. */
function spread(data: string): string {
  return data.startsWith("{") ? JSON.stringify(JSON.parse(data), null, 1) : data;
}

const MARK = "@@HUGE@@";

/** One block is sent repeatedly, so the 64 MiB are never in memory. */
function* hugeEvent(context: FaultContext): Generator<SocketAction> {
  const answer = planAnswer(context.request, { seed: 1, content: { text: MARK } });
  const { good, body } = goodBytes({ ...context, answer: { ...answer, toolCalls: [], stop: "end" } });
  const at = body.indexOf(MARK);
  const block = encodeChunk(Buffer.alloc(MIB, "a"));
  yield send(chunkedHead(good));
  yield send(encodeChunk(body.subarray(0, at)));
  for (let sent = 0; sent < numberIn(context, BIG_MIB); sent += 1) yield send(block);
  yield send(encodeChunk(body.subarray(at + MARK.length)));
  yield send(LAST_CHUNK);
  yield { do: "close" };
}
