import { planAnswer } from "../answer/plan-answer.ts";
import { answerReply, streamReply } from "../wire/answer-reply.ts";
import { sseText } from "../wire/encode-frames.ts";
import { chunkedHead, chunkedSteps, encodeChunk, LAST_CHUNK, send } from "../wire/encode-http.ts";
import { bodyOf, type Step, untilToken } from "../wire/reply.ts";
import { type FaultScene, type FaultTable, goodBytes, numberIn, reply, wire } from "./fault.ts";

/** Long enough that each write is a read of its own on the other side. */
const SPLIT_MS = 2;
const PING_MS = 15_000;
const BIG_MIB = 64;
const MIB = 1024 * 1024;

/** Faults 27 to 32: how events are cut into bytes. */
export const SSE_FAULTS: FaultTable = {
  27: { title: "split inside each UTF-8 character", perform: (scene) => wire(splitInCharacters(scene)) },
  28: { title: "split inside each CRLF", needs: "sse", perform: (scene) => wire(splitInLineEnds(scene)) },
  29: {
    title: "line ends LF, CR and CRLF in turn, after a byte order mark",
    parameter: "`lf`, `cr`, `crlf` or `bom` alone",
    needs: "sse",
    perform: (scene) => wire(chunkedSteps(answerReply(scene), [withLineEnds(scene)], 0)),
  },
  30: {
    title: "comments and pings for ever",
    parameter: "how many tokens come first",
    needs: "sse",
    perform: (scene) => wire(pingForEver(scene)),
  },
  31: {
    title: "data of several lines",
    needs: "sse",
    perform: (scene) =>
      reply(
        streamReply(
          scene,
          framesOf(scene).map(({ data, ...rest }) => ({ ...rest, data: spread(data) })),
        ),
      ),
  },
  32: { title: "one event of 64 MiB", parameter: "MiB", perform: (scene) => wire(hugeEvent(scene)) },
};

function framesOf({ dialect, answer, ask }: FaultScene) {
  return dialect.frames(answer, ask);
}

/** Says a text in which every word has a character of several bytes, and never sends such a character in one piece. */
function* splitInCharacters(scene: FaultScene): Generator<Step> {
  const answer = planAnswer(scene.ask, { seed: 1, say: { text: "Ça déjà → 風と海 ☂ 🌊 über naïve" } });
  const { good, body } = goodBytes({ ...scene, answer });
  const cuts: number[] = [];
  // A byte 10xxxxxx continues a character: just before it is inside.
  for (const [place, byte] of body.entries()) if ((byte & 0xc0) === 0x80) cuts.push(place);
  yield* chunkedSteps(good, cutAt(body, cuts), SPLIT_MS);
}

function* splitInLineEnds(scene: FaultScene): Generator<Step> {
  const body = Buffer.from(
    framesOf(scene)
      .map((frame) => sseText(frame, "\r\n"))
      .join(""),
  );
  const cuts: number[] = [];
  for (const [place, byte] of body.entries()) if (byte === 0x0a && body[place - 1] === 0x0d) cuts.push(place);
  yield* chunkedSteps(answerReply(scene), cutAt(body, cuts), SPLIT_MS);
}

function* cutAt(body: Buffer, cuts: readonly number[]): Generator<Buffer> {
  let from = 0;
  for (const cut of [...cuts, body.length]) {
    yield body.subarray(from, cut);
    from = cut;
  }
}

const LINE_ENDS: Readonly<Record<string, readonly string[]>> = { lf: ["\n"], cr: ["\r"], crlf: ["\r\n"], bom: ["\n"] };

function withLineEnds(scene: FaultScene): Buffer {
  const { parameter = "" } = scene;
  const ends = LINE_ENDS[parameter] ?? ["\n", "\r", "\r\n"];
  const hasMark = parameter === "bom" || !(parameter in LINE_ENDS);
  const texts = framesOf(scene).map((frame, place) => sseText(frame, ends[place % ends.length]));
  return Buffer.from((hasMark ? "\uFEFF" : "") + texts.join(""));
}

function* pingForEver(scene: FaultScene): Generator<Step> {
  const kept = untilToken(framesOf(scene), numberIn(scene, 0));
  const good = streamReply(scene, kept);
  yield send(chunkedHead(good, "keep-alive"));
  yield send(encodeChunk(bodyOf(good)));
  const ping = scene.dialect.provider === "anthropic" ? 'event: ping\ndata: {"type": "ping"}\n\n' : ": keep-alive\n\n";
  for (;;) {
    yield send(encodeChunk(Buffer.from(`: OPENROUTER PROCESSING\n\n${ping}`)));
    yield { do: "wait", ms: PING_MS * scene.timeScale };
  }
}

/** JSON over several lines is still JSON. What is none stays as it is. */
function spread(data: string): string {
  return data.startsWith("{") ? JSON.stringify(JSON.parse(data), null, 1) : data;
}

const MARK = "@@HUGE@@";

/** The filling is one block sent again and again: 64 MiB are never in our memory. */
function* hugeEvent(scene: FaultScene): Generator<Step> {
  const answer = planAnswer(scene.ask, { seed: 1, say: { text: MARK } });
  const { good, body } = goodBytes({ ...scene, answer: { ...answer, toolCalls: [], stop: "end" } });
  const at = body.indexOf(MARK);
  const block = encodeChunk(Buffer.alloc(MIB, "a"));
  yield send(chunkedHead(good));
  yield send(encodeChunk(body.subarray(0, at)));
  for (let sent = 0; sent < numberIn(scene, BIG_MIB); sent += 1) yield send(block);
  yield send(encodeChunk(body.subarray(at + MARK.length)));
  yield send(LAST_CHUNK);
  yield { do: "close" };
}
