import type { ClassifyRule } from "../model/policy.ts";
import { normaliseCode } from "./code-table.ts";
import { isUsuallyRetryable } from "./failure-defaults.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";

/** The first of the policy's own rules whose conditions all hold. */
export function matchRule(rules: readonly ClassifyRule[], c: Case): Verdict | undefined {
  for (const rule of rules) {
    if (holds(rule, c)) {
      const made = verdict(rule.kind, `policy:${rule.name}`, rule.retryable ?? isUsuallyRetryable(rule.kind));
      // The user's word is final: no wording and no header overturns it.
      return { ...made, isSpecific: true };
    }
  }
  return undefined;
}

function holds({ when }: ClassifyRule, c: Case): boolean {
  if (when.status !== undefined && when.status !== c.status) return false;
  if (when.provider !== undefined && when.provider.toLowerCase() !== c.provider) return false;
  if (when.text !== undefined && !c.text.includes(when.text.toLowerCase())) return false;
  if (when.code === undefined) return true;
  const wanted = normaliseCode(when.code);
  return c.facts.codes.some((code) => normaliseCode(code) === wanted);
}
