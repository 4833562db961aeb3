import { z } from "zod";
import { mendChains } from "./mend-chains.ts";

export const roleSchema = z.string().min(1).describe("`default`, `small`, or a custom role");

const DEFAULT_CHAINS: Record<string, string[]> = {};

/** S1: the settings group `retry`. Bounds and defaults are in the schema. */
export interface RetrySettings {
  readonly enabled: boolean;
  readonly maxRetries: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  /** Role → `provider/model` in order. */
  readonly fallbackChains: Readonly<Record<string, readonly string[]>>;
  readonly fallbackRevertPolicy: "cooldown-expiry" | "never";
}

export const retrySettingsSchema = z.object({
  enabled: z.boolean().default(true),
  maxRetries: z.int().min(0).max(1000).default(3).describe("changing the credential or model counts too"),
  baseDelayMs: z.number().min(1).max(3_600_000).default(2000).describe("the first wait; it doubles"),
  maxDelayMs: z.number().max(2_147_483_647).default(300_000).describe("a longer wait fails at once; 0 or less: no cap"),
  fallbackChains: z
    // Any text: an invalid selector is skipped with a warning, and the others still work.
    .record(roleSchema, z.array(z.string()))
    .default(DEFAULT_CHAINS)
    .describe("role → `provider/model` in order; the chain starts after the current model"),
  fallbackRevertPolicy: z.enum(["cooldown-expiry", "never"]).default("cooldown-expiry"),
});

/** Stored settings. A field that is missing or damaged has its default; the others stay. */
export function readRetrySettings(stored: unknown): RetrySettings {
  const given = typeof stored === "object" && stored !== null ? (stored as Record<string, unknown>) : {};
  const sound = Object.entries(retrySettingsSchema.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(name === "fallbackChains" ? mendChains(given[name]) : given[name]);
    return parsed.success ? [[name, parsed.data] as const] : [];
  });
  return retrySettingsSchema.parse(Object.fromEntries(sound));
}
