import type { Problem } from "../dialects/dialect.ts";

/** What the simulator does about one request. */
export type Behaviour =
  | {
      readonly type: "answer";
      readonly say: "words" | "echo" | "nothing" | { readonly text: string };
      readonly tokens?: number;
    }
  | { readonly type: "refuse"; readonly problem: Problem; readonly hintMs?: number; readonly message?: string }
  /** Begins to answer and goes quiet; with 0 tokens no content ever comes. */
  | { readonly type: "stall"; readonly tokens: number }
  /** Begins to answer and closes the socket. */
  | { readonly type: "cut"; readonly tokens: number }
  /** Tells the key that it was sent, in every way servers have of telling it: in an error, or in an answer. */
  | { readonly type: "leak"; readonly how: "refusal" | "answer" }
  | { readonly type: "fault"; readonly number: number; readonly parameter?: string };

/** A behaviour for the first so many requests; afterwards the next one, or a good answer. */
export interface TimedBehaviour {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly times?: number;
}

export const GOOD: Behaviour = { type: "answer", say: "words" };
