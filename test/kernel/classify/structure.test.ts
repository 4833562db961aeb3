import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const verdict = (problem: unknown, provider = "") => {
  const { kind, scope, retryable, evidence } = classify(problem, { provider });
  return `${kind} ${scope} ${retryable ? "retry" : "stop"} ${evidence}`;
};

describe("HTTP status", () => {
  test.each([
    [400, "bad_request request stop"],
    [401, "auth credential stop"],
    [402, "usage_limit credential stop"],
    [403, "permission credential stop"],
    [404, "not_found model stop"],
    [405, "bad_request request stop"],
    [407, "auth credential stop"],
    [408, "timeout provider retry"],
    [409, "bad_request request stop"],
    [410, "not_found model stop"],
    [413, "context_overflow request stop"],
    [420, "rate_limit credential retry"],
    [422, "bad_request request stop"],
    [424, "server provider retry"],
    [425, "server provider retry"],
    [429, "rate_limit credential retry"],
    [451, "permission credential stop"],
    [499, "timeout provider retry"],
    [500, "server provider retry"],
    [501, "server provider retry"],
    [502, "server provider retry"],
    [503, "overloaded model retry"],
    [504, "timeout provider retry"],
    [520, "server provider retry"],
    [522, "timeout provider retry"],
    [524, "timeout provider retry"],
    [529, "overloaded model retry"],
    [598, "timeout provider retry"],
    [599, "timeout provider retry"],
  ])("E4: %i without any words", (status, expected) => {
    expect(verdict({ status })).toBe(`${expected} status:${status}`);
    expect(classify({ status }).status).toBe(status);
  });

  test.each(["Conflict", "The resource is locked", "Transaction aborted", "please try again", "retry later"])(
    "E4: a 409 that means try again is transient: %s",
    (message) => {
      expect(verdict({ status: 409, message })).toBe("server provider retry status:409");
    },
  );

  test("E1: is read from every place where SDKs and servers put it", () => {
    const places = [
      { status: 502 },
      { statusCode: 502 },
      { status_code: 502 },
      { code: 502 },
      { code: "502" },
      { status: "502" },
      { error: { code: 502 } },
      { response: { status: 502, data: "x" } },
      { cause: { statusCode: 502 } },
      { $metadata: { httpStatusCode: 502 } },
      { lastError: { statusCode: 502 } },
      { error_code: "Infer.Hub.81101.502" },
      [{ error: { code: 502 } }],
    ];
    expect(places.map((place) => classify(place).status)).toEqual(places.map(() => 502));
  });

  test("E1: the outer failing status counts, and a failing one before a 200", () => {
    expect(classify({ error: { code: 400 }, status: 503 })).toMatchObject({ status: 503, evidence: "status:503" });
    expect(classify({ status: 503, error: { code: 400 } })).toMatchObject({ status: 503 });
    expect(classify({ status: 200, body: { error: { code: 503 } } })).toMatchObject({ status: 503 });
    expect(classify({ body: { error: { code: 503 } }, status: 200 })).toMatchObject({ status: 503 });
    expect(classify({ status: 200, body: { status: 201 } })).toMatchObject({ status: 200, kind: "unknown" });
  });

  test.each([99, 600, 1e9, 429.5, -429, Number.NaN, "42", "4299", "x429", `${"9".repeat(70)}.429`, true, null, {}])(
    "E1: %s is no status",
    (status) => {
      expect(classify({ status, message: "?" }).status).toBeUndefined();
    },
  );
});

describe("codes", () => {
  test.each([
    ["rate_limit_exceeded", "rate_limit credential retry"],
    ["RateLimitExceeded", "rate_limit credential retry"],
    ["rate-limit.exceeded", "rate_limit credential retry"],
    ["RateLimitExceededException", "rate_limit credential retry"],
    ["com.amazon.coral.service#ThrottlingException", "rate_limit credential retry"],
    ["ThrottlingException:http://internal.amazon.com/coral/", "rate_limit credential retry"],
    ["insufficient_quota", "usage_limit credential stop"],
    ["context_length_exceeded", "context_overflow request stop"],
    ["content_filter", "content_filter request stop"],
    ["overloaded_error", "overloaded model retry"],
    ["invalid_api_key", "auth credential stop"],
    ["PERMISSION_DENIED", "permission credential stop"],
    ["model_not_found", "not_found model stop"],
    ["INVALID_ARGUMENT", "bad_request request stop"],
    ["invalid_request_error", "bad_request request stop"],
    ["DEADLINE_EXCEEDED", "timeout provider retry"],
    ["INTERNAL", "server provider retry"],
    ["ModelStreamErrorException", "stream_broken provider retry"],
    ["MALFORMED_FUNCTION_CALL", "invalid_content request retry"],
    ["ABORTED", "server provider retry"],
    ["UNAVAILABLE", "overloaded model retry"],
    ["RESOURCE_EXHAUSTED", "rate_limit credential retry"],
  ])("E1: %s is known in any spelling and place", (code, expected) => {
    for (const body of [
      { code },
      { type: code },
      { error: { type: code } },
      { error: { status: code } },
      { __type: code },
    ]) {
      expect(verdict(body)).toBe(`${expected} code:${code}`);
      expect(classify(body).code).toBe(code);
    }
  });

  test.each([
    ["ECONNRESET", "network provider retry"],
    ["ECONNREFUSED", "network provider retry"],
    ["EAI_AGAIN", "network provider retry"],
    ["EPIPE", "network provider retry"],
    ["ETIMEDOUT", "timeout provider retry"],
    ["UND_ERR_SOCKET", "network provider retry"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout provider retry"],
    ["UND_ERR_ABORTED", "aborted request stop"],
  ])("E4: the errno %s is found through the chain of causes", (code, expected) => {
    const root = Object.assign(new Error("low level"), { code });
    const wrapped = new TypeError("fetch failed", { cause: new Error("middle", { cause: root }) });
    expect(verdict(wrapped)).toBe(`${expected} errno:${code}`);
    expect(verdict(new AggregateError([root], "all failed"))).toBe(`${expected} errno:${code}`);
  });

  test.each(["CERT_HAS_EXPIRED", "DEPTH_ZERO_SELF_SIGNED_CERT", "ERR_TLS_CERT_ALTNAME_INVALID"])(
    "E4: a bad certificate (%s) is the network's fault, but not worth a retry",
    (code) => {
      expect(verdict(Object.assign(new Error("tls"), { code }))).toBe(`network provider stop code:${code}`);
    },
  );

  test("E1: a code more specific than the status takes precedence over it; a less specific one does not", () => {
    expect(verdict({ status: 400, error: { code: "API_KEY_INVALID" } })).toBe(
      "auth credential stop code:API_KEY_INVALID",
    );
    expect(verdict({ status: 502, error: { type: "invalid_request_error" } })).toBe("server provider retry status:502");
    expect(verdict({ status: 429, error: { status: "INTERNAL" } })).toBe("rate_limit credential retry status:429");
  });

  test.each([
    "authentication_error",
    "invalid_api_key",
    "permission_error",
    "model_not_found",
    "INVALID_ARGUMENT",
    "content_filter",
    "DEADLINE_EXCEEDED",
    "ECONNRESET",
    "stream_closed",
    "MALFORMED_FUNCTION_CALL",
    "ABORT_ERR",
    "invalid_request_error",
    "api_error",
  ])("E3: a 429 is a rate limit, whatever type its body names: %s", (code) => {
    for (const body of [
      { status: 429, error: { type: code } },
      { status: 429, body: `${code}: no` },
      `HTTP 429: ${code}`,
    ]) {
      expect(verdict(body)).toBe("rate_limit credential retry status:429");
    }
    expect(classify({ status: 429, error: { type: code } }).code).toBe(code);
  });

  test.each([
    ["insufficient_quota", "usage_limit credential stop code:insufficient_quota"],
    ["context_length_exceeded", "context_overflow request stop code:context_length_exceeded"],
    ["overloaded_error", "overloaded model retry code:overloaded_error"],
    ["rate_limit_error", "rate_limit credential retry code:rate_limit_error"],
  ])("E3: a 429 with %s is what the code says", (code, expected) => {
    expect(verdict({ status: 429, error: { type: code } })).toBe(expected);
    expect(verdict({ status: 429, error: { type: "authentication_error", code } })).toBe(expected);
    expect(verdict({ status: 429, error: { type: "authentication_error", message: `${code} reported` } })).toBe(
      expected,
    );
  });

  test("E3: a provider's number does not overturn a 429 either, unless it is about a limit", () => {
    expect(verdict({ status: 429, error: { code: "1001" } }, "zhipu")).toBe("rate_limit credential retry status:429");
    expect(verdict({ status: 429, error: { code: "1113" } }, "zhipu")).toBe("usage_limit credential stop code:1113");
    expect(verdict({ status: 429, errors: [{ code: 1001 }, { code: 1113 }] }, "zhipu")).toBe(
      "usage_limit credential stop code:1113",
    );
    expect(verdict({ status: 400, error: { code: "1001" } }, "zhipu")).toBe("auth credential stop code:1001");
  });

  test.each([
    [500, "authentication_error", "server provider retry status:500"],
    [502, "permission_denied", "server provider retry status:502"],
    [503, "model_not_found", "overloaded model retry status:503"],
    [503, "invalid_request_error", "overloaded model retry status:503"],
    [504, "INVALID_ARGUMENT", "timeout provider retry status:504"],
    [529, "invalid_api_key", "overloaded model retry status:529"],
    [499, "invalid_api_key", "auth credential stop code:invalid_api_key"],
    [500, "content_filter", "content_filter request stop code:content_filter"],
    [500, "insufficient_quota", "usage_limit credential stop code:insufficient_quota"],
    [500, "exceed_context_size_error", "context_overflow request stop code:exceed_context_size_error"],
    [500, "rate_limit_exceeded", "rate_limit credential retry code:rate_limit_exceeded"],
    [500, "ECONNREFUSED", "network provider retry errno:ECONNREFUSED"],
    [502, "upstream_credentials_exhausted", "auth credential stop code:upstream_credentials_exhausted"],
  ])("E4: a 5xx is the endpoint's fault, whatever type its body names: %i %s", (status, code, expected) => {
    expect(verdict({ status, error: { type: code } })).toBe(expected);
    expect(verdict({ status, body: `${code}: no` })).toBe(expected);
  });

  test("E1: of several codes the weightiest counts, whatever their order", () => {
    const codes = ["rate_limit_error", "insufficient_quota", "internal_error"];
    expect(verdict({ type: codes[0], code: codes[1], reason: codes[2] })).toBe(
      "usage_limit credential stop code:insufficient_quota",
    );
    expect(verdict({ type: codes[2], code: codes[0], reason: codes[1] })).toBe(
      "usage_limit credential stop code:insufficient_quota",
    );
  });

  test("E1: of several codes that weigh the same the first counts", () => {
    expect(verdict({ type: "rate_limit_error", code: "slow_down" })).toBe(
      "rate_limit credential retry code:rate_limit_error",
    );
  });

  test.each(["EXPIRED_TOKENException", "undici#UND_ERR_SOCKET", "ERR_NETWORK"])(
    "E1: %s is a code and no bare errno",
    (code) => {
      expect(classify({ code }).evidence).toBe(`code:${code}`);
    },
  );

  test("E1: an unknown code is reported, but decides nothing", () => {
    expect(classify({ code: "E_FROBNICATE", message: "?" })).toMatchObject({ kind: "unknown", code: "E_FROBNICATE" });
    expect(classify({ code: "x".repeat(500), message: "?" })).toMatchObject({ kind: "unknown" });
    expect(classify({ code: "", type: "error", message: "?" }).code).toBeUndefined();
    expect(classify({ status: 429, code: "429" }).code).toBeUndefined();
  });

  test("E1: a sentence where others put a code is read as a sentence", () => {
    expect(verdict({ status: "Too Many Requests" })).toBe("rate_limit credential retry text:rate-limit");
  });

  test("E1: codes in the text count where there is no status, and near its start beside one", () => {
    expect(verdict("authentication_error: There's an issue")).toBe("auth credential stop code:authentication_error");
    expect(verdict("An error occurred (throttlingException) when calling")).toBe(
      "rate_limit credential retry code:throttlingException",
    );
    expect(verdict("litellm.InternalServerError: oops")).toBe("server provider retry code:InternalServerError");
    expect(verdict({ status: 502, body: "upstream_credentials_exhausted" })).toBe(
      "auth credential stop code:upstream_credentials_exhausted",
    );
    const echoed = `${"the prompt said this: ".repeat(20)} invalid_api_key`;
    const throttled = echoed.replace("invalid_api_key", "slow_down");
    expect(verdict({ status: 500, body: throttled })).toBe("server provider retry status:500");
    expect(verdict({ status: 500, body: throttled.slice(-300) })).toBe("rate_limit credential retry code:slow_down");
    expect(verdict({ status: 500, body: echoed })).toBe("server provider retry status:500");
    expect(verdict(echoed)).toBe("auth credential stop code:invalid_api_key");
    expect(verdict({ type: "server_error", message: echoed })).toBe("auth credential stop code:invalid_api_key");
    expect(verdict("snake_case words_that nobody_knows")).toBe("unknown request stop unknown");
    expect(verdict(`${"ab_c ".repeat(80)} billing_not_active`)).toBe("unknown request stop unknown");
  });

  test("E1: gRPC's numbers are codes where the text is in `details`", () => {
    expect(verdict({ code: 8, details: "exhausted" })).toBe("rate_limit credential retry code:RESOURCE_EXHAUSTED");
    expect(verdict({ code: 14, details: "no connection" })).toBe("overloaded model retry code:UNAVAILABLE");
    expect(verdict({ code: 99, details: "?" })).toBe("unknown request stop unknown");
    expect(verdict({ code: 8, message: "?" })).toBe("unknown request stop unknown");
  });

  test.each([
    ["zhipu", "1302", "rate_limit"],
    ["zhipu", "1113", "usage_limit"],
    ["z.ai", 1261, "context_overflow"],
    ["minimax", 1008, "usage_limit"],
    ["minimax", 1002, "rate_limit"],
    ["baidu", 17, "usage_limit"],
    ["baidu", 336100, "overloaded"],
    ["xfyun-spark", 10013, "content_filter"],
    ["cloudflare-workers-ai", 3036, "usage_limit"],
  ])("E1: %s numbers its errors: %s is %s", (provider, code, kind) => {
    expect(classify({ error: { code, message: "?" } }, { provider })).toMatchObject({ kind, evidence: `code:${code}` });
    expect(classify({ error: { code, message: "?" } }, { provider: "other" }).kind).toBe("unknown");
    expect(classify({ error: { code, message: "?" } }, { target: { provider, model: "", credential: "" } }).kind).toBe(
      kind,
    );
  });

  test("E1: a number that the provider does not use decides nothing", () => {
    expect(classify({ error: { code: 4711, message: "?" } }, { provider: "zhipu" })).toMatchObject({
      kind: "unknown",
      code: "4711",
    });
  });
});

describe("provider events and SDK shapes", () => {
  test.each([
    [
      "an OpenAI error chunk",
      { error: { message: "Oops", type: "server_error", code: null } },
      "server provider retry code:server_error",
    ],
    [
      "an OpenAI response.failed",
      { type: "response.failed", response: { error: { code: "rate_limit_exceeded", message: "x" } } },
      "rate_limit credential retry code:rate_limit_exceeded",
    ],
    [
      "an OpenAI response.incomplete",
      { response: { incomplete_details: { reason: "content_filter" } } },
      "content_filter request stop code:content_filter",
    ],
    [
      "an Anthropic error event",
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      "overloaded model retry code:overloaded_error",
    ],
    [
      "a Gemini error",
      { error: { code: 429, status: "RESOURCE_EXHAUSTED", message: "x" } },
      "rate_limit credential retry status:429",
    ],
    ["a Gemini block", { promptFeedback: { blockReason: "SAFETY" } }, "content_filter request stop code:SAFETY"],
    [
      "a Gemini candidate that was cut",
      { candidates: [{ finishReason: "RECITATION" }] },
      "content_filter request stop code:RECITATION",
    ],
    [
      "a good Gemini candidate",
      { candidates: [{ content: { parts: [{ text: "x" }] }, finishReason: "STOP" }] },
      "unknown request stop unknown",
    ],
    [
      "an Azure filter",
      { choices: [{ finish_reason: "content_filter" }] },
      "content_filter request stop code:content_filter",
    ],
    [
      "an inner error",
      { error: { code: "400", innererror: { code: "ResponsibleAIPolicyViolation" } } },
      "content_filter request stop code:ResponsibleAIPolicyViolation",
    ],
    [
      "OpenRouter's raw upstream error",
      {
        error: {
          code: 400,
          message: "Provider returned error",
          metadata: { raw: '{"error":{"type":"authentication_error"}}' },
        },
      },
      "auth credential stop code:authentication_error",
    ],
    [
      "SSE text",
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      "overloaded model retry code:overloaded_error",
    ],
    [
      "several SSE events",
      'data: {"error":{"code":"rate_limit_exceeded"}}\n\ndata: {"x":1}',
      "rate_limit credential retry code:rate_limit_exceeded",
    ],
    [
      "JSON in JSON",
      { message: JSON.stringify({ error: { message: JSON.stringify({ error: { code: 503 } }) } }) },
      "overloaded model retry status:503",
    ],
    [
      "FastAPI's detail",
      { status: 422, body: { detail: [{ msg: "field required" }] } },
      "bad_request request stop status:422",
    ],
    [
      "Tencent's envelope",
      { Response: { Error: { Code: "AuthFailure.TokenFailure", Message: "x" } } },
      "auth credential stop code:AuthFailure.TokenFailure",
    ],
    [
      "an AI SDK RetryError",
      { name: "AI_RetryError", reason: "maxRetriesExceeded", lastError: { statusCode: 529 }, errors: [] },
      "overloaded model retry status:529",
    ],
    [
      "an error of another realm",
      Object.assign(Object.create({ name: "AbortError" }), { message: "x" }),
      "aborted request stop code:AbortError",
    ],
    [
      "a DOMException of a timeout",
      new DOMException("The operation timed out.", "TimeoutError"),
      "timeout provider retry code:TimeoutError",
    ],
    ["a DOMException of an abort", new DOMException("stop", "AbortError"), "aborted request stop code:AbortError"],
    ["a function", Object.assign(() => {}, { code: "ECONNRESET" }), "network provider retry errno:ECONNRESET"],
  ])("E1: understands %s", (_, problem, expected) => {
    expect(verdict(problem)).toBe(expected);
  });

  test.each(["CANCELLED", "canceled", "request_cancelled"])(
    "E4: an endpoint that cancels without a status is not our abort either: %s",
    (code) => {
      expect(verdict({ error: { code, message: "?" } })).toBe(`server provider retry code:${code}`);
    },
  );

  test("E4: an endpoint that cancels is not our abort", () => {
    expect(verdict({ status: 499, error: { status: "CANCELLED", message: "The operation was cancelled." } })).toBe(
      "timeout provider retry status:499",
    );
    expect(verdict({ status: 499, body: "request_cancelled" })).toBe("timeout provider retry status:499");
    expect(verdict({ status: 499, body: "user_aborted" })).toBe("timeout provider retry status:499");
    expect(verdict({ status: 400, error: { code: "user_aborted" } })).toBe("bad_request request stop status:400");
    expect(verdict(new DOMException("Left at authentication_error", "AbortError"))).toBe(
      "aborted request stop code:AbortError",
    );
  });

  test("E1: AWS puts its type into a header", () => {
    const problem = { status: 400, headers: { "x-amzn-errortype": "ExpiredTokenException:x" }, body: { message: "?" } };
    expect(verdict(problem)).toBe("auth credential stop code:ExpiredTokenException:x");
    expect(verdict({ ...problem, body: { code: "ServiceQuotaExceededException" } })).toBe(
      "usage_limit credential stop code:ServiceQuotaExceededException",
    );
    expect(verdict({ ...problem, body: { code: "ThrottlingException" } })).toBe(
      "rate_limit credential retry code:ThrottlingException",
    );
  });
});

describe("the endpoint's own word on retrying", () => {
  test.each([
    ["a yes makes the unknown retryable", { retryable: true, message: "?" }, "unknown request retry flag:retryable"],
    ["a no adds nothing to the unknown", { retryable: false, message: "?" }, "unknown request stop unknown"],
    ["a no counts for anything", { retryable: false, status: 503 }, "overloaded model stop status:503"],
    [
      "a yes does not make a bad key worth a retry",
      { retryable: true, status: 401 },
      "auth credential stop status:401",
    ],
    ["a yes does not refill a plan", { retryable: true, status: 402 }, "usage_limit credential stop status:402"],
    [
      "a yes does not empty a full window",
      { retryable: true, status: 413 },
      "context_overflow request stop status:413",
    ],
    [
      "a yes counts for a bad key that words alone tell of",
      { retryable: true, message: "Invalid API key" },
      "auth credential retry text:auth",
    ],
    [
      "a yes counts for a certificate that words alone tell of",
      { retryable: true, message: "self-signed certificate" },
      "network provider retry text:certificate",
    ],
    [
      "a yes does not empty a window that words alone tell of",
      { retryable: true, message: "prompt is too long" },
      "context_overflow request stop text:context-overflow",
    ],
    [
      "a yes does not fill an account that words alone tell of",
      { retryable: true, message: "insufficient balance" },
      "usage_limit credential stop quota:money",
    ],
    [
      "a yes does not shrink a request that never fits",
      { retryable: true, status: 429, message: "Limit 7000, Requested 12903" },
      "rate_limit credential stop quota:never-fits",
    ],
    ["a yes is no abort", { retryable: true, message: "Request was aborted." }, "unknown request retry flag:retryable"],
    ["a yes is no abort by name", { retryable: true, name: "AbortError" }, "unknown request retry flag:retryable"],
    ["a no leaves an abort one", { retryable: false, name: "AbortError" }, "aborted request stop code:AbortError"],
    [
      "the header says yes to a 400",
      { status: 400, headers: { "x-should-retry": "true" } },
      "bad_request request retry status:400",
    ],
    [
      "the header says no to a 500",
      { status: 500, headers: { "x-should-retry": "false" } },
      "server provider stop status:500",
    ],
    [
      "the header comes before the flag",
      { retryable: true, status: 500, headers: { "x-should-retry": "false" } },
      "server provider stop status:500",
    ],
    [
      "any other header value is ignored",
      { status: 500, headers: { "x-should-retry": "maybe" } },
      "server provider retry status:500",
    ],
    ["a flag that is not a boolean is ignored", { retryable: "no", status: 500 }, "server provider retry status:500"],
    [
      "the outer flag counts",
      { retryable: false, error: { retryable: true, code: 500 } },
      "server provider stop status:500",
    ],
    [
      "the AI SDK's flag counts without a status",
      { isRetryable: true, message: "It did not work" },
      "unknown request retry flag:retryable",
    ],
    [
      "the AI SDK's flag adds nothing to a status",
      { isRetryable: true, statusCode: 400, message: "?" },
      "bad_request request stop status:400",
    ],
    [
      "the AI SDK's no is only a default",
      { isRetryable: false, code: "ECONNRESET" },
      "network provider retry errno:ECONNRESET",
    ],
  ])("E1: %s", (_, problem, expected) => {
    expect(verdict(problem)).toBe(expected);
  });
});

describe("programming errors", () => {
  test.each([
    [new TypeError("Cannot read properties of undefined (reading 'timeout')"), "TypeError"],
    [new ReferenceError("rate limit is not defined"), "ReferenceError"],
    [new RangeError("Invalid array length"), "RangeError"],
    [new SyntaxError("Unexpected token '<'"), "SyntaxError"],
    ["TypeError: x.timeout is not a function", "TypeError"],
  ])("E1: %s is unknown, not retryable, and named", (problem, name) => {
    expect(verdict(problem)).toBe(`unknown request stop program:${name}`);
  });

  test.each(["fetch failed", "Failed to fetch", "Load failed", "terminated"])(
    "E4: TypeError: %s is the network's",
    (message) => {
      expect(verdict(new TypeError(message))).toBe("network provider retry text:network");
      expect(verdict(`TypeError: ${message}`)).toBe("network provider retry text:network");
    },
  );

  test("E4: TypeError: Firefox' NetworkError is the network's", () => {
    const message = "NetworkError when attempting to fetch resource.";
    expect(verdict(new TypeError(message))).toBe("network provider retry code:NetworkError");
    expect(verdict(`TypeError: ${message}`)).toBe("network provider retry code:NetworkError");
  });

  test("E1: a programming error further in is only a detail", () => {
    expect(verdict(new Error("Request timed out", { cause: new TypeError("x") }))).toBe(
      "timeout provider retry text:timeout",
    );
    expect(verdict("Request timed out (TypeError: x)")).toBe("timeout provider retry text:timeout");
  });
});
