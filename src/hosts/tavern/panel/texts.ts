import { TEXTS_ZH } from "./texts-zh.ts";

/** All texts of the panel. */
const TEXTS_EN = {
  on: "on",
  off: "off",
  intro: "Retries failed generations of your scripts. The chat's Send button is not affected.",
  idle: "No generation is running.",
  running: (attempt: number) => (attempt === 1 ? "First attempt running" : `Retry ${attempt - 1} running`),
  waiting: (retry: number, seconds: number) => `Retry ${retry} in ${seconds} s`,
  model: (model: string) => `on ${model}`,
  retryNow: "Retry now",
  giveUp: "Give up",
  from: (min: string, max: string) => `${min} to ${max}`,
  mustBeNumber: (min: string, max: string) => `Not saved: enter a number from ${min} to ${max}.`,
  mustBeWhole: (min: string, max: string) => `Not saved: enter a whole number from ${min} to ${max}.`,
  preview: (delays: string, total: string) => `Retries after ${delays} (${total} in total)`,
  /** Of number fields and check boxes, by the name of the setting. */
  labels: {
    enabled: "Enable auto-retry",
    maxRetries: "Retries after the first call",
    retryDelayMs: "First delay (ms)",
    retryDelayMultiplier: "Delay multiplier",
    rateLimitDelayMs: "Delay (ms)",
    rateLimitMaxRetries: "Retries",
    thinkingTimeLimitMs: "No text after (ms)",
    streamingTimeoutMs: "No new text for (ms)",
    requiredContentEnabled: "Answers must contain",
    fallbackModelsEnabled: "Try these models when all retries have failed",
    filterEnabled: "Filter by generation id",
    showRetryToast: "Retries",
    showSuccessToast: "Success after a retry",
    showFailureToast: "Failure after all retries",
  },
  retry: { title: "Retry", summary: (retries: number) => `up to ${retries}` },
  rateLimit: {
    title: "Rate limit",
    note: "A longer delay in the error message takes precedence, up to 5 min; beyond that it is not waited for. These retries are counted separately.",
  },
  timeouts: {
    title: "Timeouts",
    note: "A timeout stops the attempt and retries at once. Reasoning does not count as text.",
  },
  content: {
    title: "Required content",
    isRegex: "Regular expression",
    pattern: "Text or pattern",
    empty: "Empty: no content is required.",
    refused: (reason: string) => `Not saved: the pattern ${reason}`,
    ignored: (reason: string) => `Secondwind does not check answers for required content: the stored pattern ${reason}`,
    note: "An answer without this content counts as failed and is retried. This also catches answers that were cut off.",
  },
  fallback: {
    title: "Fallback models",
    summary: (count: number) => (count === 1 ? "1 model" : `${count} models`),
    apiurl: "URL",
    key: "Key",
    model: "Model",
    source: "Source",
    add: "Add model",
    up: "Move up",
    down: "Move down",
    remove: "Remove",
    test: "Test",
    trial: {
      running: "Testing…",
      answered: (ms: number) => `Answered in ${ms} ms.`,
      failed: (reason: string) => `Failed: ${reason}`,
    },
    problems: {
      "not-a-web-address": "Not saved: the URL must start with http:// or https://.",
      "no-model": "Not saved: enter a model.",
      "no-source": "Not saved: enter a source.",
    } as Readonly<Record<string, string>>,
    warning: "Keys are stored in the script's variables. Every extension and script on this page can read them.",
  },
  filter: {
    title: "Filter",
    whitelist: "Retry only these ids",
    blacklist: "Do not retry these ids",
    ids: "Generation ids, one per line",
    noId: "Include calls without an id",
  },
  notifications: "Notifications",
};

export type Texts = typeof TEXTS_EN;
export const TEXTS: Readonly<Record<"en" | "zh", Texts>> = { en: TEXTS_EN, zh: TEXTS_ZH };
