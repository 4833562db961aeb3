import { describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";

// An error was not seen, or read as another one, in the form in which loggers, terminals and other languages print it.

const BODY = '{"error":{"message":"You have no balance left","type":"insufficient_quota"}}';
const FORBIDDEN = `403 ${BODY}`;

const LINES: Readonly<Record<string, string>> = {
  "pino, with an error of its own key": JSON.stringify({
    level: 50,
    err: { type: "Error", message: FORBIDDEN },
    msg: "llm call failed",
  }),
  "slog, with a text of its own key": JSON.stringify({ level: "ERROR", msg: "llm call failed", err: FORBIDDEN }),
  "Python, with a trace of its own key": JSON.stringify({
    message: "llm call failed",
    exc_info: `Traceback (most recent call last):\nopenai.PermissionDeniedError: Error code: ${FORBIDDEN}`,
  }),
};

describe("an error as it is printed", () => {
  test.each(Object.entries(LINES))("E1: is found in a line of %s", (_, line) => {
    expect(classify(line)).toMatchObject({ kind: "usage_limit", retryable: false });
  });

  test("E1: is found in a line of Docker", () => {
    const line = JSON.stringify({ log: "401 Invalid model key or local configuration.\n", stream: "stderr" });
    expect(classify(line)).toMatchObject({ kind: "auth", status: 401 });
  });

  test("E1: is found in a struct of Rust that is in another one", () => {
    const body =
      '{"type":"too_many_tokens","message":"too many tokens: total number of tokens in the prompt exceeds 4081"}';
    const line = `Err(Outer { source: Inner { message: ${JSON.stringify(body)}, code: None } })`;
    expect(classify(line)).toMatchObject({ kind: "context_overflow", retryable: false });
  });

  test("E1: is found between the colours of a terminal", () => {
    const message = "\u001b[31m429\u001b[39m Slow";
    expect(classify(message)).toMatchObject({ kind: "rate_limit", status: 429, message });
  });

  test("E6: has the wait that an XML body names", () => {
    const body = "<Error><Message>Please &quot;try again&quot; in 20s &amp; slow down</Message></Error>";
    expect(classify(body)).toMatchObject({ kind: "rate_limit", hintMs: 20_000 });
  });

  test("E1: is read where its letters are escaped, and its message stays as it was", () => {
    const text = "Error code: 429 - \\u8d26\\u6237\\u4f59\\u989d\\u4e0d\\u8db3";
    expect(classify(text)).toMatchObject({ kind: "usage_limit", message: text });
    expect(classify(`{"detail": "${text}`)).toMatchObject({ kind: "usage_limit" });
  });

  test.each([
    "2026-11-18 03:52:26,429 ERROR",
    "03:52:26:401 ERROR",
    "2026-11-18T03:52:26.503Z ERROR 404 --- [main] c.e.App :",
    "Thread-429 ERROR",
  ])("E1: has no status in the time, process or thread of its line: %s", (head) => {
    expect(classify(`${head} The model is overloaded`)).toMatchObject({ kind: "overloaded", status: undefined });
    expect(classify(`${head} Error code: 500 - {'error': {'message': 'It failed'}}`)).toMatchObject({ status: 500 });
  });

  test("E6: has its wait in front of a trace", () => {
    const stack = "Error: status=429 retryAfterMs=42000\n    at run (/app/llm.js:8:1)";
    expect(classify(stack)).toMatchObject({ kind: "rate_limit", hintMs: 42_000 });
  });

  test("E2: has no address of a document as its code", () => {
    const url = "https://docs.example.com/oss/javascript/errors/MODEL_RATE_LIMIT/";
    expect(classify({ status: 429, message: `Slow\n\nTroubleshooting URL: ${url}` }).code).not.toMatch(/\//);
  });
});
