import type { ScenarioInput } from "../../src/simulator/http/index.ts";

type Behaviours = NonNullable<ScenarioInput["models"]>[string];

export interface Situation {
  readonly name: string;
  /** As the head of a column. */
  readonly title: string;
  /** What the provider does to the main model, in this order. */
  readonly behaviours: Behaviours;
}

/** Unlike anything that an agent says on its own. 60 words, so that faults after 40 tokens hit it with or without reasoning. */
export const ANSWER = [
  "Twelve ships passed the lighthouse before dawn, and the keeper wrote each name in his book.",
  "The first carried timber, the second salt, the third nothing but a letter for a town that had moved away.",
  "By noon the book was full, so he wrote the last names on the wall, where the sun would read them every evening.",
].join(" ");

const fine = { do: "ok", text: ANSWER };
const once = (name: string): Behaviours => [{ do: name, text: ANSWER }, fine];

/** What each run tries, unless told otherwise. */
export const SITUATIONS: readonly Situation[] = [
  { name: "calm", title: "calm", behaviours: [fine] },
  { name: "overloaded", title: "overloaded twice", behaviours: ["overloaded@2", fine] },
  { name: "cut", title: "cut once in the stream", behaviours: once("cut-40") },
  { name: "limited", title: "429, wait 1.5 s", behaviours: [{ do: "rate-limited", hintMs: 1500 }, fine] },
  { name: "down", title: "down", behaviours: ["down"] },
];

/** Details of the wire that a gateway has to know about. */
export const DETAILS: readonly Situation[] = [
  { name: "no-last-chunk", title: "last chunk missing", behaviours: once("fault-23") },
  { name: "no-end", title: "terminal event missing", behaviours: once("fault-37") },
  { name: "clean-half", title: "clean end in the middle", behaviours: once("fault-21") },
  { name: "error-first", title: "error event first", behaviours: once("fault-35") },
  { name: "error-later", title: "error event after content", behaviours: once("fault-36-40") },
  {
    name: "final",
    title: "503 with x-should-retry: false",
    behaviours: [{ do: "down", shouldRetry: false, message: "Gave up after 4 attempts" }],
  },
  {
    name: "final-429",
    title: "429 with x-should-retry: false",
    behaviours: [{ do: "rate-limited", hintMs: 60_000, shouldRetry: false, message: "Gave up after 4 attempts" }],
  },
  { name: "stall", title: "stalls once in the stream", behaviours: once("stall-40") },
];
