import { headerEntries } from "./read-headers.ts";
import { decimal, secondsOrMoment, usable } from "./read-wait.ts";

/** One limit as the headers of an answer state it. A value that is absent, negative or unreadable is left out. */
export interface RateLimit {
  /** How much the window allows. */
  readonly limit?: number;
  /** How much of it is left. */
  readonly remaining?: number;
  /** Milliseconds until it is full again: positive, at most 31 days. */
  readonly resetMs?: number;
}

export interface RateLimits {
  readonly requests?: RateLimit;
  readonly tokens?: RateLimit;
}

type Writable = { -readonly [K in keyof RateLimit]: RateLimit[K] };
type Counted = keyof RateLimits;

/** Names that speak of a limit: `x-ratelimit-…`, `anthropic-ratelimit-…`, `RateLimit`, `x-tokenlimit-…`, Cohere's trial. */
const ABOUT_LIMITS = /rate-?limit|tokenlimit|call-(?:limit|remaining)/;
/** Shares, costs, states and lengths of windows; images and audio are counted apart. */
const OTHER = /unified|renewal|cost|used|status|over-limit|images|audio|fallback|overage/;
const FIELD = /(?:^|-)(limit|remaining|reset)(?=-|$)/;
const TOKENS = /token|bysize/;
/** The draft standard's single header: `limit=100, remaining=50, reset=5`, later `"minute";r=50;t=30, "day";r=9;t=7200`. */
const PARAMETER = /(?:^|[\s;,])(limit|remaining|reset|r|t|q)=(\d{1,15})/g;
/** Between its policies, each of which is a window with a name in quotes in front of its parameters. */
const POLICIES = /, ?(?=")/;
const FIELD_OF: Readonly<Record<string, "limit" | "remaining" | "reset">> = { r: "remaining", t: "reset", q: "limit" };

/**
 * What the headers of an answer, good or bad, say about the limits of its key. `headers`: a `Headers`, a Map, pairs or an
 * object. Of several windows (minute and day, input and output tokens) the one with the smallest share left counts. Without
 * a finite `nowMs` (epoch milliseconds) moments give no `resetMs`. Pure; never throws.
 */
export function readRateLimits(headers: unknown, nowMs: number): RateLimits {
  const windows = new Map<string, { readonly of: Counted; readonly found: Writable }>();
  for (const [name, value] of headerEntries(headers)) {
    if (!ABOUT_LIMITS.test(name) || OTHER.test(name)) continue;
    const text = textOf(value);
    if (text === undefined) continue;
    // `llm_provider-x-ratelimit-remaining-tokens`: a proxy passes on what it was told.
    const plain = name.replace("rate-limit", "ratelimit");
    const field = FIELD.exec(plain)?.[1];
    const of: Counted = TOKENS.test(plain) ? "tokens" : "requests";
    const key = plain.replace(`-${field ?? "policy"}`, "").replace(/-ms$/, "");
    for (const part of text.split(POLICIES)) {
      const name = key + part.split('"').at(-2);
      const window = windows.get(name) ?? { of, found: {} };
      windows.set(name, window);
      if (field === undefined) readParameters(window.found, part, nowMs);
      else if (plain.endsWith("-ms")) addReset(window.found, decimal(part));
      else add(window.found, field, part, nowMs);
    }
  }
  return tightest([...windows.values()]);
}

function textOf(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof one === "number") return String(one);
  return typeof one === "string" && one.length <= 256 ? one.trim() : undefined;
}

function readParameters(found: Writable, text: string, nowMs: number): void {
  for (const [, name, value] of text.matchAll(PARAMETER))
    add(found, FIELD_OF[name as string] ?? (name as string), value as string, nowMs);
}

function add(found: Writable, field: string, text: string, nowMs: number): void {
  if (field === "reset") {
    addReset(found, secondsOrMoment(text, nowMs));
    return;
  }
  // "60, 60;w=60": the limit, then its policies. "-1" of some proxies means that they do not know.
  const amount = decimal(text.split(/[,;]/, 1)[0]);
  if (amount !== undefined) found[field as "limit" | "remaining"] ??= amount;
}

function addReset(found: Writable, wait: number | undefined): void {
  const resetMs = usable(wait);
  if (resetMs !== undefined) found.resetMs ??= resetMs;
}

function tightest(windows: readonly { readonly of: Counted; readonly found: RateLimit }[]): RateLimits {
  const limits: { requests?: RateLimit; tokens?: RateLimit } = {};
  for (const { of, found } of windows) {
    if (Object.keys(found).length === 0) continue;
    const known = limits[of];
    if (known === undefined || shareLeft(found) < shareLeft(known)) limits[of] = found;
  }
  return limits;
}

/**
 * Where the limit is unknown, the amount itself; where that is unknown too, nothing binds. What is used up has the less left the
 * longer it stays so.
 */
function shareLeft({ limit, remaining, resetMs = 0 }: RateLimit): number {
  if (remaining === undefined) return Number.POSITIVE_INFINITY;
  if (remaining === 0) return -resetMs;
  return limit === undefined || limit === 0 ? remaining : remaining / limit;
}
