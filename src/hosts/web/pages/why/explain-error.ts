import { classifyError, verdictJson } from "../../../../explain/classify-error.ts";
import type { ErrorInput } from "../../../../explain/error-input.ts";
import { parsePaste } from "../../../../explain/parse-paste.ts";
import { decisionOf, type PolicyDecision, presetDecisions } from "../../../../explain/preset-decisions.ts";
import { DEFAULT_SCOPE, isUsuallyRetryable } from "../../../../kernel/classify/failure-defaults.ts";
import { definePolicy, type Failure, InvalidInput, type Policy } from "../../../../kernel/index.ts";
import { PRESETS } from "../../../../presets/index.ts";
import { maskSecrets } from "../../../../terminal/mask-secrets.ts";
import type { ActivityAttempt } from "../../../../wire/http/activity.ts";
import type { PolicyView } from "../../../../wire/http/server.ts";
import { api } from "../../api/http.ts";

/** Where the hint was found, and what else the error says. */
export interface HintSource {
  /** Name of the header; absent: it is in the text. */
  readonly header?: string;
  /** A shorter wait that the text names. */
  readonly textMs?: number;
}

/** Everything that is shown about an error. Secrets are masked. */
export interface Explained {
  readonly failure: Failure;
  readonly provider: string | undefined;
  readonly hintSource: HintSource | undefined;
  /** The presets in their order; the policy in use after them, if it is none of these. */
  readonly decisions: readonly PolicyDecision[];
  readonly json: string;
}

/** An envelope with an invalid field is refused with the engine's words. */
export type Explanation = Explained | { readonly refused: string };

interface Question {
  readonly text: string;
  readonly provider: string | undefined;
  readonly nowMs: number;
  /** The policy in use, if it is no preset. */
  readonly own: Policy | undefined;
}

/** What a pasted error means. Runs in the browser: the text goes nowhere. */
export function explainError({ text, provider, nowMs, own }: Question): Explanation {
  try {
    const pasted = parsePaste(text);
    const input: ErrorInput = { ...pasted, ...(provider !== undefined && { provider }) };
    const failure = classifyError(input, nowMs);
    return explained(failure, input.provider, sourceOf(input, failure, nowMs), own);
  } catch (error) {
    if (error instanceof InvalidInput) return { refused: error.message };
    throw error;
  }
}

/** The same for a recorded attempt, of which the provider's words are not known. */
export function explainAttempt(attempt: ActivityAttempt, own: Policy | undefined): Explained {
  const { kind = "unknown", status, hintMs, evidence = "", target } = attempt;
  const failure: Failure = {
    kind,
    scope: DEFAULT_SCOPE[kind] ?? "request",
    retryable: isUsuallyRetryable(kind),
    message: "",
    status,
    code: undefined,
    hintMs,
    evidence,
    confidence: "certain",
    target,
    cause: undefined,
  };
  return explained(failure, target.provider, undefined, own);
}

function explained(
  failure: Failure,
  provider: string | undefined,
  hintSource: HintSource | undefined,
  own: Policy | undefined,
): Explained {
  const masked = { ...failure, message: maskSecrets(failure.message), evidence: maskSecrets(failure.evidence) };
  return {
    failure: masked,
    provider,
    hintSource,
    decisions: [...presetDecisions(failure), ...(own === undefined ? [] : [decisionOf(own, failure)])],
    json: verdictJson(masked),
  };
}

/** Which part of the error gave the hint: each is asked alone. */
function sourceOf({ headers, ...rest }: ErrorInput, { hintMs }: Failure, nowMs: number): HintSource | undefined {
  if (hintMs === undefined) return undefined;
  const alone = (input: ErrorInput): number | undefined => classifyError(input, nowMs).hintMs;
  const { body: _, ...bare } = rest;
  const header = Object.keys(headers ?? {}).find(
    (name) => alone({ ...bare, headers: { [name]: headers?.[name] } }) === hintMs,
  );
  const textMs = alone(rest);
  return {
    ...(header !== undefined && { header }),
    ...(header !== undefined && textMs !== undefined && textMs !== hintMs && { textMs }),
  };
}

/** One of the user's own policies; undefined: it is a preset, which is explained anyway. */
export async function ownPolicy(name: string): Promise<Policy | undefined> {
  if (Object.hasOwn(PRESETS, name)) return undefined;
  const answer = await api.get<readonly PolicyView[] | { readonly policies: readonly PolicyView[] }>("/api/policies");
  const views = "policies" in answer ? answer.policies : answer;
  const view = views.find((one) => one.name === name);
  return view && definePolicy(view.policy);
}
