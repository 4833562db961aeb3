import { expect, test } from "vitest";
import { readAnswer } from "../../src/formats/index.ts";

const read = (value: object): unknown => readAnswer(value, JSON.stringify(value));

/** Code that takes `choices[0].message` of one ends in a TypeError. */
test.each<readonly [string, object]>([
  ["a chat without choices", { id: "c", object: "chat.completion", choices: [], usage: { total_tokens: 3 } }],
  ["a chat whose choices are null", { id: "c", object: "chat.completion", choices: null, usage: { total_tokens: 3 } }],
  ["an answer of Gemini's without candidates", { candidates: [], usageMetadata: { totalTokenCount: 3 } }],
  ["an answer of Gemini's with counts alone", { usageMetadata: { totalTokenCount: 3 }, modelVersion: "gemini-3" }],
])("E15b: %s is no answer", (_what, value) => {
  expect(read(value)).toMatchObject({ problem: { code: "empty_response" } });
});

test("E15b: a blocked prompt and embeddings beside counts are answers", () => {
  expect(read({ candidates: [], promptFeedback: { blockReason: "SAFETY" } })).toBe("content-end");
  expect(read({ embeddings: [{ values: [1] }], usageMetadata: { totalTokenCount: 3 } })).toBe("content-end");
});
