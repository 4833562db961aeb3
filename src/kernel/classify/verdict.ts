import type { FailureKind } from "../model/failure.ts";
import type { Facts } from "./facts.ts";
import { isUsuallyRetryable } from "./failure-defaults.ts";
import type { HeaderLookup } from "./read-headers.ts";

/** All that the rules look at. */
export interface Case {
  readonly facts: Facts;
  /** The failing status, from structure or, failing that, from the text; of a layer without one, that of the whole. */
  readonly status: number | undefined;
  /** The same, but a layer's own only: an outer status does not contradict an inner code. */
  readonly ownStatus: number | undefined;
  /** All texts in lower case, for the wordings. */
  readonly text: string;
  readonly headers: HeaderLookup;
  /** The provider's name in lower case; empty when unknown. */
  readonly provider: string;
  readonly hintMs: number | undefined;
  /** The whole has a good status: an answer had begun. */
  readonly hasBegun: boolean;
}

/** What a rule makes of a case. */
export interface Verdict {
  readonly kind: FailureKind;
  readonly retryable: boolean;
  readonly evidence: string;
  /** The code that decided, where one did. */
  readonly code: string | undefined;
  /** Decided by something that says more than a status: wordings about other things no longer overturn it. */
  readonly isSpecific: boolean;
  /** How much it shows: a cause (3), what a status shows (2), what a vague wording or code shows (1), nothing (0). */
  readonly weight: Weight;
}

export type Weight = 0 | 1 | 2 | 3;

export function verdict(kind: FailureKind, evidence: string, retryable = isUsuallyRetryable(kind)): Verdict {
  return { kind, retryable, evidence, code: undefined, isSpecific: false, weight: 3 };
}
