import type { Answer } from "../answer/answer.ts";
import type { Ask } from "../answer/ask.ts";

export type Provider = "openai" | "anthropic" | "gemini";

/** What a provider may refuse a request for, before it becomes a status and a body of its own. */
export type Problem =
  | "rate-limited"
  | "quota"
  | "overloaded"
  | "down"
  | "server-error"
  | "bad-gateway"
  | "timeout"
  | "overflow"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "bad-request"
  | "too-large";

/** How long to wait, as the provider says it: properly, or in any odd form (faults 46 to 51). */
export type RefusalHint =
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "odd"; readonly headers: Readonly<Record<string, string>>; readonly retryDelay: string };

export interface Refusal {
  readonly problem: Problem;
  readonly model: string;
  readonly hint?: RefusalHint | undefined;
  /** Instead of the provider's usual sentence. */
  readonly message?: string | undefined;
}

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What an event of a stream is there for. Faults are told by role, so that they mean the same in every wire format. */
export type FrameRole = "open" | "reasoning" | "text" | "tool" | "other" | "end";

/** One event of a stream: `data` is its text, usually JSON. */
export interface Frame {
  readonly role: FrameRole;
  readonly event?: string | undefined;
  readonly data: string;
}

/** What a dialect reads a request from. */
export interface Received {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  /** The text of the body, for the count of tokens. */
  readonly bodyChars: number;
}

/** One wire format. Everything else in the simulator is neutral. */
export interface Dialect {
  readonly provider: Provider;
  readonly readAsk: (received: Received) => Ask;
  /** The answer as the events of a stream. */
  readonly frames: (answer: Answer, ask: Ask) => readonly Frame[];
  /** The answer as one JSON value. */
  readonly whole: (answer: Answer, ask: Ask) => unknown;
  readonly refuse: (refusal: Refusal) => Refused;
  /** A refusal inside a stream that has begun with HTTP 200. */
  readonly errorFrame: (refusal: Refusal) => Frame;
  /** What the provider sends along with a good answer. */
  readonly headers: (answer: Answer) => Readonly<Record<string, string>>;
}

export function frame(role: FrameRole, data: unknown, event?: string): Frame {
  return { role, data: typeof data === "string" ? data : JSON.stringify(data), event };
}
