import {
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  definePolicy,
  MAX_DELAY_MS,
  type Policy,
  withDefaults,
} from "../kernel/index.ts";

/** The `retry` settings of an agent session. */
export interface SessionSettings {
  /** Default true. */
  readonly enabled?: boolean;
  /** Default 3. Moves to another credential or model count as well. */
  readonly maxRetries?: number;
  /** The first wait; it doubles. Default 2000. */
  readonly baseDelayMs?: number;
  /** A longer wait fails at once instead. Default 300000; 0 or less: no cap. */
  readonly maxDelayMs?: number;
  readonly fallbackRevertPolicy?: "cooldown-expiry" | "never";
}

const DEFAULTS = Object.freeze({
  enabled: true,
  maxRetries: 3,
  baseDelayMs: 2000,
  maxDelayMs: 300_000,
  fallbackRevertPolicy: "cooldown-expiry",
}) satisfies Required<SessionSettings>;

/** An agent's turn: three retries with 2, 4 and 8 seconds; a free credential or model is taken at once, without a wait. */
export function sessionPolicy(settings: SessionSettings = {}): Policy {
  const given = withDefaults(DEFAULTS, checkObject("settings", settings, Object.keys(DEFAULTS)));
  const maxDelayMs = checkNumber("settings.maxDelayMs", given.maxDelayMs, {
    min: Number.NEGATIVE_INFINITY,
    max: MAX_DELAY_MS,
  });
  return definePolicy({
    name: "session",
    enabled: checkBoolean("settings.enabled", given.enabled),
    schedules: {
      general: {
        type: "exponential",
        baseMs: checkNumber("settings.baseDelayMs", given.baseDelayMs, { min: 1, max: 3_600_000 }),
        factor: 2,
        atMost: checkNumber("settings.maxRetries", given.maxRetries, { min: 0, max: 1000, integer: true }),
      },
    },
    rules: { usage_limit: { action: "elsewhere", otherwise: "wait" } },
    maxDelayMs: maxDelayMs <= 0 ? null : maxDelayMs,
    fallback: {
      when: "immediate",
      movesCount: true,
      revert: checkOneOf("settings.fallbackRevertPolicy", given.fallbackRevertPolicy, ["cooldown-expiry", "never"]),
    },
  });
}
