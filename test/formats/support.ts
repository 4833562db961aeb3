import { EventCutter, type Piece } from "../../src/formats/index.ts";

/** An event of a chat with one choice. */
export function chunk(delta: object, finish_reason: string | null = null, index = 0): object {
  return { id: "c", object: "chat.completion.chunk", choices: [{ index, delta, finish_reason }] };
}

/** The last event of a response. */
export function completed(text: string): object {
  const output = [{ type: "message", content: [{ type: "output_text", text }] }];
  return { type: "response.completed", response: { object: "response", status: "completed", output } };
}

export function event(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Cuts a text that comes in chunks of this many bytes. */
export function cut(text: string, size = Number.POSITIVE_INFINITY): { pieces: readonly Piece[]; cutter: EventCutter } {
  const bytes = new TextEncoder().encode(text);
  const cutter = new EventCutter();
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length; at += size) pieces.push(...cutter.push(bytes.subarray(at, at + size)));
  return { pieces: [...pieces, ...cutter.end()], cutter };
}

export function readings(pieces: readonly Piece[]): readonly Piece["reading"][] {
  return pieces.map(({ reading }) => reading);
}

export function textOf(pieces: readonly Piece[]): string {
  return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString();
}

/** The events that were handed on, parsed. */
export function said(pieces: readonly Piece[]): readonly unknown[] {
  return textOf(pieces)
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data: "))
    .map((line) => (line === "data: [DONE]" ? "done" : JSON.parse(line.slice(6))));
}
