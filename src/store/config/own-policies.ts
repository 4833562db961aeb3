import { definePolicy, type PolicyInput } from "../../kernel/index.ts";
import type { ConfigKey } from "./config-key.ts";

/** A policy of the user's own. */
export interface OwnPolicy {
  readonly name: string;
  /** The preset or policy that it started from. */
  readonly from?: string;
  readonly policy: PolicyInput;
}

export const POLICY_NAME = /^[\w .-]{1,64}$/;
const MOST_POLICIES = 200;

/** A list, not an object: `__proto__` is a valid name. */
export const ownPolicies: ConfigKey<readonly OwnPolicy[]> = {
  default: [],
  allowed: `a list of at most ${MOST_POLICIES} policies, each an object with name, policy and, if it was copied, from`,
  description: "policies of your own, as the server's page edits them",
  accepts: (value): value is readonly OwnPolicy[] =>
    Array.isArray(value) && value.length <= MOST_POLICIES && value.every(isOwnPolicy) && haveNames(value),
  // A policy that a later version has written may have fields that this one does not know.
  mend: (stored) => (Array.isArray(stored) ? stored.filter(isOwnPolicy).slice(0, MOST_POLICIES) : undefined),
};

function isOwnPolicy(value: unknown): value is OwnPolicy {
  if (typeof value !== "object" || value === null) return false;
  const { name, from, policy, ...rest } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || !POLICY_NAME.test(name) || Object.keys(rest).length > 0) return false;
  return (from === undefined || typeof from === "string") && isUsable(policy);
}

function isUsable(policy: unknown): policy is PolicyInput {
  try {
    definePolicy(policy as PolicyInput);
    return true;
  } catch {
    return false;
  }
}

function haveNames(policies: readonly OwnPolicy[]): boolean {
  return new Set(policies.map(({ name }) => name)).size === policies.length;
}
