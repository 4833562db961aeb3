import { jsonReply, type Reply } from "../wire/reply.ts";
import { type Frame, frame } from "./dialect.ts";
import { type ErrorMessages, type ErrorName, messageOf, type ProviderError, USUAL_STATUS } from "./errors.ts";

/** Where the type is not `server_error` (5xx) or `invalid_request_error`. */
const TYPES: Readonly<Partial<Record<ErrorName, string>>> = { "rate-limited": "tokens", quota: "insufficient_quota" };

/** Where the code is not null. */
const CODES: Readonly<Partial<Record<ErrorName, string>>> = {
  "rate-limited": "rate_limit_exceeded",
  quota: "insufficient_quota",
  down: "service_unavailable",
  overflow: "context_length_exceeded",
  unauthorized: "invalid_api_key",
  forbidden: "unsupported_country_region_territory",
  "not-found": "model_not_found",
};

const MESSAGES: ErrorMessages = {
  "rate-limited":
    "Rate limit reached for MODEL in organization org-sim on tokens per min (TPM): Limit 30000, Used 29211, Requested 1502.TRY_AGAIN Visit https://platform.openai.com/account/rate-limits to learn more.",
  quota:
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
  overloaded: "The engine is currently overloaded, please try again later",
  down: "The service is temporarily unavailable. Please try again later.",
  "server-error": "The server had an error while processing your request. Sorry about that!",
  "bad-gateway": "Bad gateway",
  timeout: "The request timed out upstream",
  overflow:
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens. Please reduce the length of the messages.",
  unauthorized:
    "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.",
  forbidden: "Country, region, or territory not supported",
  "not-found": "The model `MODEL` does not exist or you do not have access to it.",
  "bad-request": "Invalid request",
  "too-large": "Request body is too large",
};

export function openaiErrorReply(error: ProviderError): Reply {
  const headers = { "x-request-id": "req_sim", ...hintHeaders(error) };
  return jsonReply(USUAL_STATUS[error.name], headers, { error: errorOf(error) });
}

/** In a chat stream an error is a data line; the Responses API has an event for it. */
export function chatErrorFrame(error: ProviderError): Frame {
  return frame("other", { error: errorOf(error) });
}

export function responsesErrorFrame(error: ProviderError): Frame {
  const { message, type, code } = errorOf(error);
  return frame("other", { type: "error", code: code ?? type, message, param: null, sequence_number: 2 }, "error");
}

function errorOf(error: ProviderError) {
  const { name, hint } = error;
  const again = hint?.type === "wait" ? ` Please try again in ${hint.ms / 1000}s.` : "";
  return {
    message: messageOf(MESSAGES, error).replace("TRY_AGAIN", again),
    type: TYPES[name] ?? (USUAL_STATUS[name] >= 500 ? "server_error" : "invalid_request_error"),
    param: null,
    code: CODES[name] ?? null,
  };
}

function hintHeaders({ name, hint }: ProviderError): Readonly<Record<string, string>> {
  if (hint === undefined) return {};
  if (hint.type === "raw") return hint.headers;
  const seconds = hint.ms / 1000;
  return {
    "retry-after": String(Math.ceil(seconds)),
    "retry-after-ms": String(hint.ms),
    ...(name === "rate-limited" && {
      "x-ratelimit-limit-tokens": "30000",
      "x-ratelimit-remaining-tokens": "789",
      "x-ratelimit-reset-tokens": `${seconds}s`,
    }),
  };
}
