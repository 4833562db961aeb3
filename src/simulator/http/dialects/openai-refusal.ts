import { type Frame, frame, type Problem, type Refusal, type RefusalHint, type Refused } from "./dialect.ts";

interface Wording {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const WORDING: Readonly<Record<Problem, Wording>> = {
  "rate-limited": {
    status: 429,
    type: "tokens",
    code: "rate_limit_exceeded",
    message:
      "Rate limit reached for MODEL in organization org-sim on tokens per min (TPM): Limit 30000, Used 29211, Requested 1502.TRY_AGAIN Visit https://platform.openai.com/account/rate-limits to learn more.",
  },
  quota: {
    status: 429,
    type: "insufficient_quota",
    code: "insufficient_quota",
    message:
      "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.",
  },
  overloaded: {
    status: 503,
    type: "server_error",
    code: null,
    message: "The engine is currently overloaded, please try again later",
  },
  down: {
    status: 503,
    type: "server_error",
    code: "service_unavailable",
    message: "The service is temporarily unavailable. Please try again later.",
  },
  "server-error": {
    status: 500,
    type: "server_error",
    code: null,
    message: "The server had an error while processing your request. Sorry about that!",
  },
  "bad-gateway": { status: 502, type: "server_error", code: null, message: "Bad gateway" },
  timeout: { status: 504, type: "server_error", code: null, message: "The request timed out upstream" },
  overflow: {
    status: 400,
    type: "invalid_request_error",
    code: "context_length_exceeded",
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 131072 tokens. Please reduce the length of the messages.",
  },
  unauthorized: {
    status: 401,
    type: "invalid_request_error",
    code: "invalid_api_key",
    message: "Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.",
  },
  forbidden: {
    status: 403,
    type: "invalid_request_error",
    code: "unsupported_country_region_territory",
    message: "Country, region, or territory not supported",
  },
  "not-found": {
    status: 404,
    type: "invalid_request_error",
    code: "model_not_found",
    message: "The model `MODEL` does not exist or you do not have access to it.",
  },
  "bad-request": { status: 400, type: "invalid_request_error", code: null, message: "Invalid request" },
  "too-large": { status: 413, type: "invalid_request_error", code: null, message: "Request body is too large" },
};

export function refuseOpenai({ problem, model, hint, message }: Refusal): Refused {
  const wording = WORDING[problem];
  return {
    status: wording.status,
    headers: { "x-request-id": "req_sim", ...hintHeaders(problem, hint) },
    body: { error: errorOf(wording, { problem, model, hint, message }) },
  };
}

/** An error inside a chat stream is a data line of its own; the Responses API has an event for it. */
export function chatErrorFrame(refusal: Refusal): Frame {
  return frame("other", { error: errorOf(WORDING[refusal.problem], refusal) });
}

export function responsesErrorFrame(refusal: Refusal): Frame {
  const { message, type, code } = errorOf(WORDING[refusal.problem], refusal);
  return frame("other", { type: "error", code: code ?? type, message, param: null, sequence_number: 2 }, "error");
}

function errorOf(wording: Wording, { model, hint, message }: Refusal) {
  const again = hint?.type === "wait" ? ` Please try again in ${hint.ms / 1000}s.` : "";
  return {
    message: message ?? wording.message.replace("MODEL", model).replace("TRY_AGAIN", again),
    type: wording.type,
    param: null,
    code: wording.code,
  };
}

function hintHeaders(problem: Problem, hint: RefusalHint | undefined): Readonly<Record<string, string>> {
  if (hint === undefined) return {};
  if (hint.type === "odd") return hint.headers;
  const seconds = hint.ms / 1000;
  return {
    "retry-after": String(Math.ceil(seconds)),
    "retry-after-ms": String(hint.ms),
    ...(problem === "rate-limited" && {
      "x-ratelimit-limit-tokens": "30000",
      "x-ratelimit-remaining-tokens": "789",
      "x-ratelimit-reset-tokens": `${seconds}s`,
    }),
  };
}
