import type { Ask } from "../answer/ask.ts";
import type { Frame } from "../dialects/dialect.ts";
import type { Piece } from "./reply.ts";

export interface Pacing {
  /** Before the first event. */
  readonly firstMs: number;
  /** Before each token. */
  readonly tokenMs: number;
}

/** The events of a stream as bytes with their pauses. */
export function encodeFrames(frames: readonly Frame[], { framing }: Ask, pacing: Pacing): readonly Piece[] {
  const last = frames.length - 1;
  return frames.map((frame, place) => ({
    bytes: Buffer.from(framing === "sse" ? sseText(frame) : arrayText(frame, place, last)),
    role: frame.role,
    afterMs: pauseBefore(frame, place, pacing),
  }));
}

/** One event as text, in the line ends given. A data of several lines becomes several data lines. */
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
  return role === "text" || role === "reasoning" || role === "tool" ? tokenMs : 0;
}
