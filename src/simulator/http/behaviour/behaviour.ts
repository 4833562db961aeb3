import type { ErrorName } from "../dialects/errors.ts";

/** What the simulator does with one request. */
export type Behaviour =
  | {
      readonly type: "answer";
      /** `words`: prose about the question and what it went through. `echo`: the last message. `empty`: a valid answer without content. */
      readonly content: "words" | "echo" | "empty" | FixedText;
      readonly tokens?: number | undefined;
    }
  | {
      readonly type: "error";
      readonly name: ErrorName;
      readonly hintMs?: number | undefined;
      readonly message?: string;
      /** Sent as `x-should-retry`, which the official SDKs obey. */
      readonly shouldRetry?: boolean;
    }
  /** Starts to answer and goes silent; with 0 tokens no content ever comes. */
  | { readonly type: "stall"; readonly tokens: number; readonly content?: FixedText }
  /** Starts to answer and closes the socket. */
  | { readonly type: "cut"; readonly tokens: number; readonly content?: FixedText }
  /** Returns the key of the request in every way that servers leak keys: in an error or in an answer. */
  | { readonly type: "leak"; readonly as: "error" | "answer" }
  | {
      readonly type: "fault";
      readonly number: number;
      readonly parameter?: string | undefined;
      readonly content?: FixedText;
    };

export interface FixedText {
  readonly text: string;
}

/** A behaviour for a number of requests. */
export interface TimedBehaviour {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Undefined: for all further requests. */
  readonly times?: number | undefined;
}

export const GOOD: Extract<Behaviour, { type: "answer" }> = { type: "answer", content: "words" };
