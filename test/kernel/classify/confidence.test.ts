import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { engineFailure } from "../../../src/kernel/classify/engine-failure.ts";

const confidence = (problem: unknown) => classify(problem).confidence;

describe("how sure a verdict is", () => {
  test.each([
    ["a status", { status: 503 }],
    ["a status, whatever the text says beside it", { status: 500, body: "Something odd" }],
    ["a code", { error: { type: "overloaded_error" } }],
    ["a code that only repeats a status", { error: { type: "server_error" } }],
    ["an errno", Object.assign(new Error("x"), { code: "ECONNRESET" })],
    ["a code in JSON that a text carries", 'API Error: {"error":{"type":"overloaded_error"}}'],
    ["the name of a class", Object.assign(new Error("x"), { name: "TimeoutError" })],
    ["a flag", { message: "x", retryable: true }],
    ["a header", { status: 429, headers: { "anthropic-ratelimit-unified-status": "rejected" } }],
  ])("E1: is certain by %s", (_, problem) => {
    expect(confidence(problem)).toBe("certain");
  });

  test.each([
    ["a telling sentence", "connection refused"],
    ["a sentence that overturns a status", { status: 400, body: "maximum context length is 8192 tokens" }],
    ["words about a quota", { status: 429, body: "Insufficient balance" }],
    ["a status in a text", "HTTP 503: no"],
    ["a code that a sentence mentions", "It failed with overloaded_error"],
  ])("E1: is likely by %s", (_, problem) => {
    expect(confidence(problem)).toBe("likely");
  });

  test.each([
    ["a vague sentence", "Something went wrong"],
    ["a sentence that only says later", "Please come back and try again later"],
    ["a sentence about any request", "That value is not supported"],
    ["nothing at all", "???"],
    ["an empty object", {}],
  ])("E1: is a guess by %s", (_, problem) => {
    expect(confidence(problem)).toBe("guess");
  });

  test("E1: a rule of the policy and the engine's own failures are certain", () => {
    const rules = [{ name: "mine", when: { text: "???" }, kind: "server" as const }];
    expect(classify("???", { rules }).confidence).toBe("certain");
    expect(engineFailure("silent", "x", "watchdog").confidence).toBe("certain");
  });

  test("E1: the last finding is recalled with its confidence", () => {
    for (let i = 0; i < 3; i++) expect(confidence(new Error("Something went wrong"))).toBe("guess");
  });
});
