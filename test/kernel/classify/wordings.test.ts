import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const kindOf = (text: string) => classify(text).kind;

/** What clients and agents print without a status: the kind, ways of saying it, and near misses that are of another kind. */
const RULES: Readonly<Record<string, readonly [kind: string, said: readonly string[], notSaid: readonly string[]]>> = {
  "a trace of a mistake in the program": [
    "unknown",
    [
      'Traceback:\n  File "a.py", line 4, in ask\n    if code == "invalid_api_key":\nAttributeError: no such thing',
      "litellm.APIConnectionError: list index out of range",
      'x.ProviderUnavailableException: Cannot invoke "Response.content()" because "response" is null',
      "error in process filter: Wrong type argument: stringp, buffer",
      "`method` must be a single string, not `NULL`.",
      "Invariant failed: resp.output must be defined",
      "Claude Code process exited with code 1",
      "x.ServiceError: Unknown error",
    ],
    [
      'Traceback:\n  File "a.py", line 4, in ask\nopenai.AuthenticationError: invalid_api_key',
      "litellm.APIConnectionError: Connection error.",
      "Panic detected, error: nil pointer dereference",
      "x.ServiceError: Unknown error 5: server error",
    ],
  ],
  "an answer that came and cannot be used": [
    "stream_broken",
    [
      "Unexpected line format in response",
      "No usage data in the response",
      "The bridge did not provide a suitable response.",
      "Expected value but found T_END at character 1",
      "Attempt to decode a blank string",
      "A JSONObject text must begin with '{' at 1",
      "Incorrect response from the API",
      "API call didn't return a message: choices=[] created=1",
      "finish_reason: undefined",
      "HTTP code 200 from API (x)",
      "The server sent HTML instead of JSON",
      "Unexpected event order, got message_start",
      "No response from Claude",
      "No generations found in stream",
      "Received RST_STREAM: Internal error",
      "Error while extracting response for type [x]",
      "The agent ended with no final answer",
      "stream disconnected before completion: the tab may have changed",
      "stream ended: 1 validation error for ResponseCreatedEvent",
    ],
    [
      "There was an unexpected issue getting a response",
      "All providers failed to generate a response",
      "Server failed to generate a response",
      "info: last response (truncated): Connection error.",
      "invalid response format: json_object is unknown",
      "err=error, EOF",
      "Failed to transform request: unexpected end of JSON input",
      'choices=None, error={"message": "Internal Server Error", "code": 500}',
    ],
  ],
  "what the model itself wrote": [
    "invalid_content",
    [
      "You did not use a tool in your previous response! Please retry with a tool use.",
      "No tool calls found in the response.",
      "Failed to parse: Unexpected token '`', \"```json\" is not valid JSON",
      "failed to parse llm result: invalid character '<' looking for beginning of value",
      "Could not interpret tool use parameters for id x: EOF while parsing a value",
      "Failed to parse tool call arguments due to JSON error",
      "Model stream ended with malformed function call.",
      "Gemini returned 98 lines instead of 100",
      "Invalid JSON in function arguments",
    ],
    ["Unexpected token '<', \"<!DOCTYPE\" is not valid JSON", "No tool named x is known", "It returned 98 errors"],
  ],
  "an address that is wrong": [
    "bad_request",
    [
      "APIConnectionError: No connection adapters were found for '127.0.0.1:5001/v1'",
      "URL constructor: is not a valid URL.",
      "Unexpected char 0x221e at 11 in HTTP-Referer value",
    ],
    ["APIConnectionError: no connection to the adapter"],
  ],
  "what is wrong with a request": [
    "bad_request",
    [
      "Improperly formed request.",
      "parameter check failed, max_output_tokens range is [2, 1024]",
      "Streaming is required for operations that may take longer than 10 minutes.",
      "Failed to complete, detail: [{'loc': ['body', 'messages', 0], 'msg': 'str type expected'}]",
      "This model cannot use tools",
      "Image input is unsupported by this model",
      "Only one of `prompt` and `messages` may be set",
      "Item 'x' was provided without its required following item.",
      "The field messages is mandatory",
      "Endpoint is local. Configure api_url with a remote one.",
      "please reformat your input and try again",
      "Your request contains an invalid content filter policy.",
    ],
    ["The operation took longer than 10 minutes", "LLM error after 1518ms"],
  ],
  "a model or provider that is not there": [
    "not_found",
    [
      "There's an issue with the selected model (x). It may not exist or you may not have access to it.",
      "RuntimeError: No model has been loaded",
      "AI provider acme not specified in configuration",
      "Config not found for the acme custom endpoint.",
      "Invalid project GUID encountered in request path: x",
      "The model is not in our catalog",
      "Model x does not match any known model",
    ],
    ["This may be slow or it may not exist", "A model for the provider"],
  ],
  "who has to sign in": [
    "auth",
    [
      "Web sessions require authentication with an account. Please run /login to authenticate",
      "Failed to login",
      "Please set an Auth method in your settings.json",
      "You must be logged in to use this",
      "AK(ALTAK***) is not correct, please check!",
      "both 'OPENAI_API_KEY' environment variable are not available",
      "No token was provided",
    ],
    ["Thought signature is missing in functionCall parts", "Invalid `signature` in `thinking` block"],
  ],
  "who is not let in": [
    "permission",
    [
      "Your access was terminated due to violation of our policies",
      "Request not allowed",
      "Organization policy blocks this model",
      "The request is blocked.",
      "選択したモデルが有効化されていないようです",
    ],
    ["Your request was blocked by the safety filter", "A temperature of 3: value not allowed"],
  ],
  "a limit that is used up": [
    "usage_limit",
    [
      "Your account's limit has been exceeded! Please update your key!",
      "Please ensure that your account has a valid credit card.",
      '429 Quota exceeded for requests per minute [metadata { key: "quota_limit_value" value: "0" }]',
      "Free trial is over",
      "You have 0 credits",
    ],
    [
      "Rate limit reached on requests per min. Limit: 3 / min. Please add a payment method to increase it.",
      '429 Quota exceeded for requests per minute [metadata { key: "quota_limit_value" value: "10" }]',
    ],
  ],
  "too much at once": [
    "rate_limit",
    [
      "Maximum number of concurrent requests reached for this key",
      "too many concurrent streams",
      "You have exceeded your Copilot token usage.",
      "Sending too fast",
      "Throughput limit exceeded",
    ],
    ["A network error occurred, you may be rate limited or offline: fetch failed"],
  ],
  "a fault on the other side": [
    "server",
    [
      "RuntimeError('llama_decode returned 1')",
      "Something went wrong on the provider side. Max retries reached.",
      "Response stream finished unexpectedly with internal error: x",
      "[acme] Server Unavailable Error, Internal Server Error",
      "Provider API error: x",
      "Server failed to generate a response",
      "Hmm...something seems to have gone wrong. Maybe try me again in a little bit.",
      "Anthropic is having issues",
      "Temporary server problem",
      "Reconnecting... 4/5\nStream disconnected before completion: An error occurred while processing your request.",
    ],
    [
      "oops something went wrong! (error)",
      "Error while generating text : undefined",
      "Exception: OpenAI API call failed after multiple attempts",
      "An error occurred (Provider: x). If the problem persists, run the doctor.",
    ],
  ],
  "a connection of Node, Go or gRPC": [
    "network",
    [
      "AggregateError\n    at TLSSocket.socketErrorListener (node:_http_client:500:9)",
      "dial tcp: lookup x on [::1]:53: no suitable address found",
      "[Network] undefined",
      "TLS error",
    ],
    ["Reconnecting... 1/5", "[Networking] off"],
  ],
  "a limit of time": [
    "timeout",
    ["插件60秒未响应", "It took longer than 5 minutes", "exceeded max wait time", "gave no answer in 60 seconds"],
    ["LLM error after 1518ms"],
  ],
  "text that a filter refused": [
    "content_filter",
    [
      "Inappropriate request",
      "blockReason: OTHER",
      "finish reason: SAFETY",
      "This prompt isn't allowed by our content rules",
      "It contains words that are prohibited",
    ],
    ["Unsupported content filter policy", "Tool use isn't allowed by our server"],
  ],
  "a relay that has nothing free": [
    "overloaded",
    ["Error: No accounts available", "openai.APIConnectionError: Model x/y is currently loading"],
    ["No deployments available for this model, Try again in 5 seconds", "APIConnectionError: loading x.pem failed"],
  ],
  "a quota in words of its own": [
    "usage_limit",
    ["Free usage exceeded, subscribe to go on", "You've used all chat messages for today"],
    ["Free usage of this tool", "You've read all messages for today"],
  ],
  "a limit named by its letters": [
    "rate_limit",
    ["request reached project max RPM: 3, please try again"],
    ["The maximum speed is 9000 rpm"],
  ],
  "a value beyond a bound": [
    "bad_request",
    ["14 is greater than the maximum of 1 - 'top_p'"],
    ["It took the maximum time"],
  ],
  "an abort alone": ["aborted", ["Operation aborted Aborted"], ["Tool aborted while it ran"]],
  "an empty answer in another language": [
    "stream_broken",
    ["Текущее содержимое пусто, пожалуйста, регенерируйте.", "超过最大 token 限制，返回空回复"],
    ["Содержимое запроса"],
  ],
};

describe.each(Object.entries(RULES))("%s", (_, [kind, said, notSaid]) => {
  test.each(said)("E2: is recognised: %s", (text) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each(notSaid)("E2: is not read into a sentence about something else: %s", (text) => {
    expect(kindOf(text)).not.toBe(kind);
  });
});

test("E6: a number beyond the end of the sentence is no wait", () => {
  expect(classify('{ message: "please try again.", aws_request_id: "27d5abbf" }').hintMs).toBe(undefined);
  expect(classify('{ message: "please try again in 27d" }').hintMs).toBe(27 * 86_400_000);
});

test("E1: a list without anything in it says nothing by its name", () => {
  expect(classify('API Error: {"is_error":true,"permission_denials":[]}').kind).toBe("unknown");
  expect(classify('API Error: {"is_error":true,"choices":[]}').kind).toBe("stream_broken");
});
