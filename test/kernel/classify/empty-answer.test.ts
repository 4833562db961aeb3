import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { isEmptyAnswer } from "../../../src/kernel/classify/empty-answer.ts";

const choice = (message: object) => ({
  id: "x",
  object: "chat.completion",
  choices: [{ index: 0, message, finish_reason: "stop" }],
});

describe("a good answer with nothing in it", () => {
  test.each([
    ["no choices", { id: "x", choices: [] }],
    ["an empty message", choice({ role: "assistant", content: "" })],
    ["no message", { choices: [{ index: 0 }] }],
    ["only thinking", choice({ role: "assistant", content: null, reasoning_content: "hm", tool_calls: [] })],
    ["an empty delta", { choices: [{ delta: { content: "" } }] }],
    ["no candidates", { candidates: [] }],
    ["a candidate without parts", { candidates: [{ content: { role: "model" }, finishReason: "STOP" }] }],
    ["a message of Anthropic without content", { type: "message", role: "assistant", content: [] }],
    ["a response of OpenAI without output", { object: "response", output: [] }],
    ["Ollama's empty message", { message: { role: "assistant", content: "" }, done: true }],
    ["Ollama's empty text", { response: "", done: true }],
  ])("E4: %s is a broken answer", (_, body) => {
    expect(classify({ status: 200, body })).toMatchObject({
      kind: "stream_broken",
      retryable: true,
      evidence: "structure:empty-answer",
    });
    expect(classify({ status: 200, body: `data: ${JSON.stringify(body)}` }).kind).toBe("stream_broken");
  });

  test.each([
    ["a text", choice({ content: "hello" })],
    ["a tool call", choice({ content: "", tool_calls: [{ id: "a" }] })],
    ["a refusal", choice({ content: null, refusal: "no" })],
    ["a text of a completion", { choices: [{ text: "hello" }] }],
    ["one of two", { choices: [{ message: { content: "" } }, { message: { content: "x" } }] }],
    ["a candidate's part", { candidates: [{ content: { parts: [{ text: "x" }] } }] }],
    ["a choice that is none", { choices: [null] }],
    ["a message with content", { type: "message", content: [{ type: "text" }] }],
    ["a response with output", { object: "response", output: [{}] }],
    ["a message that goes on", { message: { content: "" }, done: false }],
    ["a text of Ollama", { response: "x", done: true }],
    ["nothing", {}],
    ["no object", "x"],
    ["null", null],
  ])("E4: %s is none", (_, body) => {
    expect(isEmptyAnswer(body)).toBe(false);
  });

  test("E1: a reason or an error beside it counts first", () => {
    expect(
      classify({ status: 200, body: { choices: [{ message: { content: "" }, finish_reason: "content_filter" }] } })
        .kind,
    ).toBe("content_filter");
    expect(
      classify({ status: 200, body: { choices: [], error: { message: "Overloaded", code: "overloaded_error" } } }).kind,
    ).toBe("overloaded");
    expect(classify({ status: 429, body: { choices: [] } }).kind).toBe("rate_limit");
  });

  test("E1: a text under an unknown key is read beside a code that says nothing", () => {
    expect(
      classify({ output_text: "Sorry, a problem occurred. Please try again later.", error: true, type: "final" }).kind,
    ).toBe("server");
  });
});
