import { expect, test } from "vitest";
import { classify } from "../../src/index.ts";

// Bedrock's streams put a fault under the name of its class, and Logback puts a trace under a name of its own: neither was read.
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

test("E1: a line of a log with its error in `stack_trace` is judged by the trace", () => {
  const stack_trace = "o.s.w.c.HttpServerErrorException$BadGateway: 502 Bad Gateway: [no body]\n\tat x";
  const line = { "@timestamp": "2026-11-19T10:00:00.429Z", level: "ERROR", message: "The call failed", stack_trace };
  expect(classify(JSON.stringify(line))).toMatchObject({ kind: "server", retryable: true, status: 502 });
});
