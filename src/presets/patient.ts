import { definePolicy, type Policy, STEPPED_PATIENT } from "../kernel/index.ts";

/** The server's turns: from five seconds to half an hour between tries, for eight hours. Every 429 and 5xx is waited out. */
const PATIENT_POLICY: Policy = definePolicy({
  name: "patient",
  schedules: { general: STEPPED_PATIENT },
  rules: {
    rate_limit: { action: "retry", when: "always" },
    usage_limit: { action: "elsewhere", otherwise: "retry" },
  },
  // An unpaid bill counts as a used-up quota, but no wait pays it.
  statuses: { 402: "elsewhere" },
  fallback: { when: "after-retries" },
});

export function patientPolicy(): Policy {
  return PATIENT_POLICY;
}
