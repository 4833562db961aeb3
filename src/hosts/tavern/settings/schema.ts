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

const range = (field: keyof typeof TAVERN_RANGES): z.ZodNumber => {
  const { min, max } = TAVERN_RANGES[field];
  const number = z.number().min(min).max(max);
  return "integer" in TAVERN_RANGES[field] ? number.int() : number;
};

/** Every setting, flat, under the name that it is stored by. */
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
export type SettingName = keyof Settings;

export const DEFAULT_SETTINGS: Settings = Object.freeze({
  ...TAVERN_DEFAULTS,
  filterGenerationIds: [],
  fallbackModelsEnabled: false,
  fallbackModels: [],
  showRetryToast: true,
  showSuccessToast: true,
  showFailureToast: true,
});

/** Settings from whatever was stored: the default for each part that is missing or unusable, the rest as it is. */
export function readSettings(stored: unknown): Settings {
  const entries = Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const parsed = schema.safeParse(mend(name, fieldOf(stored, name)));
    return [name, parsed.success ? parsed.data : DEFAULT_SETTINGS[name as SettingName]] as const;
  });
  return Object.freeze(Object.fromEntries(entries)) as unknown as Settings;
}

/** In a list one bad entry is no reason to lose the good ones. */
function mend(name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (name === "filterGenerationIds") return value.filter((id) => typeof id === "string");
  if (name !== "fallbackModels") return value;
  return value
    .filter((entry) => typeof entry === "object" && entry !== null)
    .map((entry: object) => ({
      apiurl: textOf(entry, "apiurl"),
      key: textOf(entry, "key"),
      model: textOf(entry, "model"),
      source: textOf(entry, "source") || "openai",
    }));
}

function textOf(entry: object, field: string): string {
  const value = fieldOf(entry, field);
  return typeof value === "string" ? value : "";
}

function fieldOf(stored: unknown, name: string): unknown {
  if (typeof stored !== "object" || stored === null) return undefined;
  return (stored as Readonly<Record<string, unknown>>)[name];
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text.trim()).protocol);
  } catch {
    return false;
  }
}
