import { definePolicy, type PolicyInput } from "../../../src/kernel/decide/define-policy.ts";
import type { Failure, FailureKind } from "../../../src/kernel/model/failure.ts";
import type { Policy } from "../../../src/kernel/model/policy.ts";
import type { Ports } from "../../../src/kernel/model/ports.ts";
import type { Target } from "../../../src/kernel/model/target.ts";

export function target(provider = "a", model = "m", credential = "k"): Target {
  return { provider, model, credential };
}

export function failureOf(kind: FailureKind): Failure {
  return {
    kind,
    scope: "provider",
    retryable: true,
    message: "boom",
    status: undefined,
    code: undefined,
    hintMs: undefined,
    evidence: "test",
    target: undefined,
    cause: undefined,
  };
}

export function policyOf(input: PolicyInput): Policy {
  return definePolicy(input);
}

/** Ports of which only the report of faults may be used. */
export function reportingPorts(): { readonly ports: Ports; readonly faults: { fault: unknown; where: string }[] } {
  const faults: { fault: unknown; where: string }[] = [];
  const ports = { reportFault: (fault: unknown, where: string) => faults.push({ fault, where }) } as unknown as Ports;
  return { ports, faults };
}
