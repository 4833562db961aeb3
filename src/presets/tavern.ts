import {
  type ClassifyRule,
  type ContentRequirement,
  checkArray,
  checkBoolean,
  checkNumber,
  checkObject,
  checkOneOf,
  checkString,
  definePolicy,
  type Policy,
  withDefaults,
} from "../kernel/index.ts";
import { readPattern } from "./written-pattern.ts";

/** Those settings of the SillyTavern script that make its policy. Names, ranges and defaults are the script's. */
export interface TavernSettings {
  readonly enabled?: boolean;
  readonly maxRetries?: number;
  readonly retryDelayMs?: number;
  readonly retryDelayMultiplier?: number;
  readonly rateLimitDelayMs?: number;
  readonly rateLimitMaxRetries?: number;
  readonly streamingTimeoutMs?: number;
  readonly thinkingTimeLimitMs?: number;
  readonly requiredContentEnabled?: boolean;
  readonly requiredContentPattern?: string;
  readonly requiredContentIsRegex?: boolean;
  readonly filterEnabled?: boolean;
  readonly filterMode?: "whitelist" | "blacklist";
  readonly filterGenerationIds?: readonly string[];
}

export const TAVERN_DEFAULTS = Object.freeze({
  enabled: true,
  maxRetries: 3,
  retryDelayMs: 1000,
  retryDelayMultiplier: 1.5,
  rateLimitDelayMs: 30_000,
  rateLimitMaxRetries: 5,
  streamingTimeoutMs: 30_000,
  thinkingTimeLimitMs: 120_000,
  requiredContentEnabled: false,
  requiredContentPattern: "",
  requiredContentIsRegex: false,
  filterEnabled: false,
  filterMode: "blacklist",
  filterGenerationIds: Object.freeze([]) as readonly string[],
}) satisfies Required<TavernSettings>;

/** The ranges that the panel shows and the schema checks. */
export const TAVERN_RANGES = Object.freeze({
  maxRetries: { min: 1, max: 20, integer: true },
  retryDelayMs: { min: 100, max: 60_000, integer: true },
  retryDelayMultiplier: { min: 1, max: 5 },
  rateLimitDelayMs: { min: 1000, max: 300_000, integer: true },
  rateLimitMaxRetries: { min: 1, max: 10, integer: true },
  streamingTimeoutMs: { min: 5000, max: 300_000, integer: true },
  thinkingTimeLimitMs: { min: 10_000, max: 600_000, integer: true },
});

/** A rate limit that asks for more is not waited for. */
const LONGEST_HINT_MS = 300_000;

/** Names the rule for the text that the host makes of a used-up quota, for which it opens a dialog. */
export const HOST_QUOTA = "host-quota";

/** Client errors that say nothing against the request: not retried either, but another model may accept it. */
const TRANSIENT_4XX = [408, 409, 420, 424, 425, 499];

/**
 * Texts that the host itself returns in place of an error. A stop by hand, an id that is in use and the bare phrase of a 402 without
 * its number are not worth a retry: no wait pays a bill. The host turns a 429 for a used-up quota into the text of an object.
 */
const HOST_TEXTS: readonly ClassifyRule[] = [
  { name: "id-in-use", when: { text: "请求正在进行中" }, kind: "bad_request" },
  { name: "id-in-use", when: { text: "already running" }, kind: "bad_request" },
  { name: "unpaid", when: { text: "payment required" }, kind: "permission" },
  { name: "stopped-by-id", when: { text: "已停止" }, kind: "aborted" },
  { name: "stop-button", when: { text: "点击停止按钮" }, kind: "aborted" },
  { name: "stop-button", when: { text: "clicked stop button" }, kind: "aborted" },
  { name: HOST_QUOTA, when: { text: "[object Object]" }, kind: "rate_limit" },
];

/**
 * A chat in SillyTavern: rate limits have their own counter, quotas are treated alike; the watchdogs' retries start at
 * once, because the wait is behind us; an unknown text is worth a try, because this host's errors are texts.
 */
export function tavernPolicy(settings: TavernSettings = {}): Policy {
  const given = withDefaults(TAVERN_DEFAULTS, checkObject("settings", settings, Object.keys(TAVERN_DEFAULTS)));
  const number = (field: keyof typeof TAVERN_RANGES): number =>
    checkNumber(`settings.${field}`, given[field], TAVERN_RANGES[field]);
  const maxRetries = number("maxRetries");
  const patiently = {
    action: "retry",
    schedule: "rate-limit",
    when: "always",
    maxDelayMs: LONGEST_HINT_MS,
  } as const;
  return definePolicy({
    name: "tavern",
    enabled: checkBoolean("settings.enabled", given.enabled),
    schedules: {
      general: {
        type: "exponential",
        baseMs: number("retryDelayMs"),
        factor: number("retryDelayMultiplier"),
        atMost: maxRetries,
      },
      "rate-limit": { type: "fixed", delayMs: number("rateLimitDelayMs"), atMost: number("rateLimitMaxRetries") },
    },
    rules: {
      rate_limit: patiently,
      usage_limit: patiently,
      silent: { action: "retry", delay: "none" },
      stalled: { action: "retry", delay: "none" },
      unknown: { action: "retry", when: "always" },
      context_overflow: "stop",
    },
    classify: HOST_TEXTS,
    // An unpaid bill counts as a used-up quota, but no wait pays it.
    statuses: Object.fromEntries([402, ...TRANSIENT_4XX].map((status) => [status, "elsewhere"])),
    fallback: { when: "after-retries", triesPerFallback: maxRetries },
    watchdog: { firstContentMs: number("thinkingTimeLimitMs"), idleMs: number("streamingTimeoutMs") },
    require: requirementOf(given),
    filter: filterOf(given),
  });
}

function requirementOf(given: Readonly<Record<string, unknown>>): ContentRequirement | null {
  const pattern = checkString("settings.requiredContentPattern", given.requiredContentPattern);
  const isRegex = checkBoolean("settings.requiredContentIsRegex", given.requiredContentIsRegex);
  if (!checkBoolean("settings.requiredContentEnabled", given.requiredContentEnabled) || pattern === "") return null;
  return isRegex ? readPattern(pattern) : { text: pattern };
}

function filterOf(given: Readonly<Record<string, unknown>>): Policy["filter"] {
  const mode = checkOneOf("settings.filterMode", given.filterMode, ["whitelist", "blacklist"]);
  const field = "settings.filterGenerationIds";
  const ids = checkArray(field, given.filterGenerationIds).map((id, i) => checkString(`${field}[${i}]`, id));
  return checkBoolean("settings.filterEnabled", given.filterEnabled) ? { mode, ids } : null;
}
