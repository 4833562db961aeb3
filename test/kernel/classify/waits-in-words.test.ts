import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const limited = (body: unknown) => classify({ status: 429, body }).hintMs;

describe("waits in words", () => {
  test.each([
    ["Come back in 3h 47m", 13_620_000],
    ["Too many requests. We will be back in 2 minutes.", 120_000],
    ["Please hold off for 20 seconds.", 20_000],
    ["Too many requests: your allowance refreshes in 45s", 45_000],
    ["Too many requests. Quota will be replenished in 30 minutes", 1_800_000],
    ["Rate limit: access is restored in 90 seconds", 90_000],
    ["Too many requests. Your account unlocks in 10 minutes", 600_000],
    ["Too many requests: this key is temporarily blocked for 30 seconds", 30_000],
    ["Too many requests. You have been banned for 5 minutes", 300_000],
    ["Busy. The model will be ready in 20s", 20_000],
    ["Details: [map[@type:google.rpc.RetryInfo retryDelay:34s]]", 34_000],
    ["quotaResetDelay: 12.5s", 12_500],
    ["Rate limited, reset_delay=7s", 7000],
  ])("E6: reads the wait that an endpoint asks for: %s", (text, expected) => {
    expect(limited(text)).toBe(expected);
  });

  test.each([
    ["within a word", "max RPM: 20, please try a\ngain after 1 seconds", 1000],
    ["between two words", "Too many requests, please try again\nin 15 seconds", 15_000],
    ["in front of the figure", "Too many requests, please try again in\n15 seconds", 15_000],
  ])("E6: reads a wait that a terminal has wrapped %s", (_, text, expected) => {
    expect(limited(text)).toBe(expected);
  });

  test.each([
    "Too many requests. The worker did not return in 30 seconds",
    "Too many requests. The model was not ready after 60 seconds",
    "Too many requests. Retrying: will back off 5s",
    "Too many requests. The stream was paused for 30s",
    "Too many requests. Tokens are refreshed every 60s",
    "Too many requests\nthe call took 5s",
    "Too many requests. It is blocked by 3 minutes of work",
    "Too many requests, please try again\nrequest 7b2s9",
  ])("E6: takes no other duration for a wait: %s", (text) => {
    expect(limited(text)).toBeUndefined();
  });

  test.each([
    [{ error: { message: "Cap reached", clears_in: 120 } }, 120_000],
    [{ error: { message: "Cap reached", resets_in: 60 } }, 60_000],
    [{ error: { message: "Cap reached", retry_after_secs: 3 } }, 3000],
    [{ error: { message: "Cap reached", cooldown_seconds: 9 } }, 9000],
    [{ error: { message: "Cap reached", clears_in: "soon" } }, undefined],
    [{ error: { message: "Cap reached", clears_in: -5 } }, undefined],
  ])("E6: reads fields that name a wait: %j", (body, expected) => {
    expect(limited(body)).toBe(expected);
  });

  test("B2: a wait of more than an hour in such a field makes the limit a used-up one", () => {
    const body = { detail: { message: "You have sent too many messages to the model.", clears_in: 11_461 } };
    expect(classify({ status: 429, body })).toMatchObject({
      kind: "usage_limit",
      retryable: false,
      hintMs: 11_461_000,
    });
  });

  test("E6: reads a wait in JSON in a string whose own quotes were not escaped", () => {
    const details = '"details": [{"@type": "google.rpc.RetryInfo", "retryDelay": "26s"}]';
    const inner = `{\\n  "error": {\\n "code": 429,\\n "message": "Slow down.",\\n ${details}\\n }\\n}\\n`;
    expect(limited(`status: 429 {"error":{"message":"${inner}","code":429}}`)).toBe(26_000);
  });
});

describe("an error as the content of a good answer", () => {
  const error = 'API request failed (429): {"error": {"message": "Slow down", "details": {"quotaResetDelay": "90s"}}}';
  test.each([
    ["of OpenAI", { choices: [{ index: 0, message: { role: "assistant", content: `Error: ${error}` } }] }],
    ["of a stream of OpenAI", { choices: [{ index: 0, delta: { content: `Error: ${error}` } }] }],
    ["of Anthropic", { type: "message", content: [{ type: "text", text: `Error: ${error}` }] }],
    ["of Gemini", { candidates: [{ content: { parts: [{ text: `Error: ${error}` }] } }] }],
    ["as its choices alone", [{ index: 0, message: { content: `错误: ${error}` } }]],
    ["with a sign in front", { choices: [{ message: { content: `❌ ${error}` } }] }],
  ])("E1, E6: reads an answer %s", (_, body) => {
    expect(classify({ status: 200, body })).toMatchObject({ kind: "rate_limit", retryable: true, hintMs: 90_000 });
  });

  test.each([
    "Error handling in Python: a rate limit is caught with except.",
    "You should retry in 5 minutes when you see 429 Too Many Requests.",
    "Here is the log you asked for: error 429",
  ])("E1: an answer that only speaks of errors is none: %s", (content) => {
    const failure = classify({ status: 200, body: { choices: [{ message: { content } }] } });
    expect(failure).toMatchObject({ kind: "unknown", hintMs: undefined });
  });
});
