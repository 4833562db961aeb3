import { describe, expect, test } from "vitest";
import { textOf } from "../../src/library/text-of.ts";

/** Forms beyond those that the SDKs give over HTTP in test/issues/required-content-of-sdk-answers.test.ts. */
const FORMS: readonly (readonly [form: string, value: unknown, text: string | undefined])[] = [
  ["a string", "text", "text"],
  ["an empty string", "", ""],
  ["{ text }", { text: "text" }, "text"],
  ["{ content }", { content: "text" }, "text"],
  ["a message with a tool call only", { role: "assistant", content: null, tool_calls: [{}] }, ""],
  ["chat completions without choices", { object: "chat.completion", choices: [] }, ""],
  ["the second choice of a stream", { choices: [{ index: 1, delta: { content: "other" } }] }, ""],
  ["old completions", { choices: [{ index: 0, text: "text" }] }, "text"],
  [
    "content in parts (Mistral)",
    {
      choices: [
        {
          message: {
            content: [
              { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
              { type: "text", text: "text" },
            ],
          },
        },
      ],
    },
    "text",
  ],
  [
    "responses without the SDK's sum",
    {
      output: [
        { type: "reasoning", content: [{ type: "reasoning_text", text: "hm" }] },
        {
          type: "message",
          content: [
            { type: "output_text", text: "te" },
            { type: "refusal", refusal: "no" },
          ],
        },
        { type: "message", content: [{ type: "output_text", text: "xt" }] },
      ],
    },
    "text",
  ],
  ["a prompt that Gemini blocked", { promptFeedback: { blockReason: "SAFETY" } }, ""],
  ["a candidate that Gemini stopped", { candidates: [{ finishReason: "SAFETY" }] }, ""],
  ["Bedrock converse", { output: { message: { content: [{ reasoningContent: {} }, { text: "text" }] } } }, "text"],
  ["Bedrock converse stream", { contentBlockDelta: { delta: { text: "text" } } }, "text"],
  ["Bedrock reasoning", { contentBlockDelta: { delta: { reasoningContent: { text: "hm" } } } }, ""],
  ["the end of a Bedrock stream", { messageStop: { stopReason: "end_turn" } }, ""],
  ["Ollama", { message: { role: "assistant", content: "text", thinking: "hm" } }, "text"],
  ["Cohere", { message: { content: [{ type: "text", text: "text" }] } }, "text"],
  ["generateObject of an enum", { object: "text", finishReason: "stop" }, "text"],
  ["generateObject of a list", { object: [1], finishReason: "stop" }, "[1]"],
  ["a text part", { type: "text", text: "text" }, "text"],
  ["a reasoning part", { type: "reasoning", text: "hm" }, ""],
  ["a thinking part", { type: "thinking", thinking: "hm" }, ""],
  ["a thought of Gemini", { text: "hm", thought: true }, ""],
  ["a reasoning delta", { type: "reasoning-delta", id: "1", text: "hm" }, ""],
  ["a tool's input", { type: "tool-input-delta", id: "1", delta: "{}" }, ""],
  ["the repetition of a text", { type: "response.output_text.done", text: "text" }, ""],
  ["a delta of a refusal", { type: "response.refusal.delta", delta: "no" }, ""],
  ["an unknown object", { answer: "text" }, undefined],
  ["an object name alone", { object: "list", data: [] }, undefined],
  ["an empty object", {}, undefined],
  ["an array", ["text"], undefined],
  ["a number", 5, undefined],
  ["null", null, undefined],
  ["undefined", undefined, undefined],
];

describe("the text of an answer or item", () => {
  for (const [form, value, text] of FORMS) {
    test(`E16: ${form} has ${text === undefined ? "no text that can be found" : `the text ${JSON.stringify(text)}`}`, () => {
      expect(textOf(value)).toBe(text);
    });
  }

  test("E16: a getter that throws does not hide the other fields", () => {
    const answer = {
      get choices() {
        throw new Error("not yet");
      },
      text: "text",
    };
    expect(textOf(answer)).toBe("text");
  });
});
