import type { Answer } from "../answer/answer.ts";
import type { ModelRequest } from "../answer/model-request.ts";
import type { Dialect, Frame } from "../dialects/dialect.ts";
import { encodeFrames, type Pacing } from "./encode-frames.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** What a reply is made from. Faults change one of these, or the reply. */
export interface ReplyContext {
  readonly dialect: Dialect;
  readonly request: ModelRequest;
  readonly answer: Answer;
  readonly pacing: Pacing;
}

/** The good answer, streamed or whole as requested. */
export function answerReply(context: ReplyContext): Reply {
  const { dialect, request, answer, pacing } = context;
  if (request.isStreaming) return streamReply(context, dialect.frames(answer, request));
  const reply = jsonReply(200, dialect.headers(answer), dialect.whole(answer, request));
  return { ...reply, pieces: reply.pieces.map((piece) => ({ ...piece, afterMs: pacing.firstMs })) };
}

/** These events as a stream. */
export function streamReply({ dialect, request, answer, pacing }: ReplyContext, frames: readonly Frame[]): Reply {
  const type = request.framing === "sse" ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8";
  return {
    status: 200,
    headers: { "content-type": type, "cache-control": "no-cache", ...dialect.headers(answer) },
    pieces: encodeFrames(frames, request, pacing),
    isStream: true,
    ending: "done",
  };
}
