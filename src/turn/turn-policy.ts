import {
  checkDelayFor,
  classify,
  definePolicy,
  FAILURE_KINDS,
  type Failure,
  type Policy,
  type PreparedPolicy,
  preparePolicy,
  type RuleInput,
} from "../kernel/index.ts";
import type { ProviderError } from "../providers/provider.ts";
import { ProviderProblem } from "../providers/provider-problem.ts";
import type { RetryStrategy } from "./retry-strategy.ts";

/** Marks an error that the provider did not flag: whatever its kind, the step ends with it. Never shown. */
const FINAL_MARK = "secondwind_final";

const ALWAYS: RuleInput = { action: "retry", when: "always" };

/**
 * K2 as data. The provider's flag decides, not the kind: flagged errors and thrown ones are retried, unflagged ones are not.
 * Only an overflow, which no repetition cures, and an abort are what they always are.
 */
const TURN_POLICY: Policy = definePolicy({
  name: "turn",
  rules: {
    ...Object.fromEntries(
      FAILURE_KINDS.filter((kind) => kind !== "context_overflow" && kind !== "aborted").map((kind) => [kind, ALWAYS]),
    ),
    // What was thrown comes with a flag, a bug in the program without.
    unknown: { action: "retry", when: "retryable" },
  },
  classify: [{ name: "not-flagged", when: { code: FINAL_MARK }, kind: "unknown", retryable: false }],
});

const NO_RETRY = preparePolicy(definePolicy({ enabled: false }, TURN_POLICY));

/** The policy of a step: its schedule is the strategy's. */
export function policyFor(strategy: RetryStrategy | undefined): PreparedPolicy {
  if (strategy === undefined) return NO_RETRY;
  const prepared = preparePolicy(TURN_POLICY);
  const [own] = prepared.schedules;
  if (own === undefined) return NO_RETRY;
  const delayFor = (retry: number): number | undefined => checkDelayFor("retry.delayFor", strategy.delayFor(retry - 1));
  return { ...prepared, schedules: [{ ...own, maxRetries: null, delayFor }] };
}

/** An emitted error, as this policy is to judge it. */
export function emittedProblem(error: ProviderError): ProviderProblem {
  return Object.assign(new ProviderProblem(error), error.retryable ? { retryable: true } : { type: FINAL_MARK });
}

/** What a provider threw, as this policy is to judge it. */
export function thrownProblem(thrown: unknown): unknown {
  const { kind, message, evidence } = classify(thrown);
  // A bug in the program is not cured by repeating it.
  if (kind === "aborted" || evidence.startsWith("program:")) return thrown;
  const said = thrown instanceof Error ? thrown.message : message;
  return { message: said, retryable: true, cause: thrown };
}

/** What is shown as the code: the HTTP status, if it is one of an error. An answer that broke off had begun with a 200. */
export function codeOf({ status, code }: Pick<Failure, "status" | "code">): string | undefined {
  if (status !== undefined && status >= 300) return String(status);
  return code === FINAL_MARK ? undefined : code;
}
