import type { AttemptContext, Reading } from "../../kernel/index.ts";
import { sleep } from "../../system/index.ts";

/** One item of the scripted stream. `retracted` marks where a partial answer is taken back. */
export type Item = { readonly type: "open" | "done" | "retracted" } | { readonly type: "word"; readonly text: string };

/** What the endpoint does in one attempt: wait, then fail, or send words and perhaps stall. Times at normal speed. */
type Scene = { readonly afterMs: number } & (
  | { readonly status: number; readonly hintMs?: number; readonly error: object }
  | { readonly words: string; readonly end: "cut" | "stall" | "done" }
);

const OUTAGE: readonly Scene[] = [
  {
    afterMs: 700,
    status: 429,
    hintMs: 4000,
    error: { type: "rate_limit_error", message: "Too many requests, slow down" },
  },
  { afterMs: 900, words: "", end: "cut" },
  { afterMs: 700, status: 429, error: { code: "insufficient_quota", message: "You exceeded your current quota" } },
  { afterMs: 800, status: 529, hintMs: 60_000, error: { type: "overloaded_error", message: "Overloaded" } },
  { afterMs: 800, words: "Once there was a question that", end: "stall" },
];

const ANSWER: Scene = {
  afterMs: 600,
  words:
    "A second wind is what you get when you keep going after you thought you could not. The request you sent " +
    "met five failures on its way here. You saw each one, you waited only where waiting helped, " +
    "and this answer has reached you whole.",
  end: "done",
};

const DOWN: Scene = { afterMs: 700, status: 503, error: { message: "Service unavailable" } };

const WORD_MS = 85;
const CUT_MS = 300;
/** The watchdog ends it long before. */
const STALL_MS = 3_600_000;

/** An endpoint in this process that plays one scene per attempt; the last one stays. `speed` divides all times. */
export function scriptedEndpoint(
  ending: "answer" | "outage",
  speed: number,
): (context: AttemptContext) => AsyncIterable<Item> {
  const last = ending === "answer" ? ANSWER : DOWN;
  return async function* play({ attempt, signal }) {
    const scene = OUTAGE[attempt - 1] ?? last;
    const pause = (ms: number): Promise<void> => sleep(ms / speed, signal);
    await pause(scene.afterMs);
    if ("status" in scene) {
      const { status, hintMs, error } = scene;
      const headers = hintMs === undefined ? {} : { "retry-after-ms": String(hintMs / speed) };
      throw Object.assign(new Error(`HTTP ${status}`), { status, headers, body: { error } });
    }
    yield { type: "open" };
    for (const text of scene.words.split(" ").filter((word) => word !== "")) {
      await pause(WORD_MS);
      yield { type: "word", text };
    }
    if (scene.end === "stall") await sleep(STALL_MS, signal);
    if (scene.end === "cut") {
      await pause(CUT_MS);
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    }
    yield { type: "done" };
  };
}

export function inspectItem({ type }: Item): Reading {
  switch (type) {
    case "open":
    case "retracted":
      return "noise";
    case "word":
      return "content";
    case "done":
      return "end";
    default:
      return type satisfies never;
  }
}
