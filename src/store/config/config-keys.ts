import { isAbsolute } from "node:path";
import { MAX_DELAY_MS } from "../../kernel/index.ts";
import { mendChains } from "../../wire/mend-chains.ts";
import { SELECTOR } from "../../wire/selector.ts";
import { booleanKey, type ConfigKey, choiceKey, numberKey } from "./config-key.ts";
import { ownPolicies, POLICY_NAME } from "./own-policies.ts";

const HOUR_S = 3600;

/** Role to selectors (`provider/model`), in order of preference. */
type FallbackChains = Readonly<Record<string, readonly string[]>>;

const fallbackChains: ConfigKey<FallbackChains> = {
  default: {},
  allowed: 'an object of roles with lists of provider/model, such as {"default": ["openai/gpt-5"]}',
  description: "fallback models of an agent session, in order, for each role",
  accepts: (value): value is FallbackChains =>
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isChain),
  // A session skips an entry that is not provider/model, with a warning.
  mend: mendChains,
};

/** Never relative: it would mean another file in every folder, even one that a project brings along. */
const extensions: ConfigKey<readonly string[]> = {
  default: [],
  allowed: 'a list of absolute paths of JavaScript files, such as ["~/secondwind/notify.js"]',
  description: "extensions that chat, console and rpc load",
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every(isExtensionPath),
  mend: (stored) => (Array.isArray(stored) ? stored.filter(isExtensionPath) : undefined),
};

const serveModel: ConfigKey<string> = {
  default: "",
  allowed: "provider/model, or empty for the first model with a key",
  description: "model of the server's chat, unless a message names one",
  accepts: (value): value is string => typeof value === "string" && (value === "" || SELECTOR.test(value)),
};

const servePolicy: ConfigKey<string> = {
  // K5
  default: "patient",
  allowed: "the name of a preset or of a policy, of 1 to 64 letters, digits, spaces, . - or _",
  description: "policy of the server's chat, unless a message names one",
  accepts: (value): value is string => typeof value === "string" && POLICY_NAME.test(value),
};

function isExtensionPath(value: unknown): value is string {
  return typeof value === "string" && (isAbsolute(value) || /^~\/./.test(value)) && !value.includes("\0");
}

function isChain(value: unknown): boolean {
  return Array.isArray(value) && value.every((selector) => typeof selector === "string" && SELECTOR.test(selector));
}

/** Every key of the config table, with default, bounds and meaning. */
export const CONFIG_KEYS = {
  api_retry_max_delay: numberKey({
    default: 5,
    min: 1,
    max: HOUR_S,
    description: "longest wait between two attempts in the console, in seconds",
  }),
  api_retry_show_warnings: booleanKey({
    default: true,
    description: "whether the console warns before it waits for more than three seconds",
  }),
  api_circuit_breaker: booleanKey({
    default: false,
    description:
      "whether a provider that keeps failing is paused for a while, in the console and in agent sessions (chat, RPC)",
  }),
  api_retry_adaptive: booleanKey({
    default: false,
    description:
      "whether waits adapt to the success of earlier retries, in the console and in agent sessions (chat, RPC)",
  }),
  "retry.enabled": booleanKey({ default: true, description: "whether an agent session retries automatically" }),
  "retry.maxRetries": numberKey({
    default: 3,
    min: 0,
    max: 1000,
    integer: true,
    description: "retries of one turn of an agent session",
  }),
  "retry.baseDelayMs": numberKey({
    default: 2000,
    min: 1,
    max: HOUR_S * 1000,
    description: "first wait of an agent session, in milliseconds; it doubles",
  }),
  "retry.maxDelayMs": numberKey({
    default: 300_000,
    min: -MAX_DELAY_MS,
    max: MAX_DELAY_MS,
    description: "longest wait in an agent session, in milliseconds; a longer one fails at once; 0 or less: no limit",
  }),
  "retry.fallbackChains": fallbackChains,
  "retry.fallbackRevertPolicy": choiceKey(["cooldown-expiry", "never"], {
    default: "cooldown-expiry",
    description: "when an agent session returns to the first model of a chain",
  }),
  extensions,
  "serve.model": serveModel,
  "serve.policy": servePolicy,
  policies: ownPolicies,
} as const;

export type ConfigName = keyof typeof CONFIG_KEYS;

export type ConfigValues = {
  readonly [K in ConfigName]: (typeof CONFIG_KEYS)[K] extends ConfigKey<infer T> ? T : never;
};

export const CONFIG_NAMES = Object.keys(CONFIG_KEYS) as readonly ConfigName[];
