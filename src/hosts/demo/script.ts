/** What the scripted endpoint does with one attempt. Times are of the unhurried demo. */
export type Scene =
  | {
      readonly type: "refuse";
      readonly afterMs: number;
      readonly status: number;
      readonly hintMs?: number;
      readonly body: unknown;
    }
  | { readonly type: "cut"; readonly afterMs: number }
  /** Some words, then nothing more ever comes. */
  | { readonly type: "stall"; readonly afterMs: number; readonly words: string }
  | { readonly type: "answer"; readonly afterMs: number; readonly words: string };

const OUTAGE: readonly Scene[] = [
  {
    type: "refuse",
    afterMs: 700,
    status: 429,
    hintMs: 4000,
    body: { error: { type: "rate_limit_error", message: "Too many requests, slow down" } },
  },
  { type: "cut", afterMs: 900 },
  {
    type: "refuse",
    afterMs: 700,
    status: 429,
    body: { error: { code: "insufficient_quota", message: "You exceeded your current quota" } },
  },
  {
    type: "refuse",
    afterMs: 800,
    status: 529,
    hintMs: 60_000,
    body: { error: { type: "overloaded_error", message: "Overloaded" } },
  },
  { type: "stall", afterMs: 800, words: "Once there was a question that" },
];

const ANSWER: Scene = {
  type: "answer",
  afterMs: 600,
  words:
    "A second wind is what you get when you keep going after you thought you could not. The request you sent " +
    "met five failures on its way here. You were told of each one, you waited only where waiting helped, " +
    "and this answer has come to you whole.",
};

const DOWN: Scene = {
  type: "refuse",
  afterMs: 700,
  status: 503,
  body: { error: { message: "Service unavailable" } },
};

/** The scenes in the order of the attempts. The last one stays. */
export function scriptOf(ending: "answer" | "outage"): readonly [Scene, ...Scene[]] {
  const [first, ...rest] = [...OUTAGE, ending === "answer" ? ANSWER : DOWN];
  return [first ?? ANSWER, ...rest];
}
