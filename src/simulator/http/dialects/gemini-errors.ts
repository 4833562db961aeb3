import { jsonReply, type Reply } from "../wire/reply.ts";
import { type Frame, frame } from "./dialect.ts";
import { type ErrorMessages, messageOf, type ProviderError, USUAL_STATUS } from "./errors.ts";

const STATUS = { ...USUAL_STATUS, unauthorized: 400 };

const NAMES: Readonly<Record<number, string>> = {
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  502: "UNAVAILABLE",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

const MESSAGES: ErrorMessages = {
  "rate-limited": "Resource has been exhausted (e.g. check quota).",
  quota:
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.",
  overloaded: "The model is overloaded. Please try again later.",
  down: "The service is currently unavailable.",
  "server-error": "An internal error has occurred. Please retry.",
  "bad-gateway": "Bad gateway",
  timeout: "Deadline expired before operation could complete.",
  overflow: "The input token count (1197132) exceeds the maximum number of tokens allowed (1048576).",
  unauthorized: "API key not valid. Please pass a valid API key.",
  forbidden: "The caller does not have permission",
  "not-found": "models/MODEL is not found for API version v1beta, or is not supported for generateContent.",
  "bad-request": "Request contains an invalid argument.",
  "too-large": "Request payload size exceeds the limit.",
};

const RPC = "type.googleapis.com/google.rpc";

export function geminiErrorReply(error: ProviderError): Reply {
  const headers = error.hint?.type === "raw" ? error.hint.headers : {};
  return jsonReply(STATUS[error.name], headers, { error: errorOf(error) });
}

export function geminiErrorFrame(error: ProviderError): Frame {
  return frame("other", { error: errorOf(error) });
}

function errorOf(error: ProviderError): object {
  const code = STATUS[error.name];
  const details = detailsOf(error);
  return {
    code,
    message: messageOf(MESSAGES, error),
    status: NAMES[code] ?? "INVALID_ARGUMENT",
    ...(details.length > 0 && { details }),
  };
}

function detailsOf({ name, model, hint }: ProviderError): readonly object[] {
  return [
    ...(name === "rate-limited" ? [quotaFailure("GenerateRequestsPerMinutePerProjectPerModel", model)] : []),
    ...(name === "quota" ? [quotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier", model)] : []),
    ...(name === "unauthorized"
      ? [{ "@type": `${RPC}.ErrorInfo`, reason: "API_KEY_INVALID", domain: "googleapis.com" }]
      : []),
    // Google sends no retry-after header: the wait is in the body.
    ...(hint === undefined
      ? []
      : [{ "@type": `${RPC}.RetryInfo`, retryDelay: hint.type === "raw" ? hint.retryDelay : `${hint.ms / 1000}s` }]),
  ];
}

function quotaFailure(quotaId: string, model: string): object {
  const violation = {
    quotaMetric: "generativelanguage.googleapis.com/generate_content_requests",
    quotaId,
    quotaDimensions: { location: "global", model },
    quotaValue: "50",
  };
  return { "@type": `${RPC}.QuotaFailure`, violations: [violation] };
}
