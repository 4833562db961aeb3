import { type Frame, frame, type Problem, type Refusal, type RefusalHint, type Refused } from "./dialect.ts";

interface Wording {
  readonly status: number;
  readonly type: string;
  readonly message: string;
}

const WORDING: Readonly<Record<Problem, Wording>> = {
  "rate-limited": {
    status: 429,
    type: "rate_limit_error",
    message:
      "This request would exceed your organization's rate limit of 30,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
  },
  quota: {
    status: 400,
    type: "invalid_request_error",
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  },
  overloaded: { status: 529, type: "overloaded_error", message: "Overloaded" },
  down: { status: 503, type: "api_error", message: "Service temporarily unavailable" },
  "server-error": { status: 500, type: "api_error", message: "Internal server error" },
  "bad-gateway": { status: 502, type: "api_error", message: "Bad gateway" },
  timeout: { status: 504, type: "timeout_error", message: "Request timed out" },
  overflow: {
    status: 400,
    type: "invalid_request_error",
    message: "prompt is too long: 213462 tokens > 200000 maximum",
  },
  unauthorized: { status: 401, type: "authentication_error", message: "invalid x-api-key" },
  forbidden: {
    status: 403,
    type: "permission_error",
    message: "Your API key does not have permission to use the specified resource",
  },
  "not-found": { status: 404, type: "not_found_error", message: "model: MODEL" },
  "bad-request": { status: 400, type: "invalid_request_error", message: "Invalid request" },
  "too-large": { status: 413, type: "request_too_large", message: "Request exceeds the maximum size" },
};

/** Where a reset moment is told, it lies this far from now: rounded up, as a provider's clock has whole seconds. */
function resetMoment(ms: number): string {
  return new Date(Math.ceil((Date.now() + ms) / 1000) * 1000).toISOString().replace(".000Z", "Z");
}

export function refuseAnthropic(refusal: Refusal): Refused {
  return {
    status: WORDING[refusal.problem].status,
    headers: { "request-id": "req_sim", ...hintHeaders(refusal.problem, refusal.hint) },
    body: { ...errorOf(refusal), request_id: "req_sim" },
  };
}

export function anthropicErrorFrame(refusal: Refusal): Frame {
  return frame("other", errorOf(refusal), "error");
}

function errorOf({ problem, model, message }: Refusal): object {
  const wording = WORDING[problem];
  return {
    type: "error",
    error: { type: wording.type, message: message ?? wording.message.replace("MODEL", model) },
  };
}

function hintHeaders(problem: Problem, hint: RefusalHint | undefined): Readonly<Record<string, string>> {
  if (hint === undefined) return {};
  if (hint.type === "odd") return hint.headers;
  return {
    "retry-after": String(Math.ceil(hint.ms / 1000)),
    "x-should-retry": "true",
    ...(problem === "rate-limited" && {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": resetMoment(0),
      "anthropic-ratelimit-input-tokens-limit": "30000",
      "anthropic-ratelimit-input-tokens-remaining": "0",
      "anthropic-ratelimit-input-tokens-reset": resetMoment(hint.ms),
    }),
  };
}
