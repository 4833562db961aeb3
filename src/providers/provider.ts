import type { Message, ToolCallPart, Usage } from "../wire/message.ts";
import type { OnHead } from "./line/one-call.ts";

/** A tool as the model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ProviderRequest {
  /** The model's own name at its provider, without the provider's. */
  readonly model: string;
  /** The id of the credential to use. Default: the provider's first. */
  readonly credential?: string;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  readonly maxTokens?: number;
  /** Reasoning effort. Default: the model's own. */
  readonly reasoning?: "low" | "medium" | "high";
  /** How the answer is drawn. What a provider does not know, it ignores or refuses. */
  readonly sampling?: Sampling;
  /** The answer is JSON; with a schema, of this shape. Default: text. */
  readonly json?: { readonly schema?: Readonly<Record<string, unknown>>; readonly name?: string };
  /** Called when the headers of the response have come, good or bad: they have the provider's limits. */
  readonly onHead?: OnHead;
}

export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
}

export type FinishReason = "end" | "tool-use" | "length" | "content-filter";

/**
 * The events of a call, in order. A stream that is whole ends with `usage` (if known) and `finish`; one that went wrong
 * ends with `error`. One that just ends is broken.
 */
export type ProviderEvent =
  | { readonly type: "text"; readonly text: string }
  /** With `providerData` its block is closed: reasoning that follows is a part of its own. */
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: unknown }
  /** Whole: its arguments parse, and the stream has come to its proper end. */
  | ({ readonly type: "tool-call" } & Omit<ToolCallPart, "type">)
  /**
   * A sign of life without content. `isProgress`: of the model, which writes a tool's arguments, say. Otherwise it is only the
   * connection's (a keep-alive, an opening event), and no reason for a watchdog to wait any longer.
   */
  | { readonly type: "alive"; readonly isProgress?: true }
  | ({ readonly type: "usage" } & Usage)
  | { readonly type: "finish"; readonly reason: FinishReason }
  | ProviderError;

/** A request that failed, as an event: before the first token, or in the middle of the stream. */
export interface ProviderError {
  readonly type: "error";
  /** The endpoint's words, verbatim: "HTTP 429: {…}". Secrets are taken out. */
  readonly message: string;
  /** K8: status >= 500 or 429; a network fault that passes. */
  readonly retryable: boolean;
  readonly status?: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What was thrown or received, for the classifier. Never shown, stored or sent. */
  readonly cause?: unknown;
}

/** One provider, whatever is behind it. */
export interface Provider {
  readonly name: string;
  /** Never throws for a request that fails: that is an `error` event. Aborting the signal closes the socket and ends the stream. */
  stream(request: ProviderRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
  /** One vector for each text. Absent: this provider has no embeddings. Rejects with the provider's error. */
  embed?(request: EmbedRequest, signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

export interface EmbedRequest {
  readonly model: string;
  readonly credential?: string;
  readonly texts: readonly string[];
}
