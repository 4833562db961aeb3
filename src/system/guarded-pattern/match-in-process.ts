import type { ContentVerdict } from "../../kernel/model/ports.ts";
import { compilePattern } from "./compile-pattern.ts";
import type { MatchRequest } from "./match-message.ts";

/** Measured on the slowest patterns: 22 to 34 ns for each character and instruction. */
const MS_PER_STEP = 40e-6;

let lastTurn: Promise<unknown> = Promise.resolve();

/**
 * For pages whose security policy allows no worker. Nothing could stop it here, so it only begins what its linear time
 * says will be over within the limit: 600,000 characters for a simple pattern and 250 ms, 6,000 for one of 1,000 steps.
 * Several checks go one by one with room for everything else in between.
 */
export function matchInProcess(request: Omit<MatchRequest, "id">, timeLimitMs: number): Promise<ContentVerdict> {
  const turn = lastTurn.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  lastTurn = turn;
  return turn.then(() => judge(request, timeLimitMs));
}

function judge({ text, pattern, flags }: Omit<MatchRequest, "id">, timeLimitMs: number): ContentVerdict {
  try {
    const compiled = compilePattern(pattern, flags);
    if (text.length * compiled.programSize() * MS_PER_STEP > timeLimitMs) return "inconclusive";
    return compiled.test(text) ? "present" : "missing";
  } catch {
    return "inconclusive";
  }
}
