import { checkNumber, checkObject, checkString } from "../../kernel/index.ts";
import type { ScenarioBehaviour as ScriptStep } from "../../simulator/http/index.ts";

/** Details of an error. */
export interface ErrorDetails {
  /** The wait that the provider asks for, in its own headers or body: 0 to 86,400,000 ms. Default: none, for `rateLimited` 2,000. */
  readonly retryAfterMs?: number | undefined;
  /** Replaces the provider's usual message. */
  readonly message?: string | undefined;
}

/** A day: the longest hint that the simulator sends. */
const MAX_HINT_MS = 86_400_000;
const MAX_TOKENS = 999_999;
const MAX_TIMES = 1_000_000;

/** An answer: this text, or else prose about the question. */
export function ok(text?: string): ScriptStep {
  return text === undefined ? step("ok") : { ...step("ok"), text: checkString("text", text) };
}

/** The last message of the request as the answer. */
export const echo = (): ScriptStep => step("echo");
/** A valid answer without content. */
export const empty = (): ScriptStep => step("empty");

/** 503; 529 from Anthropic. */
export const overloaded = (details?: ErrorDetails): ScriptStep => error("overloaded", details);
/** 429. */
export const rateLimited = (details?: ErrorDetails): ScriptStep => error("rate-limited", details);
/** The quota is used up: 429 as well, but no wait helps. */
export const quotaUsedUp = (details?: ErrorDetails): ScriptStep => error("quota", details);
/** 500. */
export const serverError = (details?: ErrorDetails): ScriptStep => error("server-error", details);
/** 502. */
export const badGateway = (details?: ErrorDetails): ScriptStep => error("bad-gateway", details);
/** 503. */
export const unavailable = (details?: ErrorDetails): ScriptStep => error("down", details);
/** 504. */
export const gatewayTimeout = (details?: ErrorDetails): ScriptStep => error("timeout", details);
/** 401: the key is not accepted. */
export const unauthorized = (details?: ErrorDetails): ScriptStep => error("unauthorized", details);
/** 403. */
export const forbidden = (details?: ErrorDetails): ScriptStep => error("forbidden", details);
/** 404: unknown model. */
export const notFound = (details?: ErrorDetails): ScriptStep => error("not-found", details);
/** 400. */
export const badRequest = (details?: ErrorDetails): ScriptStep => error("bad-request", details);
/** The context is too long, in the provider's own words. */
export const contextOverflow = (details?: ErrorDetails): ScriptStep => error("overflow", details);

/** Accepts the request and never sends any content. */
export const silent = (): ScriptStep => step("silent");
/** Goes silent after this many tokens of a stream. Without streaming nothing is sent. */
export const stallAfter = (tokens: number): ScriptStep => step(`stall-${checkTokens(tokens)}`);
/** Closes the connection after this many tokens; without streaming, in the middle of the body. */
export const cutAfter = (tokens: number): ScriptStep => step(`cut-${checkTokens(tokens)}`);
/** The connection is reset before any header. */
export const connectionReset = (): ScriptStep => step("fault-6");

/** A step several times in a row. A step that already has a number of times gets the product. */
export function times(count: number, repeated: ScriptStep | string): ScriptStep {
  const { times: once = 1, ...rest } = typeof repeated === "string" ? timed(repeated) : repeated;
  return { ...rest, times: checkNumber("count", count, { min: 1, max: MAX_TIMES, integer: true }) * once };
}

/** A step for every further call (1,000,000 of them): an outage that does not end. */
export function always(repeated: ScriptStep | string): ScriptStep {
  const { times: _, ...rest } = typeof repeated === "string" ? timed(repeated) : repeated;
  return { ...rest, times: MAX_TIMES };
}

function step(name: string): ScriptStep {
  return { do: name };
}

function error(name: string, details: ErrorDetails = {}): ScriptStep {
  const { retryAfterMs, message } = checkObject("details", details, ["retryAfterMs", "message"]);
  return {
    ...step(name),
    ...(retryAfterMs !== undefined && {
      hintMs: checkNumber("retryAfterMs", retryAfterMs, { min: 0, max: MAX_HINT_MS }),
    }),
    ...(message !== undefined && { message: checkString("message", message) }),
  };
}

/** `overloaded@2` has its number in the name. */
function timed(name: string): ScriptStep {
  const [, word = name, count] = /^(.+)@([1-9]\d{0,5})$/.exec(name) ?? [];
  return count === undefined ? step(name) : { ...step(word), times: Number(count) };
}

function checkTokens(tokens: number): number {
  return checkNumber("tokens", tokens, { min: 0, max: MAX_TOKENS, integer: true });
}
