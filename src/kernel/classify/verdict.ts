import type { FailureKind } from "../model/failure.ts";
import type { Facts } from "./facts.ts";
import { isUsuallyRetryable } from "./failure-defaults.ts";
import type { HeaderLookup } from "./read-headers.ts";

/** All that the rules look at. */
export interface Case {
  readonly facts: Facts;
  /** The failing status, from structure or, failing that, from the text. */
  readonly status: number | undefined;
  /** All texts in lower case, for the wordings. */
  readonly text: string;
  readonly headers: HeaderLookup;
  /** The provider's name in lower case; empty when unknown. */
  readonly provider: string;
  readonly hintMs: number | undefined;
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
}

export function verdict(kind: FailureKind, evidence: string, retryable = isUsuallyRetryable(kind)): Verdict {
  return { kind, retryable, evidence, code: undefined, isSpecific: false };
}
