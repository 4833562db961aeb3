import type { AttemptContext, Reading } from "../../kernel/index.ts";
import { sleep } from "../../system/index.ts";
import type { Scene } from "./script.ts";

/** One item of the scripted stream. `retracted` is not the endpoint's: it marks where a partial answer is taken back. */
export type Item = { readonly type: "open" | "done" | "retracted" } | { readonly type: "word"; readonly text: string };

export interface Scripted {
  readonly scenes: readonly [Scene, ...Scene[]];
  /** 1: as written; 10: ten times as fast. */
  readonly speed: number;
}

const WORD_MS = 85;
/** The watchdog ends it long before. */
const FOR_EVER_MS = 3_600_000;

/** An endpoint that plays its scenes, one for each attempt, in this process. */
export function scriptedEndpoint({ scenes, speed }: Scripted): (context: AttemptContext) => AsyncIterable<Item> {
  return async function* play({ attempt, signal }) {
    const scene = scenes[attempt - 1] ?? scenes.at(-1) ?? scenes[0];
    const pause = (ms: number): Promise<void> => sleep(ms / speed, signal);
    await pause(scene.afterMs);
    if (scene.type === "refuse") throw refusal(scene, speed);
    yield { type: "open" };
    if (scene.type === "cut") {
      await pause(300);
      throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
    }
    for (const text of scene.words.split(" ")) {
      await pause(WORD_MS);
      yield { type: "word", text };
    }
    if (scene.type === "stall") await sleep(FOR_EVER_MS, signal);
    yield { type: "done" };
  };
}

function refusal({ status, hintMs, body }: Extract<Scene, { type: "refuse" }>, speed: number): Error {
  const headers = hintMs === undefined ? {} : { "retry-after-ms": String(hintMs / speed) };
  return Object.assign(new Error(`HTTP ${status}`), { status, headers, body });
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
