import { MAX_DELAY_MS } from "../../kernel/decide/schedule-check.ts";
import { checkNumber, checkObject } from "../../kernel/model/check.ts";
import type { ContentCheck } from "../../kernel/model/ports.ts";
import { createGuardedMatcher } from "./guarded-matcher.ts";
import { type StartWorker, startWorker } from "./start-worker.ts";

export interface ContentCheckOptions {
  /** How long a pattern may take for one answer, 1 to 2^31-1. Default 250. Longer: "inconclusive". */
  readonly timeLimitMs?: number;
  /** Default: a thread on Node, a worker from a blob in a browser. */
  readonly startWorker?: StartWorker;
}

export type ClosableContentCheck = ContentCheck & {
  /** Stops the worker. Checks under way, and patterns from now on, are "inconclusive". */
  close(): void;
};

const DEFAULT_TIME_LIMIT_MS = 250;
/** A longer answer is "inconclusive" for a pattern; plain text has no such limit. */
const MOST_CHARACTERS = 2_000_000;

/**
 * Checks required content (E16). Plain text is searched at once. A pattern is matched in linear time, in a worker, under
 * a time limit: no pattern can hang or slow down the host. An empty answer always lacks the required content.
 */
export function createContentCheck(options: ContentCheckOptions = {}): ClosableContentCheck {
  checkObject("options", options, ["timeLimitMs", "startWorker"]);
  const { timeLimitMs = DEFAULT_TIME_LIMIT_MS } = options;
  checkNumber("options.timeLimitMs", timeLimitMs, { min: 1, max: MAX_DELAY_MS, integer: true });
  const matcher = createGuardedMatcher({
    timeLimitMs,
    startWorker: options.startWorker ?? startWorker,
    loadSource,
    matchHere: async (request, limitMs) => (await import("./match-in-process.ts")).matchInProcess(request, limitMs),
  });

  const check: ContentCheck = (text, requirement) => {
    if (text.length === 0) return "missing";
    if ("text" in requirement) return text.includes(requirement.text) ? "present" : "missing";
    if (text.length > MOST_CHARACTERS) return "inconclusive";
    return matcher.match({ text, pattern: requirement.pattern, flags: requirement.flags ?? "" });
  };
  return Object.assign(check, { close: matcher.close });
}

/** The regex engine is loaded when the first pattern comes, if ever: it is larger than all the rest. */
async function loadSource(): Promise<string> {
  const { default: source } = await import("./match-worker.ts?worker-source");
  // Unbundled (tsx), the import gives a module instead of a string: then there is no worker.
  if (typeof source !== "string") throw new Error("The worker's source is not bundled.");
  return source;
}
