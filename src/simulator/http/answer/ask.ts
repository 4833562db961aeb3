/** A tool that the client offers. */
export interface OfferedTool {
  readonly name: string;
  /** A JSON schema, in whatever spelling the provider has for it. */
  readonly schema: unknown;
}

/** What was asked, whichever wire format it came in. */
export interface Ask {
  readonly model: string;
  readonly isStreaming: boolean;
  /** The text of the last message. */
  readonly prompt: string;
  /** Characters of everything that was sent, for a plausible count of tokens. */
  readonly inputChars: number;
  readonly tools: readonly OfferedTool[];
  /** `auto`: the prompt decides. `any`: a tool must be called. Otherwise the name of the tool. */
  readonly toolChoice: "auto" | "none" | "any" | { readonly name: string };
  /** The last message is a tool's result: this one. */
  readonly toolResult?: string | undefined;
  readonly wantsReasoning: boolean;
  /** OpenAI chat tells usage in a stream only on demand. */
  readonly wantsUsage: boolean;
  readonly maxTokens?: number | undefined;
  /** The answer must be JSON after this schema. */
  readonly jsonSchema?: unknown;
  /** How a stream is framed. Gemini without `alt=sse` streams one JSON array. */
  readonly framing: "sse" | "json-array";
  /** Only for embeddings: the texts, how vectors travel, and whether a list of them was asked for. */
  readonly inputs?: readonly string[];
  readonly encoding?: "float" | "base64";
  readonly isBatch?: boolean;
}

/** The request makes no sense to the provider: it becomes a 400 in the provider's own shape. */
export class BadAsk extends Error {}
