import type { ContentVerdict } from "../../kernel/model/ports.ts";
import { type MatchRequest, matchText } from "./match-text.ts";

/** Measured on the slowest patterns: 22 to 34 ns for each character and instruction. */
const STEPS_PER_MS = 25_000;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * For pages whose security policy allows no worker. Nothing could stop a match here, so it starts only what will,
 * given its linear time, finish within the limit: 600,000 characters for a simple pattern and 250 ms, 6,000 for one of 1,000 steps.
 * Checks run one at a time, each in its own turn of the event loop.
 */
export function matchInProcess(request: MatchRequest, timeLimitMs: number): Promise<ContentVerdict> {
  const turn = lastTurn.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  lastTurn = turn;
  return turn.then(() => matchText(request, timeLimitMs * STEPS_PER_MS));
}
