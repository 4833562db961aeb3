import type { Answer } from "../answer/answer.ts";
import type { Ask } from "../answer/ask.ts";
import type { Dialect, Frame } from "../dialects/dialect.ts";
import { encodeFrames, type Pacing } from "./encode-frames.ts";
import { jsonReply, type Reply } from "./reply.ts";

/** What a reply is made from. Faults change one of these, or what comes out. */
export interface Scene {
  readonly dialect: Dialect;
  readonly ask: Ask;
  readonly answer: Answer;
  readonly pacing: Pacing;
}

/** The good answer, streamed or whole, as was asked. */
export function answerReply(scene: Scene): Reply {
  const { dialect, ask, answer, pacing } = scene;
  if (ask.isStreaming) return streamReply(scene, dialect.frames(answer, ask));
  const reply = jsonReply(200, dialect.headers(answer), dialect.whole(answer, ask));
  return { ...reply, pieces: reply.pieces.map((piece) => ({ ...piece, afterMs: pacing.firstMs })) };
}

/** These events as a stream. */
export function streamReply({ dialect, ask, answer, pacing }: Scene, frames: readonly Frame[]): Reply {
  const type = ask.framing === "sse" ? "text/event-stream; charset=utf-8" : "application/json; charset=utf-8";
  return {
    status: 200,
    headers: { "content-type": type, "cache-control": "no-cache", ...dialect.headers(answer) },
    pieces: encodeFrames(frames, ask, pacing),
    isStream: true,
    ending: "done",
  };
}
