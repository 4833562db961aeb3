import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// Bedrock's streams put a fault under the name of its class, and loggers put a trace under a name of their own: neither was read.
test.each([
  ["throttlingException", "Too many tokens, please wait before trying again.", "rate_limit", true],
  ["internalServerException", "x", "server", true],
  ["modelStreamErrorException", "x", "stream_broken", true],
  ["modelTimeoutException", "x", "timeout", true],
  ["serviceUnavailableException", "x", "overloaded", true],
  ["validationException", "Input is too long for requested model.", "context_overflow", false],
  ["validationException", "x", "bad_request", false],
] as const)("E1: an event with %s: %j is %s", (name, message, kind, retryable) => {
  const event = { [name]: { message } };
  expect(classify(event)).toMatchObject({ kind, retryable, message });
  expect(classify({ status: 200, body: JSON.stringify(event) })).toMatchObject({ kind, retryable });
});

test("E1: an event whose other faults are undefined has only the one", () => {
  const event = { chunk: undefined, validationException: undefined, throttlingException: { message: "x" } };
  expect(classify(event)).toMatchObject({ kind: "rate_limit", retryable: true });
});

test.each([
  [{ stack_trace: "o.s.w.c.HttpServerErrorException$BadGateway: 502 Bad Gateway: [no body]\n\tat x" }, "server"],
  [{ "error.type": "APIConnectionError", "error.message": "Connection error." }, "network"],
] as const)("E1: a line of a log with its error in %j is %s", (facts, kind) => {
  const line = { "@timestamp": "2026-11-19T10:00:00.429Z", level: "ERROR", message: "The call failed", ...facts };
  expect(classify(JSON.stringify(line))).toMatchObject({ kind, retryable: true });
});
