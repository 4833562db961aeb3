import type { ClassifyRule } from "../model/policy.ts";
import { normaliseCode } from "./code-table.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";

/** How the evidence of a user's rule begins. */
export const BY_POLICY = "policy:";

/** The first of the policy's own rules whose conditions all hold. The user's word is final: nothing overturns it. */
export function matchRule(rules: readonly ClassifyRule[], c: Case): Verdict | undefined {
  for (const rule of rules) {
    if (holds(rule, c)) return verdict(rule.kind, `${BY_POLICY}${rule.name}`, rule.retryable);
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
