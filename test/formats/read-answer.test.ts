import { describe, expect, test } from "vitest";
import { readAnswer } from "../../src/formats/index.ts";

const read = (value: unknown) => readAnswer(value, JSON.stringify(value) ?? "");
const chat = (message: object, finish_reason: string | null = "stop") => ({
  choices: [{ index: 0, message, finish_reason }],
});
const call = (text: string) => ({ tool_calls: [{ id: "c", function: { name: "f", arguments: text } }] });
const response = (output: readonly object[], more: object = {}) => ({
  ...{ object: "response", id: "resp_1", status: "completed", output, usage: { output_tokens: 1 } },
  ...more,
});
const said = (text: string) => ({ type: "message", content: [{ type: "output_text", text }] });
const message = (content: readonly object[], stop_reason = "end_turn") => ({
  ...{ type: "message", role: "assistant", content, stop_reason, usage: { output_tokens: 1 } },
});
const candidate = (parts: readonly object[], finishReason = "STOP") => ({
  candidates: [{ index: 0, content: { parts }, finishReason }],
});

describe("readAnswer", () => {
  test.each<readonly [string, unknown]>([
    ["a chat", chat({ content: "hi" })],
    ["a chat that a filter ended", chat({ content: "" }, "content_filter")],
    ["a chat that the limit ended inside of arguments", chat(call('{"a":'), "length")],
    ["a chat without a finish reason", chat({ content: "hi" }, null)],
    ["a chat that calls a tool without arguments", chat(call(""), "tool_calls")],
    ["a response", response([said("hi")])],
    ["a response that calls a tool", response([{ type: "function_call", arguments: '{"a":1}' }])],
    ["a response that calls a tool without arguments", response([{ type: "function_call", arguments: "" }])],
    ["a response with a refusal", response([{ type: "message", content: [{ type: "refusal", refusal: "no" }] }])],
    ["a response that a limit ended before its first word", response([], { status: "incomplete" })],
    ["a response that is made in the background", response([], { status: "queued" })],
    ["a message", message([{ type: "text", text: "hi" }])],
    ["a message that calls a tool", message([{ type: "tool_use", id: "t", name: "f", input: {} }], "tool_use")],
    ["a message that was refused", message([], "refusal")],
    ["a message that a limit ended before its first word", message([], "max_tokens")],
    ["a candidate", candidate([{ text: "hi" }])],
    ["a candidate that a filter ended", candidate([], "SAFETY")],
    ["a blocked prompt", { promptFeedback: { blockReason: "SAFETY" } }],
    ["a list of events", [candidate([{ text: "hi" }], ""), candidate([{ text: "" }])]],
    ["embeddings", { object: "list", data: [{ embedding: [1] }], usage: { total_tokens: 1 } }],
    ["an embedding of Gemini's", { embedding: { values: [1] } }],
    ["a count of tokens", { totalTokens: 3 }],
    ["a count of tokens of Anthropic's", { input_tokens: 3 }],
  ])("E15b: %s is whole", (_what, value) => {
    expect(read(value)).toBe("content-end");
  });

  const broken = "malformed_function_call";
  test.each<readonly [string, unknown, object]>([
    ["a chat without content", chat({ content: "" }), { code: "empty_response" }],
    ["a chat with cut arguments", chat(call('{"a":'), "tool_calls"), { code: broken }],
    ["a chat with an error", { error: { message: "busy" } }, { error: { message: "busy" } }],
    ["an error as vLLM has it", { object: "error", message: "busy", code: 503 }, { code: 503 }],
    ["an error as MiniMax has it", { base_resp: { status_code: 1002 }, choices: null }, { base_resp: {} }],
    ["a response without output", response([]), { code: "empty_response" }],
    ["a response with an empty message", response([said("")]), { code: "empty_response" }],
    ["a response with cut arguments", response([{ type: "function_call", arguments: '{"a":' }]), { code: broken }],
    ["a response that failed", response([], { status: "failed", error: null }), { status: "failed" }],
    ["a message without content", message([]), { code: "empty_response" }],
    ["a message with an empty text", message([{ type: "text", text: "" }]), { code: "empty_response" }],
    ["an error of Anthropic's", { type: "error", error: { type: "overloaded_error" } }, { type: "error" }],
    ["a candidate without content", candidate([{ text: "" }]), { code: "empty_response" }],
    ["a candidate whose call is malformed", candidate([], "MALFORMED_FUNCTION_CALL"), { candidates: [{}] }],
    ["a list of events without the last", [candidate([{ text: "hi" }], "")], { code: "stream_broken" }],
    ["an empty object", {}, { code: "stream_broken" }],
    ["a text", "hello", { code: "stream_broken" }],
    ["null", null, { code: "stream_broken" }],
    ["an empty list", [], { code: "stream_broken" }],
  ])("E15b: %s is no answer", (_what, value, problem) => {
    expect(read(value)).toMatchObject({ problem });
  });

  test("E15b: a page and an empty body are named in the problem", () => {
    expect(readAnswer(undefined, "\n<html>")).toMatchObject({
      problem: { message: expect.stringContaining("a page") },
    });
    expect(readAnswer(undefined, " ")).toMatchObject({
      problem: { message: expect.stringContaining("an empty body") },
    });
  });
});
