import { checkBaseUrl, type WireFormat } from "../../formats/index.ts";
import { checkArray, checkObject, checkOneOf, checkString, InvalidInput } from "../../kernel/index.ts";
import { checkFunction, type EngineOptions } from "../../library/setup.ts";

/** Another endpoint of the same wire format, for when the request's own can't answer. */
export interface FallbackEndpoint {
  /** As its SDK takes it: `https://openrouter.ai/api/v1`. */
  readonly baseURL: string;
  /** Replaces the model of the request. */
  readonly model: string;
  /** Its keys, in order of preference. Default: none is sent. */
  readonly keys?: string | readonly string[] | undefined;
  /** Default: `openai`, or the format of a known endpoint. Only requests of this format fall back to it. */
  readonly format?: WireFormat | undefined;
}

export interface FetchOptions extends Omit<EngineOptions, "targets"> {
  /** What sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Keys by origin, in order of preference: `{ "https://api.openai.com": [first, second] }`. They replace the key of the request,
   * and go to no other origin. Default: the request's own key.
   */
  readonly keys?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Where to go next, in order. Default: nowhere. */
  readonly fallbacks?: readonly FallbackEndpoint[] | undefined;
}

/** The options, checked. */
export interface CheckedOptions {
  /** Undefined: the global one. */
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly fallbacks: readonly Fallback[];
}

export interface Fallback {
  readonly base: URL;
  readonly model: string;
  readonly keys: readonly string[];
  readonly format: WireFormat;
}

const FETCH_FIELDS = ["fetch", "keys", "fallbacks", "health", "on", "ports", "cancelGraceMs"];
const FALLBACK_FIELDS = ["baseURL", "model", "keys", "format"];
const FORMATS: readonly WireFormat[] = ["openai", "anthropic", "gemini"];
const FORMAT_OF_HOST: Readonly<Record<string, WireFormat>> = {
  "api.anthropic.com": "anthropic",
  "generativelanguage.googleapis.com": "gemini",
};

/** What may be meant as an origin. Anything else in its place may be a key, and is not shown. */
const ORIGIN = /:\/\/| |^[a-z\d.-]+\.[a-z]+(?:[:/]|$)/;

export function checkFetchOptions(options: FetchOptions): CheckedOptions {
  checkObject("options", options, FETCH_FIELDS);
  const { fetch: own, keys = {}, fallbacks = [], on } = options;
  if (own !== undefined) checkFunction("options.fetch", own);
  if (on !== undefined) checkFunction("options.on", on);
  return {
    fetch: own,
    keys: new Map(
      Object.entries(checkObject("options.keys", keys)).map(([origin, list]) => {
        const shown = ORIGIN.test(origin) ? origin : "…";
        const field = `options.keys["${shown}"]`;
        return [checkUrl(field, shown).origin, checkKeys(field, list)];
      }),
    ),
    fallbacks: checkArray("options.fallbacks", fallbacks).map((raw, index) =>
      checkFallback(`options.fallbacks[${index}]`, raw),
    ),
  };
}

/** Every `fetch` of ours: in the place of the global one it must not call itself. */
export const OURS = new WeakSet<object>();

/** Looked up at each call, because tests and polyfills replace the global one; the one before if ours has taken its place. */
export function globalFetch(): () => typeof globalThis.fetch {
  const before = globalThis.fetch;
  return () => (OURS.has(globalThis.fetch) ? before : globalThis.fetch);
}

function checkFallback(field: string, raw: unknown): Fallback {
  const entry = checkObject(field, raw, FALLBACK_FIELDS);
  const base = checkUrl(`${field}.baseURL`, entry.baseURL);
  checkBaseUrl(`${field}.baseURL`, base);
  const model = checkString(`${field}.model`, entry.model);
  if (model.trim() === "") throw new InvalidInput(`${field}.model`, model, "the name of a model");
  return {
    base,
    model,
    keys: entry.keys === undefined ? [] : checkKeys(`${field}.keys`, entry.keys),
    format:
      entry.format === undefined
        ? (FORMAT_OF_HOST[base.host] ?? "openai")
        : checkOneOf(`${field}.format`, entry.format, FORMATS),
  };
}

/** A key is never quoted in an error. */
function checkKeys(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [checkKey(field, value, "a key, or a list of at least one key")];
  if (value.length === 0) throw new InvalidInput(field, value, "a key, or a list of at least one key");
  return [...new Set(value.map((key, index) => checkKey(`${field}[${index}]`, key, "a key")))];
}

function checkKey(field: string, key: unknown, allowed: string): string {
  if (typeof key === "string" && /^[\x21-\x7e]+$/.test(key)) return key;
  // An empty one is usually a variable of the environment that is not set.
  const isMissing = key === "" || key === undefined || key === null;
  throw new InvalidInput(field, isMissing ? key : "…", `${allowed}: printable ASCII without spaces`);
}

function checkUrl(field: string, value: unknown): URL {
  const text = checkString(field, value);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new InvalidInput(field, text, "an http or https URL");
  return url;
}
