import { type Frame, frame, type Problem, type Refusal, type Refused } from "./dialect.ts";

interface Wording {
  readonly status: number;
  readonly name: string;
  readonly message: string;
}

const WORDING: Readonly<Record<Problem, Wording>> = {
  "rate-limited": {
    status: 429,
    name: "RESOURCE_EXHAUSTED",
    message: "Resource has been exhausted (e.g. check quota).",
  },
  quota: {
    status: 429,
    name: "RESOURCE_EXHAUSTED",
    message:
      "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits.",
  },
  overloaded: {
    status: 503,
    name: "UNAVAILABLE",
    message: "The model is overloaded. Please try again later.",
  },
  down: { status: 503, name: "UNAVAILABLE", message: "The service is currently unavailable." },
  "server-error": { status: 500, name: "INTERNAL", message: "An internal error has occurred. Please retry." },
  "bad-gateway": { status: 502, name: "UNAVAILABLE", message: "Bad gateway" },
  timeout: { status: 504, name: "DEADLINE_EXCEEDED", message: "Deadline expired before operation could complete." },
  overflow: {
    status: 400,
    name: "INVALID_ARGUMENT",
    message: "The input token count (1197132) exceeds the maximum number of tokens allowed (1048576).",
  },
  unauthorized: {
    status: 400,
    name: "INVALID_ARGUMENT",
    message: "API key not valid. Please pass a valid API key.",
  },
  forbidden: { status: 403, name: "PERMISSION_DENIED", message: "The caller does not have permission" },
  "not-found": {
    status: 404,
    name: "NOT_FOUND",
    message: "models/MODEL is not found for API version v1beta, or is not supported for generateContent.",
  },
  "bad-request": { status: 400, name: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  "too-large": { status: 413, name: "INVALID_ARGUMENT", message: "Request payload size exceeds the limit." },
};

const RPC = "type.googleapis.com/google.rpc";

export function refuseGemini(refusal: Refusal): Refused {
  return {
    status: WORDING[refusal.problem].status,
    headers: refusal.hint?.type === "odd" ? refusal.hint.headers : {},
    body: { error: errorOf(refusal) },
  };
}

export function geminiErrorFrame(refusal: Refusal): Frame {
  return frame("other", { error: errorOf(refusal) });
}

function errorOf(refusal: Refusal): object {
  const wording = WORDING[refusal.problem];
  const details = detailsOf(refusal);
  return {
    code: wording.status,
    message: refusal.message ?? wording.message.replace("MODEL", refusal.model),
    status: wording.name,
    ...(details.length > 0 && { details }),
  };
}

function detailsOf({ problem, model, hint }: Refusal): readonly object[] {
  return [
    ...(problem === "rate-limited" ? [quotaFailure("GenerateRequestsPerMinutePerProjectPerModel", model)] : []),
    ...(problem === "quota" ? [quotaFailure("GenerateRequestsPerDayPerProjectPerModel-FreeTier", model)] : []),
    ...(problem === "unauthorized"
      ? [{ "@type": `${RPC}.ErrorInfo`, reason: "API_KEY_INVALID", domain: "googleapis.com" }]
      : []),
    // Google has no retry-after: the wait is in the body.
    ...(hint === undefined ? [] : [{ "@type": `${RPC}.RetryInfo`, retryDelay: delayOf(hint) }]),
  ];
}

function delayOf(hint: NonNullable<Refusal["hint"]>): string {
  return hint.type === "odd" ? hint.retryDelay : `${hint.ms / 1000}s`;
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
