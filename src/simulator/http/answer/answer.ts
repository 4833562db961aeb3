export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The same as JSON text. A fault may cut it. */
  readonly argumentsText: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** An answer, independent of the wire format. Each chunk is one event of a stream, and one token. */
export interface Answer {
  readonly id: string;
  readonly model: string;
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly toolCalls: readonly ToolCall[];
  readonly stop: "end" | "tool" | "length";
  readonly usage: Usage;
  /** Fault 40: blocks are numbered from the last to the first. */
  readonly indexes: "rising" | "falling";
}

/** A fixed time, so that the same seed always gives the same bytes. */
export const CREATED_SECONDS = Date.UTC(2026, 0, 1) / 1000;

/** The index of a block in the stream. */
export function blockIndex({ indexes }: Answer, place: number, count: number): number {
  return indexes === "rising" ? place : count - 1 - place;
}

/** The pieces in which a tool's arguments are streamed. */
export function argumentPieces({ argumentsText }: ToolCall): readonly string[] {
  return argumentsText.match(/[\s\S]{1,8}/g) ?? [""];
}
