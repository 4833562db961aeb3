import type { Confidence, FailureKind, FailureScope, GivenUp } from "../model/failure.ts";
import { type Facts, isSameStatement } from "./facts.ts";

/** What the facts of a problem come to. */
export interface Finding {
  readonly kind: FailureKind;
  readonly scope: FailureScope;
  readonly retryable: boolean;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly hintMs: number | undefined;
  readonly evidence: string;
  readonly confidence: Confidence;
  readonly below: GivenUp | undefined;
}

interface Known {
  readonly facts: Facts;
  readonly provider: string;
  readonly finding: Finding;
}

/** In an outage thousands of calls fail with the same words, one after another. */
let last: Known | undefined;

/** The finding on the last facts, if these state the same: the wordings need not be searched again. */
export function recallFinding(facts: Facts, provider: string): Finding | undefined {
  if (last === undefined || last.provider !== provider || !isSameStatement(last.facts, facts)) return undefined;
  return last.finding;
}

/** Remembers what depends on the words alone: headers and moments make the same words mean something else. */
export function rememberFinding(facts: Facts, provider: string, finding: Finding): void {
  const { headers, retryDelay, waits, resetsAt } = facts;
  const isWordsAlone = headers.length === 0 && retryDelay === undefined && waits === "" && resetsAt === undefined;
  if (isWordsAlone) last = { facts, provider, finding };
}
