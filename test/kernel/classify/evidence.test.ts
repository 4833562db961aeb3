import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const verdict = (problem: unknown) => {
  const { kind, retryable, evidence } = classify(problem);
  return `${kind} ${retryable ? "retry" : "stop"} ${evidence}`;
};
const answered = (status: number, message: string) => verdict({ status, body: { error: { message } } });

describe("the evidence", () => {
  test.each([
    [400, "Failed to load model x: insufficient memory", "server stop text:memory"],
    [400, "An internal server error has occurred", "server retry text:server"],
    [400, "The request timed out", "timeout retry text:timeout"],
    [400, "You do not have access to this endpoint", "permission stop text:permission"],
    [400, "No usable platform found for model x", "overloaded retry text:overloaded"],
    [400, "Error decoding response body", "stream_broken retry text:stream-broken"],
    [400, "Server Connection Error", "network retry text:network"],
    [400, "No route for that URI", "not_found stop text:not-found"],
    [403, "Default credentials were not found", "auth stop text:auth"],
    [403, "Not authenticated", "auth stop text:auth"],
    [403, "The model `x` does not exist", "not_found stop text:not-found"],
    [404, "Not found because of proxy error: socket hang up", "network retry text:network"],
    [408, "stream closed before response.completed", "stream_broken retry text:stream-broken"],
    [413, "You have exceeded your quota", "usage_limit stop quota:plan"],
    [429, "Quota exceeded for quota metric 'Generate requests'", "rate_limit retry quota:metric"],
    [500, "unable to load model: /models/x", "server stop text:memory"],
    [500, "No API key configured", "auth stop text:auth"],
    [500, "User x is not authorized to perform: bedrock:InvokeModel", "permission stop text:permission"],
    [500, "The model x does not exist", "not_found stop text:not-found"],
    [500, "The model produced invalid content", "invalid_content retry text:content"],
    [500, "premature close", "stream_broken retry text:stream-broken"],
    [500, "No available channels", "overloaded retry text:overloaded"],
    [500, "no healthy nodes", "overloaded retry text:overloaded"],
    [500, "no free workers", "overloaded retry text:overloaded"],
    [500, "The response was flagged by our content policy", "content_filter stop text:content-filter"],
    [500, "Unexpected end of JSON input", "stream_broken retry text:stream-broken"],
    [500, "Timed out", "timeout retry text:timeout"],
    [500, "connection refused", "network retry text:network"],
    [529, 'Post "https://x/v1": connection error', "network retry text:network"],
  ])("E1: names the words that overturn a status: %i %s", (status, message, expected) => {
    expect(answered(status, message)).toBe(expected);
  });

  test.each([
    [400, "2 validation errors for ChatCompletionChunk", "bad_request stop status:400"],
    [401, "Default credentials were not found", "auth stop status:401"],
    [401, "The model `x` does not exist", "auth stop status:401"],
    [503, "Unexpected end of JSON input", "overloaded retry status:503"],
    [503, "No available channels for model x", "overloaded retry status:503"],
    [529, "connection error", "overloaded retry status:529"],
  ])("E1: is the status where the words add nothing to it: %i %s", (status, message, expected) => {
    expect(answered(status, message)).toBe(expected);
  });

  test.each<[unknown, string]>([
    [{ name: "APIConnectionError", message: "Could not load the default credentials" }, "auth stop text:auth"],
    [{ name: "APIConnectionError", message: "Request timed out" }, "timeout retry text:timeout"],
    [{ name: "APIConnectionError", message: "Invalid URL: No scheme supplied" }, "bad_request stop text:bad-request"],
    [{ name: "APIConnectionError", message: "premature close" }, "stream_broken retry text:stream-broken"],
    [
      { name: "TimeoutError", message: "stream closed before response.completed" },
      "stream_broken retry text:stream-broken",
    ],
    [
      { name: "PrematureCloseException", message: "Connection prematurely closed BEFORE response" },
      "network retry text:network",
    ],
    [
      { name: "PrematureCloseException", message: "Connection prematurely closed DURING response" },
      "stream_broken retry code:PrematureCloseException",
    ],
    [
      { name: "ValidationError", message: "2 validation errors for ChatCompletionChunk" },
      "stream_broken retry text:stream-broken",
    ],
    [
      { name: "ValidationError", message: "2 validation errors for ChatCompletionChunk", status: 400 },
      "bad_request stop code:ValidationError",
    ],
    [{ code: "permission_denied", message: "model not found: x", status: 403 }, "not_found stop text:not-found"],
    [
      { code: "permission_denied", message: "Project a: model not found: x", status: 403 },
      "permission stop code:permission_denied",
    ],
    ["unable to load model: /models/x", "server stop text:memory"],
  ])("E1: names the words that overturn a code or a class: %j", (problem, expected) => {
    expect(verdict(problem)).toBe(expected);
  });

  test.each<[unknown, string]>([
    [{ type: "api_error", message: "Incorrect API key provided" }, "auth stop text:auth"],
    [{ type: "upstream_error", message: "Invalid value for temperature" }, "bad_request stop text:bad-request"],
    [
      { type: "invalid_request_error", message: "Invalid value for temperature" },
      "bad_request stop code:invalid_request_error",
    ],
  ])("E1: is the sentence where it says more than a code that only repeats a status: %j", (problem, expected) => {
    expect(verdict(problem)).toBe(expected);
  });

  test.each<[unknown, string]>([
    [{ status: 200, code: "ECONNRESET", message: "read" }, "network retry errno:ECONNRESET"],
    [{ status: 200, message: "socket hang up" }, "stream_broken retry text:network"],
    ["ERROR_QUOTA_EXHAUSTED: x", "usage_limit stop errno:ERROR_QUOTA_EXHAUSTED"],
    [{ code: "gateway_recitation" }, "content_filter stop code:gateway_recitation"],
    [{ type: "api_error", message: "Unknown error" }, "server retry code:api_error"],
    ["ApiError: unknown error", "unknown stop unknown"],
    ["模型返回空内容", "stream_broken retry text:stream-broken"],
    ["stream disconnected before completion: xyz", "stream_broken retry text:stream-broken"],
    ["IncompleteReadError: x", "stream_broken retry code:IncompleteReadError"],
    ["Rate limit reached. Limit: 3 / min. Please add a payment method", "rate_limit retry quota:rate"],
    ["Rate limit reached. Please add a payment method", "usage_limit stop quota:money"],
    ["ThrottlingException: x", "rate_limit retry code:ThrottlingException"],
    ['ThrottlingException: {"message":"Please try again later"}', "rate_limit retry code:ThrottlingException"],
    ["Invalid API key. Please contact support", "auth stop text:auth"],
    ["Something went wrong. Please contact support", "unknown stop unknown"],
    [new RangeError("Cannot use 'in' operator to search for 'object' in <html>"), "unknown stop program:RangeError"],
  ])("E1: shows what counts first, %j", (problem, expected) => {
    expect(verdict(problem)).toBe(expected);
  });

  test("E1: is a billing stop rather than the rate that a server's sentence names beside it", () => {
    const sentence = "Insufficient balance, rate limit exceeded: 3 requests per minute";
    expect(answered(500, sentence)).toBe("usage_limit stop quota:money");
  });
});

describe("a code in a text beside a status", () => {
  const upTo = (chars: number, code: string) => `${"a ".repeat(chars).slice(0, chars - code.length - 1)} ${code}`;

  test.each([
    ["in its first 300 characters", upTo(299, "access_token_expired"), "auth stop code:access_token_expired"],
    ["cut at that place", `${upTo(300, "access_token_expired")}_x and more`, "bad_request stop status:400"],
    ["behind them", `${upTo(300, "x")} access_token_expired`, "bad_request stop status:400"],
  ])("E1: counts only near its start: %s", (_, message, expected) => {
    expect(answered(400, `${message} and so on`)).toBe(expected);
  });
});

describe("a limit per minute with a long wait", () => {
  const limited = (more: object, message = "Limit of 10 requests per minute") =>
    verdict({ status: 429, message, ...more });
  const delay = { details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7200s" }] };

  test.each<[string, object, string | undefined, string]>([
    [
      "more than an hour in words",
      {},
      "10 requests per minute. Try again in 2 hours",
      "usage_limit stop quota:long-wait",
    ],
    ["more than an hour in a field", { retry_after: 7200 }, undefined, "usage_limit stop quota:long-wait"],
    ["an hour", {}, "10 requests per minute. Try again in 1 hour", "rate_limit retry quota:rate"],
    ["none", {}, undefined, "rate_limit retry quota:rate"],
    ["a header", { headers: { "retry-after": "7200" } }, undefined, "rate_limit retry quota:rate"],
    ["Google's field", delay, undefined, "rate_limit retry quota:rate"],
    [
      "Azure's sentence",
      {},
      "Exceeded token rate limit of your tier. Please retry after 86400 seconds.",
      "rate_limit retry quota:rate",
    ],
  ])("B2: is a stop only if words ask for it: %s", (_, more, message, expected) => {
    expect(limited(more, message)).toBe(expected);
  });
});

describe("a crash of the caller's own code", () => {
  const crash = "'NoneType' object has no attribute 'x'";

  test.each<[string, unknown, string]>([
    ["a class around it", `RateLimitError: ${crash}`, "unknown stop text:own-crash"],
    [
      "a class with a status",
      { status: 429, message: `RateLimitError: ${crash}` },
      "rate_limit retry code:RateLimitError",
    ],
    ["a code of the endpoint", `rate_limit_exceeded: ${crash}`, "rate_limit retry code:rate_limit_exceeded"],
    ["its trace", "Traceback:\n  File \"a.py\", line 1\nKeyError: 'x'", "unknown stop text:own-crash"],
    ["no trace", "Rate limit reached\nKeyError: 'x'", "rate_limit retry text:rate-limit"],
    ["a trace of something else", 'File "a.py", line 1\nRate limit reached', "rate_limit retry text:rate-limit"],
  ])("E1: shows no cause, unless the endpoint names one: %s", (_, problem, expected) => {
    expect(verdict(problem)).toBe(expected);
  });
});
