/** A tool that the client offers. */
export interface OfferedTool {
  readonly name: string;
  /** A JSON schema, in the provider's spelling. */
  readonly schema: unknown;
}

/** A request to a model, independent of its wire format. */
export interface ModelRequest {
  readonly model: string;
  readonly isStreaming: boolean;
  /** The text of the last message. */
  readonly prompt: string;
  /** Characters of the whole request, for a plausible token count. */
  readonly inputChars: number;
  readonly tools: readonly OfferedTool[];
  /** `auto`: the prompt decides. `any`: a tool must be called. Otherwise the name of the tool. */
  readonly toolChoice: "auto" | "none" | "any" | { readonly name: string };
  /** Set if the last message is the result of a tool. */
  readonly toolResult?: string | undefined;
  readonly wantsReasoning: boolean;
  /** OpenAI chat streams usage only on demand. */
  readonly wantsUsage: boolean;
  readonly maxTokens?: number | undefined;
  /** The answer must be JSON that fits this schema. */
  readonly jsonSchema?: unknown;
  /** How a stream is framed. Gemini without `alt=sse` streams one JSON array. */
  readonly framing: "sse" | "json-array";
  /** Embeddings only: the texts, the encoding of the vectors, and whether the reply is a list. */
  readonly inputs?: readonly string[];
  readonly encoding?: "float" | "base64";
  readonly isBatch?: boolean;
}

/** A request for embeddings: nothing of it is generated. */
export function embeddingRequest(
  request: Pick<ModelRequest, "model" | "inputChars" | "encoding" | "isBatch"> & { readonly inputs: readonly string[] },
): ModelRequest {
  return {
    ...request,
    isStreaming: false,
    prompt: request.inputs.at(-1) ?? "",
    tools: [],
    toolChoice: "none",
    wantsReasoning: false,
    wantsUsage: true,
    framing: "sse",
  };
}

/** The provider rejects the request: becomes a 400 in the provider's format. */
export class InvalidRequest extends Error {}
