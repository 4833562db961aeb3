import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const kindOf = (text: string) => classify(text).kind;

/** For each rule: the kind, wordings that are in no file of the corpus, and near misses that are of another kind. */
const RULES: Readonly<Record<string, readonly [kind: string, said: readonly string[], notSaid: readonly string[]]>> = {
  "a crash of the caller's own code": [
    "unknown",
    [
      "AttributeError: 'NoneType' object has no attribute 'choices'",
      "Error while processing the request: Cannot set properties of undefined (setting 'usage')",
      "attempt to index a nil value (field 'choices')",
      "System.NullReferenceException: Object reference not set to an instance of an object.",
      'Undefined array key "choices"',
      "ModuleNotFoundError: No module named 'tiktoken'",
    ],
    [
      "Internal server error: 'NoneType' object has no attribute 'choices'",
      "list index out of range. Please try again.",
      "Upstream error: KeyError 'model'",
      "KeyError: 'choices' (rate limit exceeded)",
      "TypeError: fetch failed",
    ],
  ],
  "a text that only says that something failed": [
    "unknown",
    [
      "Unknown error",
      "An unexpected error occurred",
      "Chat failed",
      "Retries exhausted",
      "未知错误",
      "All models failed",
    ],
    [
      "Something went wrong. Please retry.",
      "The AI provider returned an error",
      "Unknown model: foo-1",
      "Resource has been exhausted",
      "There was a problem on our end",
    ],
  ],
  "a text that only asks to try again": [
    "server",
    [
      "Oops! Please try once more",
      "Unable to complete this right now. Please try again later.",
      "生成失败，请重试",
      "出错了，请再试一次",
      "The answer failed. Try again.",
    ],
    [
      "The maximum of 4096 was exceeded. Try again with a lower max_tokens.",
      "Invalid API key. Please try again.",
      "服务器繁忙，请稍后再试",
      "Check your parameters and try again",
      "Timed out, please try again",
    ],
  ],
  "what the caller has to mend": [
    "bad_request",
    [
      "Please correct your input and try again",
      "Something is wrong with your request; retry",
      "There is a problem with your payload",
      "请检查您的参数后重试",
      "Review the request and retry",
    ],
    [
      "Please check your internet connection and try again",
      "Check your API key and try again",
      "Your request failed, please try again",
      "Please verify your organization",
      "An error occurred while processing your request",
    ],
  ],
  "a cause that is blamed": [
    "server",
    [
      "Reply stopped early because of an internal error",
      "The stream was interrupted due to a server-side problem",
      "Connection lost due to an upstream failure",
      "Timed out because of a provider issue",
      "Cut off, caused by an internal fault",
    ],
    [
      "Interrupted due to a network error",
      "Stopped because of insufficient balance",
      "Refused due to content policy",
      "The stream was interrupted",
      "Cancelled due to the configured timeout",
    ],
  ],
  "an answer of the model that the client refuses": [
    "invalid_content",
    [
      "OutputParserException: Failed to parse AgentAction",
      "Could not parse LLM output: `Thought: none`",
      "Invalid model output: the plan has no steps",
      "The edit could not be applied: search block not found in file",
      "The model's output format is wrong",
    ],
    [
      "Failed to parse the response body",
      "Invalid model",
      "Invalid output_format parameter",
      "Could not parse the request body",
      "No output from the model",
    ],
  ],
  "a request that the server cannot read": [
    "bad_request",
    [
      "Failed to parse request body as JSON",
      "The request contains malformed JSON",
      "invalid JSON in request",
      "Error decoding the request: unexpected end of JSON input",
      "Request body is not valid JSON",
    ],
    [
      "Request failed: response is not valid JSON",
      "Unexpected end of JSON input",
      "Error decoding response body",
      "Request timed out while reading request",
      "Expected JSON but got HTML",
    ],
  ],
  "a feature that a model lacks": [
    "bad_request",
    [
      "Function calling is not enabled for this model",
      "Structured outputs are not available on this deployment",
      "Audio is not supported by gpt-4o",
      "Streaming is not possible with this model",
      "Reasoning is not yet supported for models/gemma-2",
    ],
    [
      "The model is not available for your account",
      "Model foo is not supported",
      "This API is not enabled for your project",
      "Tools failed: connection refused",
      "The image was rejected for safety reasons",
    ],
  ],
  "a field of the request": [
    "bad_request",
    [
      "top_p and temperature cannot both be specified",
      "stream_options can only be set when stream is true",
      "tool_use ids were found without tool_result blocks",
      "reasoning_effort needs a reasoning model",
      "No base URL configured",
    ],
    [
      "max_tokens must be at least 1, got -344",
      "tool_choice: request timed out",
      "The temperature of the room",
      "Rate limit reached; max_tokens counts as well",
      "base_url: connection refused",
    ],
  ],
  "no such model, provider or path": [
    "not_found",
    [
      "Model 'foo' is not in the list of available models",
      "Provider acme is currently not supported",
      "The valid models are: a, b",
      "https://example.test/v2/chat was not found",
      "No default embedding model found",
      "No static resource v1/chat/completions.",
    ],
    [
      "The model is not supported when using your account",
      "Images are not supported by this model",
      "No models currently loading",
      "Only one system message is allowed",
      "Tool foo not found in schema: invalid parameter",
    ],
  ],
  "a stop by the user": [
    "aborted",
    [
      "Generation stopped by the user",
      "Apply was interrupted by the user.",
      "The user cancelled the request",
      "copy error: context canceled",
      "用户取消了请求",
    ],
    [
      "The request was aborted by the upstream",
      "context canceled while reading: connection reset",
      "User quota exceeded",
      "The user must sign in",
      "Stopped by the server",
    ],
  ],
  "a process that died": [
    "server",
    [
      "terminate called after throwing an instance of 'std::bad_alloc'",
      "signal: killed",
      "llama_decode: failed to decode, ret = -1",
      "Runner received SIGSEGV while parsing a grammar",
      "probability tensor contains either inf, nan or element < 0",
    ],
    [
      "Task failed",
      "The signal was aborted",
      "The kernel of the argument is wrong",
      "json.exception.parse_error: unsupported role",
      "Tensor shape must be given",
    ],
  ],
};

describe.each(Object.entries(RULES))("%s", (_, [kind, said, notSaid]) => {
  test.each(said)("E1: is recognised: %s", (text) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each(notSaid)("E1: is not read into a sentence about something else: %s", (text) => {
    expect(kindOf(text)).not.toBe(kind);
  });
});

describe("words against a status", () => {
  test.each([
    [403, "The model foo does not exist", "not_found"],
    [403, "Signature has expired", "auth"],
    [403, "Content flagged for violence", "content_filter"],
    [403, "Not available on your current plan", "usage_limit"],
    [403, "You are not authorized to access model foo or the model does not exist", "permission"],
    [400, "Missing Authorization header", "auth"],
    [400, "Request size exceeds the limit of 32 MB", "context_overflow"],
    [500, "no API key configured for provider acme", "auth"],
    [500, "This model only supports text", "bad_request"],
    [500, "Unexpected end of JSON input", "stream_broken"],
    [500, "llm server is still loading", "overloaded"],
    [502, "terminated", "network"],
    [500, "KeyError: 'choices'", "server"],
  ])("E2: %i with %j is %s", (status, body, kind) => {
    expect(classify({ status, body }).kind).toBe(kind);
  });

  test.each([
    "No space left on device",
    "could not load model: no backend fits",
    "disk is full",
    "llama-server binary not found",
  ])("E4: a 500 that stays until someone acts is not retried: %s", (body) => {
    expect(classify({ status: 500, body })).toMatchObject({ kind: "server", retryable: false });
  });

  test("E1: half of a code, where the part that is searched for codes ends, is none", () => {
    const body = `${"x".repeat(281)} invalid_request_error_of_the_model_not_found`;
    expect(classify({ status: 404, body }).kind).toBe("not_found");
  });
});
