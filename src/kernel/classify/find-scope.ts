import type { FailureScope } from "../model/failure.ts";
import { DEFAULT_SCOPE } from "./failure-defaults.ts";
import type { Case, Verdict } from "./verdict.ts";

/** "Rate limit reached for gpt-4o", "on this model", "PerModel": another model of the same key is free. */
const PER_MODEL =
  /(?:on|for) (?:this |the )?model\b|per[ _]?model|reached for (?!user|your|organi|account|request|token|this w)|base model/;
const WHOLE_SERVICE = /\b(?:server|service|system)s?\b/;

/** How far a failure reaches, where the words say more than the kind does. */
export function findScope(of: Verdict, c: Case): FailureScope {
  if (of.kind === "rate_limit" || of.kind === "usage_limit") {
    if (of.evidence === "header:x-model-quota-remaining") return "model";
    return PER_MODEL.test(c.text) || /permodel/i.test(c.facts.quotas) ? "model" : "credential";
  }
  if (of.kind === "overloaded") return WHOLE_SERVICE.test(c.text) ? "provider" : "model";
  return DEFAULT_SCOPE[of.kind];
}
