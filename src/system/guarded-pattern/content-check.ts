import { MAX_DELAY_MS } from "../../kernel/decide/schedule.ts";
import { checkObject } from "../../kernel/model/check.ts";
import { InvalidInput } from "../../kernel/model/invalid-input.ts";
import type { ContentCheck } from "../../kernel/model/ports.ts";
import { createGuardedMatcher, type GuardedMatcherOptions } from "./guarded-matcher.ts";
import { startWorker } from "./start-worker.ts";

export interface ContentCheckOptions {
  /** How long a pattern may work on one answer. 1 to 2^31-1, default 250. Beyond: "inconclusive". */
  readonly timeLimitMs?: number;
  /** How long an unused worker is kept. 0 to 2^31-1, default 10,000. */
  readonly idleMs?: number;
  /** Longer answers are "inconclusive" for a pattern; a plain text has no such limit. Default 2,000,000 characters. */
  readonly mostCharacters?: number;
  /** Checks that may wait for the worker; more are "inconclusive". Default 1000. */
  readonly mostWaiting?: number;
  /** For tests and for hosts with workers of their own. */
  readonly startWorker?: GuardedMatcherOptions["startWorker"];
}

export type ClosableContentCheck = ContentCheck & {
  /** Stops the worker. Checks under way, and patterns from now on, are "inconclusive". */
  close(): void;
};

const DEFAULTS = { timeLimitMs: 250, idleMs: 10_000, mostCharacters: 2_000_000, mostWaiting: 1000 } as const;

/**
 * Checks required content (E16). Plain text is looked for at once. A pattern is matched in linear time, in a worker, under
 * a time limit: whatever a user has written there, it neither hangs nor slows the host. An empty answer lacks everything.
 */
export function createContentCheck(options: ContentCheckOptions = {}): ClosableContentCheck {
  checkObject("options", options, [...Object.keys(DEFAULTS), "startWorker"]);
  const { timeLimitMs, idleMs, mostCharacters, mostWaiting } = { ...DEFAULTS, ...options };
  checkWhole("timeLimitMs", timeLimitMs, 1);
  checkWhole("idleMs", idleMs, 0);
  checkWhole("mostCharacters", mostCharacters, 0);
  checkWhole("mostWaiting", mostWaiting, 1);
  const matcher = createGuardedMatcher({
    timeLimitMs,
    idleMs,
    mostWaiting,
    startWorker: options.startWorker ?? startWorker,
    loadSource,
    matchHere: async (request, limitMs) => (await import("./match-in-process.ts")).matchInProcess(request, limitMs),
  });

  const check: ContentCheck = (text, requirement) => {
    if (text.length === 0) return "missing";
    if ("text" in requirement) return text.includes(requirement.text) ? "present" : "missing";
    if (text.length > mostCharacters) return "inconclusive";
    return matcher.match({ text, pattern: requirement.pattern, flags: requirement.flags ?? "" });
  };
  return Object.assign(check, { close: matcher.close });
}

/** The regex engine is loaded when the first pattern comes, if ever: it is larger than all the rest. */
async function loadSource(): Promise<string> {
  const { default: source } = await import("./match-worker.ts?worker-source");
  // Run unbundled (tsx), the import gives a module instead of a text: then there is no worker.
  if (typeof source !== "string") throw new Error("The worker's source is not bundled.");
  return source;
}

function checkWhole(field: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= MAX_DELAY_MS) return;
  throw new InvalidInput(`contentCheck.${field}`, value, `a whole number from ${least} to ${MAX_DELAY_MS}`);
}
