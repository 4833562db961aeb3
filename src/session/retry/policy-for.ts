import { definePolicy, type Policy, type PreparedPolicy, preparePolicy } from "../../kernel/index.ts";
import { sessionPolicy } from "../../presets/index.ts";
import type { RetrySettings } from "../../wire/index.ts";
import type { SessionCore } from "../session-core.ts";
import { adaptPolicy, type TrackRecord } from "./adaptive-delay.ts";

/**
 * The policy of a step: what the settings make, with the changes for the provider that it starts with, and delays that learn
 * where the session has something to learn from.
 */
export function policyFor(
  { parts, options, settings, experience }: Pick<SessionCore, "parts" | "options" | "settings" | "experience">,
  provider: string,
  recordNow: () => TrackRecord | undefined,
): PreparedPolicy {
  const given = { ...settings, ...parts.settingsFor?.(provider) };
  const base = parts.policy?.(given, provider) ?? presetOf(given);
  // A provider may be called anything, also what every object has.
  const own = Object.hasOwn(parts.policies ?? {}, provider) ? parts.policies?.[provider] : undefined;
  // Listeners of a session take content back, whatever host the policy was made for, unless they say that they can't.
  const policy = definePolicy({ ...own, ...(options.sink !== "committed" && { afterContent: "restart" }) }, base);
  const prepared = preparePolicy(policy);
  return experience === undefined ? prepared : adaptPolicy(prepared, recordNow);
}

function presetOf({ maxRetries, baseDelayMs, maxDelayMs, fallbackRevertPolicy }: RetrySettings): Policy {
  return sessionPolicy({ maxRetries, baseDelayMs, maxDelayMs, fallbackRevertPolicy });
}
