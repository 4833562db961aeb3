import type { ModelRequest } from "../answer/model-request.ts";
import type { Frame } from "../dialects/dialect.ts";
import { isToken, type Piece } from "./reply.ts";

export interface Pacing {
  /** Before the first event. */
  readonly firstMs: number;
  /** Before each token. */
  readonly tokenMs: number;
}

/** The events of a stream as bytes, with the pauses between them. */
export function encodeFrames(frames: readonly Frame[], { framing }: ModelRequest, pacing: Pacing): readonly Piece[] {
  const last = frames.length - 1;
  return frames.map((frame, place) => ({
    bytes: Buffer.from(framing === "sse" ? sseText(frame) : arrayText(frame, place, last)),
    role: frame.role,
    afterMs: pauseBefore(frame, place, pacing),
  }));
}

/** One event as text, with the given line end. Data of several lines becomes several data lines. */
export function sseText({ event, data }: Frame, lineEnd = "\n"): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...data.split("\n").map((line) => `data: ${line}`),
  ];
  return lines.map((line) => line + lineEnd).join("") + lineEnd;
}

/** Gemini without `alt=sse`: one JSON array, an element at a time. */
function arrayText({ data }: Frame, place: number, last: number): string {
  return `${place === 0 ? "[" : ""}${data}${place === last ? "]" : ",\r\n"}`;
}

function pauseBefore({ role }: Frame, place: number, { firstMs, tokenMs }: Pacing): number {
  if (place === 0) return firstMs;
  return isToken({ role }) ? tokenMs : 0;
}
