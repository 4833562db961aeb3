import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const verdict = (status: number, message: string) => {
  const { kind, retryable } = classify({ status, body: { error: { message } } });
  return `${kind} ${retryable ? "retry" : "stop"}`;
};

describe("words that name a cause behind a status that does not", () => {
  test.each([
    [500, "stream closed before completion", "stream_broken retry"],
    [502, "empty response from upstream", "stream_broken retry"],
    [502, "Failed to connect to upstream server", "network retry"],
    [503, "upstream connect error or disconnect/reset before headers", "network retry"],
    [503, "upstream request timeout", "timeout retry"],
    [500, "model 'foo' not found", "not_found stop"],
    [500, "content policy violation detected", "content_filter stop"],
    [500, "messages must not be empty", "bad_request stop"],
    [500, "contents is required (request id: 1)", "bad_request stop"],
    [500, "unable to load model: /models/x", "server stop"],
    [400, "Request timed out", "timeout retry"],
    [400, "Failed to load model x", "server stop"],
    [400, "An internal error has occurred. Please retry", "server retry"],
    [400, "Free tier is not available in your country", "permission stop"],
    [400, "No route for that URI", "not_found stop"],
    [422, "Model not available: foo", "not_found stop"],
    [435, "Model not support", "not_found stop"],
    [400, "no usable platform found for model x", "overloaded retry"],
    [500, "There are no healthy deployments for this model", "overloaded retry"],
    [400, "Server Connection Error", "network retry"],
    [404, "Not found because of proxy error: socket hang up", "network retry"],
    [400, "Failed to parse response: error decoding response body", "stream_broken retry"],
    [500, "Cookies may be expired: keep them up to date", "auth stop"],
    [500, "当前API请求过多，请稍后重试", "rate_limit retry"],
    [400, "请求过于频繁", "rate_limit retry"],
    [500, "invalid claude code request", "bad_request stop"],
    [500, "The request is missing a required parameter", "bad_request stop"],
    [500, "The model produced invalid content. Consider modifying your prompt", "invalid_content retry"],
    [403, "The bearer token included in the request is invalid", "auth stop"],
    [403, "Not authenticated", "auth stop"],
    [403, "Token expired or invalid", "auth stop"],
    [403, "Your submission contains text that is not allowed", "content_filter stop"],
    [400, "The 'x' model is not supported when using Codex with a ChatGPT account", "permission stop"],
    [400, "Only one request at a time, please", "rate_limit retry"],
    [403, "upstream connect error or disconnect/reset before headers", "network retry"],
    [400, "Access is not allowed from unsupported territories", "permission stop"],
    [409, "This account is not eligible to do that", "permission stop"],
    [400, "There are no models loaded", "not_found stop"],
    [400, "invalid model_uri", "not_found stop"],
  ])("E1, E4: %i %s", (status, message, expected) => {
    expect(verdict(status, message)).toBe(expected);
  });

  test.each([
    [500, "The server had an error while processing your request", "server retry"],
    [500, "tensor shape mismatch: expected [1, 2] got [1, 3]", "server retry"],
    [500, "list index out of range", "server retry"],
    [502, "The origin web server returned an invalid or incomplete response", "server retry"],
    [500, "Unexpected token 'I', \"Internal S\"... is not valid JSON", "server retry"],
    [400, "file not found: file-abc", "bad_request stop"],
    [501, "501 | Error: Not Implemented", "server retry"],
    [500, "not implemented", "bad_request stop"],
    [404, "No such thing behind the socket", "not_found stop"],
    [403, "This endpoint only accepts requests from one client. Please run /login", "permission stop"],
    [403, "The project may not use tokens", "permission stop"],
    [400, "invalid type: integer `400`, failed to deserialize response, got `404`", "bad_request stop"],
    [401, "可能是密钥错误，也可能是请求过快", "auth stop"],
    [400, "model does not support image input", "bad_request stop"],
    [400, "Invalid value 7 for 'temperature'", "bad_request stop"],
    [400, "Only one image at a time is accepted", "bad_request stop"],
    [403, "You may not connect this workspace", "permission stop"],
    [400, "Entity x is not eligible for provisioned throughput", "bad_request stop"],
    [400, "invalid model_kwargs", "bad_request stop"],
  ])("E4: other words leave the status its meaning: %i %s", (status, message, expected) => {
    expect(verdict(status, message)).toBe(expected);
  });
});

describe("numbers of a provider in words", () => {
  test.each([
    ["minimax", "input new_sensitive (1026)", "content_filter"],
    ["minimax", "something is off (1008)", "usage_limit"],
    ["zhipu", "[1302][please wait]", "rate_limit"],
    ["zhipu", "请求失败：{“error”:{“code”:“1113”,“message”:“x”}}", "usage_limit"],
    ["coze", "code: 4100, it did not work", "auth"],
  ])("E1: %s: %s", (provider, text, kind) => {
    expect(classify(text, { provider }).kind).toBe(kind);
  });

  test("E1: means nothing without the provider's name, or when it is a count", () => {
    expect(classify("something is off (1008)").kind).toBe("unknown");
    expect(classify("read 1008 files", { provider: "minimax" }).kind).toBe("unknown");
  });
});

describe("codes that nobody has shown", () => {
  test.each([
    ["DEPLOYMENT_NOT_REGISTERED", "not_found"],
    ["UnparsableResponseError", "stream_broken"],
    ["backend_temporarily_unavailable", "overloaded"],
    ["UNSUPPORTED_CONTENT_PART", "bad_request"],
    ["UpstreamUnknownHostException", "network"],
  ])("E1: are read by their words: %s", (code, kind) => {
    expect(classify({ code }).kind).toBe(kind);
    expect(classify(`It failed with ${code}.`).kind).toBe(kind);
  });

  test.each(["responseParser", "OpenGuardrails", "search_context_size", "rate_limit_check_failed"])(
    "E1: a name of something else is none: %s",
    (name) => {
      expect(classify(`at ${name} in the log`).kind).toBe("unknown");
    },
  );
});
