import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const say = ({ kind, retryable }: { readonly kind: string; readonly retryable: boolean }) =>
  `${kind} ${retryable ? "retry" : "stop"}`;
const answer = (status: number, message: string) => say(classify({ status, body: { error: { message } } }));
const text = (line: string) => say(classify(line));

describe("words behind a status that says something else", () => {
  test.each([
    [503, "No available accounts: this group only allows Claude Code clients", "permission stop"],
    [503, "This relay only accepts requests from our app", "permission stop"],
    [502, "Upstream access forbidden, please contact administrator", "permission stop"],
    [400, "This model is restricted to authorized applications.", "permission stop"],
    [400, "Request denied by upstream policy.", "permission stop"],
    [401, "You have insufficient permissions for this operation.", "permission stop"],
    [401, "Missing scopes: model.request", "permission stop"],
    [403, "Authorization error, you may need to run /login", "auth stop"],
    [403, "Please sign in again", "auth stop"],
    [403, "You've reached your concurrent request limit. Please wait.", "rate_limit retry"],
    [400, "Unreadable token, please pass a valid token.", "auth stop"],
    [422, "The version does not exist (or perhaps you don't have permission to use it?)", "not_found stop"],
    [400, "The system encountered an unexpected error during processing. Try your request again.", "server retry"],
    [400, "Prompt has 49202 tokens, but the configured context size is 49152 tokens", "context_overflow stop"],
    [500, "Improperly formed request.", "bad_request stop"],
    [
      500,
      "Invalid 'input[261].call_id': empty string. Expected a string, but got an empty string.",
      "bad_request stop",
    ],
    [500, "prompt 参数非法。请检查文档。", "bad_request stop"],
    [500, "该模型无可用令牌", "overloaded retry"],
    [500, "Слишком длинный запрос: 121692 токенов входа", "context_overflow stop"],
    [502, "unknown provider for model foo", "not_found stop"],
    [500, 'do request failed: Post "https://api.example/v1/chat": EOF', "network retry"],
    [429, "Foo Preview doesn't have a free quota tier.", "usage_limit stop"],
    [429, "Cost limit exceeded", "usage_limit stop"],
    [503, "当前分组 不限速 下对于模型 x 无可用渠道", "overloaded retry"],
  ])("E1, E4: the words decide: %i %s", (status, message, expected) => {
    expect(answer(status, message)).toBe(expected);
  });

  test.each([
    [503, "This server only allows 5 concurrent users", "overloaded retry"],
    [400, "This model only accepts alternating user and assistant messages", "bad_request stop"],
    [400, "Batches are limited to 10 applications", "bad_request stop"],
    [500, "An unknown model error occurred", "server retry"],
    [400, "Please use a valid max tokens value", "bad_request stop"],
    [403, "This endpoint is closed. Please run /login", "permission stop"],
    [403, "Your account was suspended because its content violated our terms", "permission stop"],
    [429, "Daily limit reached. Please wait a moment and try again.", "usage_limit stop"],
    [401, "The token has no such permission listed", "auth stop"],
  ])("E4: other words leave the status its meaning: %i %s", (status, message, expected) => {
    expect(answer(status, message)).toBe(expected);
  });

  test("E4: a bad key behind a 401 counts for more than a code of missing rights", () => {
    const line = "Access denied due to invalid subscription key. Status: 401 (PermissionDenied)";
    expect(say(classify({ status: 401, body: line }))).toBe("auth stop");
    expect(say(classify({ status: 403, body: { code: "PermissionDenied", message: "No." } }))).toBe("permission stop");
  });

  test("E1: a content that violates guidelines is a filter's, whatever the code; an account is not", () => {
    const refused = (error: string) => say(classify({ status: 403, body: { code: "permission-denied", error } }));
    expect(refused("Content violates usage guidelines.")).toBe("content_filter stop");
    expect(refused("The team may not use this model.")).toBe("permission stop");
  });

  test("E4: a lost connection behind a 502 is the network's, behind a 503 an overload", () => {
    const lost = (status: number) =>
      say(classify({ status, body: { message: "Network connection lost.", error_type: "provider_unavailable" } }));
    expect(lost(502)).toBe("network retry");
    expect(lost(503)).toBe("overloaded retry");
  });
});

describe("lines without a status", () => {
  test.each([
    ["InvokeModel: get credentials: request canceled, context canceled", "aborted stop"],
    ["Error: Request was aborted.\n    at f (/app/x.js:1:2)", "aborted stop"],
    ["tools.0.custom.name: String should match pattern '^[a-z]+$'", "bad_request stop"],
    ["Tool call id has to be defined in serving mode.", "bad_request stop"],
    ["You have reached the limit.", "rate_limit retry"],
    ["You exceeded your current requests list.", "rate_limit retry"],
    ["Request quota exceeded. Please wait a moment and try again.", "rate_limit retry"],
    ["You have used all of today's free usage on this account.", "usage_limit stop"],
    ["通过套餐包使用服务时需要先购买套餐包。", "usage_limit stop"],
    ["served only by credentials outside the groups this\ncredential may use", "permission stop"],
    ["Unhandled format for Content: {}", "stream_broken retry"],
    ["The provider ended the response before returning usable output.", "stream_broken retry"],
    ["Connection lost mid-response (ECONNRESET)", "stream_broken retry"],
    ["stream error: stream ID 1; PROTOCOL_ERROR; received from peer", "stream_broken retry"],
    ["JsonEOFException: Unexpected end-of-input in VALUE_STRING", "stream_broken retry"],
    ["unknown certificate verification error", "network stop"],
    ["litellm.APIConnectionError: OllamaException - unauthorized", "auth stop"],
    ["Oops, your response got filtered.", "content_filter stop"],
    ["auth_unavailable: no auth available (providers=claude)", "overloaded retry"],
  ])("E1: %s", (line, expected) => {
    expect(text(line)).toBe(expected);
  });

  test.each([
    ["The file size exceeded the limit.", "rate_limit"],
    ["The upload exceeds the request size.", "rate_limit"],
    ["The context canceled event was sent", "aborted"],
    ["The log says that the request was aborted. Nothing else", "aborted"],
    ["The certificate was installed", "network"],
    [
      '{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"self_harm":{"filtered":false}',
      "content_filter",
    ],
  ])("E1: near misses of these wordings: %s", (line, other) => {
    expect(classify(line).kind).not.toBe(other);
  });

  test("E1: a filter's result that is true still counts", () => {
    const line = 'Cut: {"content_filter_results":{"hate":{"filtered":true,"severity":"high"}';
    expect(classify(line).kind).toBe("content_filter");
  });

  test.each([
    ["Connection lost mid-response (ECONNRESET) after 1 block(s) yielded", "stream_broken stop"],
    ["Stream closed mid-stream (ECONNRESET), finalizing partial response", "stream_broken stop"],
    ["Connection lost mid-response (ECONNRESET) after 0 blocks yielded", "stream_broken retry"],
  ])("E14: a part that was delivered is not asked for again: %s", (line, expected) => {
    expect(text(line)).toBe(expected);
  });
});

describe("what a layer inside says", () => {
  test.each([
    ['请求过于频繁 (HTTP 429, TPM/RPM)。 {"error": "Cost limit exceeded"}', "usage_limit stop"],
    ["429 请求过于频繁或超过限额\n\n错误详情：\n当前分组上游负载已饱和，请稍后再试", "overloaded retry"],
    ['500 Internal Server Error - {"error":"Stream request failed: 429"}', "rate_limit retry"],
    [
      "Error code: 400 - {'error': {'code': 'InvalidParameter', 'message':  } 'Input length 9 exceeds the maximum length",
      "context_overflow stop",
    ],
    [
      'HTTP 400 Bad Request. You may have exhausted your allowance or have an expired account.\n{"message": "Streaming is not support yet"}',
      "bad_request stop",
    ],
    [
      "429 status code (no body)\n Possible quota limitations in place or slow response times detected.",
      "rate_limit retry",
    ],
  ])("E1: %s", (line, expected) => {
    expect(text(line)).toBe(expected);
  });

  test("E1: the class of an AWS event counts for more than the 400 of its frame", () => {
    const event = (type: string) =>
      say(
        classify(
          `Bad response: {'status_code': 400, 'headers': {':exception-type': '${type}'}, 'body': b'{"message":"No."}'}`,
        ),
      );
    expect(event("serviceUnavailableException")).toBe("overloaded retry");
    expect(event("throttlingException")).toBe("rate_limit retry");
    expect(event("validationException")).toBe("bad_request stop");
  });

  test("E1: Baidu's short numbers count in front of their message only", () => {
    const baidu = (line: string) => classify(line, { provider: "baidu" }).kind;
    expect(baidu("api return error, code: 14, msg: IAM Certification failed")).toBe("auth");
    expect(baidu("process ended, code: 14")).toBe("unknown");
  });
});
