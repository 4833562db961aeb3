export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The same as the JSON text that is streamed. A fault may cut it. */
  readonly argumentsText: string;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

/** What will be said, before any dialect has put it into words. One chunk is one event of a stream, and one token. */
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

/** A fixed moment: the same seed gives the same bytes, whenever it runs. */
export const CREATED_SECONDS = Date.UTC(2026, 0, 1) / 1000;

/** The number of a block, of so many. */
export function blockIndex({ indexes }: Answer, place: number, count: number): number {
  return indexes === "rising" ? place : count - 1 - place;
}

/** A tool's arguments as the pieces in which they are streamed. */
export function argumentPieces({ argumentsText }: ToolCall): readonly string[] {
  return argumentsText.match(/[\s\S]{1,8}/g) ?? [""];
}
