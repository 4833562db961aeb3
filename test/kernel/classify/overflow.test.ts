import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

describe("context overflow", () => {
  const wordings = [
    "prompt is too long: 213462 tokens > 200000 maximum",
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
    "Input is too long for requested model.",
    "Your input exceeds the context window of this model.",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
    "Requested token count exceeds the model's maximum context length of 131072 tokens",
    "Input length (265330) exceeds model's maximum context length (262144).",
    "Input length 300 exceeds the maximum allowed input length of 200 tokens.",
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
    "Please reduce the length of the messages or completion.",
    "The input (140213 tokens) is longer than the model's context length (131072 tokens).",
    "the request exceeds the available context size, try increasing it",
    "tokens to keep from the initial prompt is greater than the context length",
    "prompt token count of X exceeds the limit of Y",
    "invalid params, context window exceeds limit",
    "Your request exceeded model token limit: 262144 (requested: 291351)",
    "Prompt contains X tokens ... too large for model with Y maximum context length",
    "prompt too long; exceeded max context length by 1234 tokens",
    "`inputs` tokens + `max_new_tokens` must be <= 4097",
    "`inputs` must have less than 1024 tokens. Given: 2345",
    "Current length is 9000 while limit is 8192",
    "Range of input length should be [1, 30720]",
    "Context size has been exceeded",
    "Prompt exceeds max length",
    "Too many input tokens",
    "Request entity too large",
    "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10.",
    "输入内容过长",
    "上下文长度超出限制",
    "请求的内容超过最大长度",
  ];

  test.each(wordings)("E5: is recognised without a status: %s", (message) => {
    expect(classify(message)).toMatchObject({
      kind: "context_overflow",
      scope: "request",
      retryable: false,
      hintMs: undefined,
      evidence: "text:context-overflow",
    });
  });

  test.each(wordings)("E5: wins over what the status looks like: %s", (message) => {
    for (const status of [400, 422, 429, 500, 503]) {
      expect(classify({ status, body: { error: { message } }, headers: { "retry-after": "5" } })).toMatchObject({
        kind: "context_overflow",
        retryable: false,
        hintMs: undefined,
      });
    }
  });

  test.each([
    ["Too many tokens, please wait before trying again.", 429, "rate_limit"],
    ["Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 33000.", 429, "rate_limit"],
    ["Rate limit: too many input tokens", 429, "rate_limit"],
    ["The maximum tokens you requested exceed the model limit of 4096.", 400, "bad_request"],
    ["max_tokens is too large: 100000. This model supports at most 16384 completion tokens", 400, "bad_request"],
    ["Invalid 'user': string too long. Expected a string with maximum length 64", 400, "bad_request"],
    ["image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes", 400, "bad_request"],
    ["`temperature` must be less than 2", 400, "bad_request"],
  ])("E5: is not seen where something else is meant: %s", (message, status, kind) => {
    expect(classify({ status, body: message }).kind).toBe(kind);
  });
});

test.each([
  ["Please reduce your prompt", "context_overflow"],
  ["Please reduce your prompt, or the gateway has a time-out", "bad_request"],
  ["Please reduce your prompt, or the gateway has a timeout", "bad_request"],
])("E5: a shorter prompt that is only to be faster is no overflow: %s", (message, kind) => {
  expect(classify({ status: 400, message }).kind).toBe(kind);
});
