import { definePolicy, type Policy, type PreparedPolicy, preparePolicy } from "../kernel/index.ts";
import { sessionPolicy } from "../presets/index.ts";
import type { RetrySettings } from "../wire/index.ts";
import { adaptPolicy, type TrackRecord } from "./adaptive-delay.ts";
import type { SessionCore } from "./session-core.ts";

/**
 * The policy of a step: what the settings make, with the changes for the provider that it starts with, and delays that learn
 * where the session has something to learn from.
 */
export function policyFor(
  { parts, settings, experience }: Pick<SessionCore, "parts" | "settings" | "experience">,
  provider: string,
  recordNow: () => TrackRecord | undefined,
): PreparedPolicy {
  const base = parts.policy?.(settings) ?? presetOf(settings);
  // A provider may be called anything, also what every object has.
  const own = Object.hasOwn(parts.policies ?? {}, provider) ? parts.policies?.[provider] : undefined;
  // The session's listeners can take content back, whatever the policy's own home is.
  const policy = definePolicy({ ...own, afterContent: "restart" }, base);
  const prepared = preparePolicy(policy);
  return experience === undefined ? prepared : adaptPolicy(prepared, recordNow);
}

function presetOf({ enabled, maxRetries, baseDelayMs, maxDelayMs, fallbackRevertPolicy }: RetrySettings): Policy {
  return sessionPolicy({ enabled, maxRetries, baseDelayMs, maxDelayMs, fallbackRevertPolicy });
}
