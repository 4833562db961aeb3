import type { Answer } from "../answer/answer.ts";
import type { ModelRequest } from "../answer/model-request.ts";
import type { Reply } from "../wire/reply.ts";
import type { ProviderError } from "./errors.ts";

export type Provider = "openai" | "anthropic" | "gemini";

/** What an event of a stream contains. Faults select events by role, so they mean the same in every wire format. */
export type FrameRole = "open" | "reasoning" | "text" | "tool" | "other" | "end";

/** One event of a stream: `data` is its text, usually JSON. */
export interface Frame {
  readonly role: FrameRole;
  readonly event?: string | undefined;
  readonly data: string;
}

/** An HTTP request with its body parsed. */
export interface HttpRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** Length of the body's text, for the token count. */
  readonly bodyChars: number;
}

/** One wire format. The rest of the simulator is the same for all of them. */
export interface Dialect {
  readonly provider: Provider;
  readonly readRequest: (request: HttpRequest) => ModelRequest;
  /** The answer as the events of a stream. */
  readonly frames: (answer: Answer, request: ModelRequest) => readonly Frame[];
  /** The answer as one JSON value. */
  readonly whole: (answer: Answer, request: ModelRequest) => unknown;
  readonly errorReply: (error: ProviderError) => Reply;
  /** An error inside a stream that has started with HTTP 200. */
  readonly errorFrame: (error: ProviderError) => Frame;
  /** The headers of a successful reply. */
  readonly headers: (answer: Answer) => Readonly<Record<string, string>>;
}

export function frame(role: FrameRole, data: unknown, event?: string): Frame {
  return { role, data: typeof data === "string" ? data : JSON.stringify(data), event };
}
