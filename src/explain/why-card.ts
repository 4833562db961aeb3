import { classifyError } from "./classify-error.ts";
import type { ErrorInput } from "./error-input.ts";
import { EXPLANATIONS } from "./explain-kind.ts";
import { presetVerdicts } from "./preset-verdict.ts";
import { willWaitingHelp } from "./will-waiting-help.ts";

/** Everything that is shown about an error. `mask` takes secrets out of the provider's own words. */
export function whyCard(input: ErrorInput, wallNowMs: number, mask: (text: string) => string) {
  const failure = classifyError(input, wallNowMs);
  const { kind, scope, retryable, hintMs, evidence, confidence, status, message } = failure;
  return {
    kind,
    scope,
    retryable,
    hintMs: hintMs ?? null,
    evidence: mask(evidence),
    confidence,
    status: status ?? null,
    message: mask(message),
    ...EXPLANATIONS[kind],
    willWaitingHelp: willWaitingHelp(failure),
    verdicts: presetVerdicts(failure),
  };
}
