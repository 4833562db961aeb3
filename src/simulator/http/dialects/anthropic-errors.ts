import { jsonReply, type Reply } from "../wire/reply.ts";
import { type Frame, frame } from "./dialect.ts";
import { type ErrorMessages, messageOf, type ProviderError, USUAL_STATUS } from "./errors.ts";

const STATUS = { ...USUAL_STATUS, quota: 400, overloaded: 529 };

const TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

const MESSAGES: ErrorMessages = {
  "rate-limited":
    "This request would exceed your organization's rate limit of 30,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
  quota:
    "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  overloaded: "Overloaded",
  down: "Service temporarily unavailable",
  "server-error": "Internal server error",
  "bad-gateway": "Bad gateway",
  timeout: "Request timed out",
  overflow: "prompt is too long: 213462 tokens > 200000 maximum",
  unauthorized: "invalid x-api-key",
  forbidden: "Your API key does not have permission to use the specified resource",
  "not-found": "model: MODEL",
  "bad-request": "Invalid request",
  "too-large": "Request exceeds the maximum size",
};

export function anthropicErrorReply(error: ProviderError): Reply {
  const headers = { "request-id": "req_sim", ...hintHeaders(error) };
  return jsonReply(STATUS[error.name], headers, { ...errorOf(error), request_id: "req_sim" });
}

export function anthropicErrorFrame(error: ProviderError): Frame {
  return frame("other", errorOf(error), "error");
}

function errorOf(error: ProviderError): object {
  const type = TYPES[STATUS[error.name]] ?? "api_error";
  return { type: "error", error: { type, message: messageOf(MESSAGES, error) } };
}

function hintHeaders({ name, hint }: ProviderError): Readonly<Record<string, string>> {
  if (hint === undefined) return {};
  if (hint.type === "raw") return hint.headers;
  return {
    "retry-after": String(Math.ceil(hint.ms / 1000)),
    "x-should-retry": "true",
    ...(name === "rate-limited" && {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": resetTime(0),
      "anthropic-ratelimit-input-tokens-limit": "30000",
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": resetTime(hint.ms),
    }),
  };
}

/** Rounded up to whole seconds, as the provider does. */
function resetTime(ms: number): string {
  return new Date(Math.ceil((Date.now() + ms) / 1000) * 1000).toISOString().replace(".000Z", "Z");
}
