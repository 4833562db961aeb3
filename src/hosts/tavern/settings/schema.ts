import * as z from "zod";
import { TAVERN_DEFAULTS, TAVERN_RANGES } from "../../../presets/index.ts";

/** One model to fall back on. */
export const fallbackModelSchema = z.object({
  apiurl: z.string().refine(isWebAddress, "not-a-web-address"),
  key: z.string(),
  model: z.string().refine((model) => model.trim() !== "", "no-model"),
  source: z.string().refine((source) => source.trim() !== "", "no-source"),
});
export type FallbackModel = z.infer<typeof fallbackModelSchema>;

function range(field: keyof typeof TAVERN_RANGES): z.ZodNumber {
  const { min, max } = TAVERN_RANGES[field];
  const number = z.number().min(min).max(max);
  return "integer" in TAVERN_RANGES[field] ? number.int() : number;
}

/** Every setting, under the name it is stored by. */
export const settingsSchema = z.object({
  enabled: z.boolean(),
  maxRetries: range("maxRetries"),
  retryDelayMs: range("retryDelayMs"),
  retryDelayMultiplier: range("retryDelayMultiplier"),
  rateLimitDelayMs: range("rateLimitDelayMs"),
  rateLimitMaxRetries: range("rateLimitMaxRetries"),
  streamingTimeoutMs: range("streamingTimeoutMs"),
  thinkingTimeLimitMs: range("thinkingTimeLimitMs"),
  requiredContentEnabled: z.boolean(),
  requiredContentPattern: z.string(),
  requiredContentIsRegex: z.boolean(),
  fallbackModelsEnabled: z.boolean(),
  fallbackModels: z.array(z.object({ apiurl: z.string(), key: z.string(), model: z.string(), source: z.string() })),
  filterEnabled: z.boolean(),
  filterMode: z.enum(["whitelist", "blacklist"]),
  filterGenerationIds: z.array(z.string()),
  showRetryToast: z.boolean(),
  showSuccessToast: z.boolean(),
  showFailureToast: z.boolean(),
});
export type Settings = Readonly<z.infer<typeof settingsSchema>>;
type SettingName = keyof Settings;

export const DEFAULT_SETTINGS: Settings = Object.freeze({
  ...TAVERN_DEFAULTS,
  filterGenerationIds: [],
  fallbackModelsEnabled: false,
  fallbackModels: [],
  showRetryToast: true,
  showSuccessToast: true,
  showFailureToast: true,
});

const storedModelSchema = z.object({
  apiurl: z.string().catch(""),
  key: z.string().catch(""),
  model: z.string().catch(""),
  source: z.string().min(1).catch("openai"),
});

/** Reads stored lists entry by entry, so that one bad entry does not lose the others. */
const storedSchemas: Readonly<Record<SettingName, z.ZodType>> = {
  ...settingsSchema.shape,
  fallbackModels: z
    .array(z.unknown())
    .transform((list) => list.flatMap((it) => storedModelSchema.safeParse(it).data ?? [])),
  filterGenerationIds: z.array(z.unknown()).transform((ids) => ids.filter((id) => typeof id === "string")),
};

/** Settings from any stored value: the default for each part that is missing or invalid. */
export function readSettings(stored: unknown): Settings {
  const given = Object(stored) as Readonly<Record<string, unknown>>;
  const entries = Object.entries(storedSchemas).map(([name, schema]) => [
    name,
    schema.safeParse(given[name]).data ?? DEFAULT_SETTINGS[name as SettingName],
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}
