import { describe, expect, test } from "vitest";
import { AnswerReader } from "../../src/formats/read-event.ts";

const read = (...events: readonly unknown[]): unknown => {
  const reader = new AnswerReader();
  return events.map((event) => reader.read(event)).at(-1);
};
const chat = (delta: object, finish_reason: unknown = null, index = 0): object => ({
  choices: [{ index, delta, finish_reason }],
});
const candidate = (parts: readonly object[], finishReason?: string): object => ({
  candidates: [{ content: { parts }, ...(finishReason !== undefined && { finishReason }) }],
});

describe("the meaning of an event", () => {
  test.each<[string, unknown, string]>([
    ["text", chat({ content: "Hi" }), "content"],
    ["reasoning", chat({ reasoning_content: "Hm" }), "content"],
    ["a tool call", chat({ tool_calls: [{ index: 0, function: { name: "f", arguments: "" } }] }), "content"],
    ["a refusal", chat({ refusal: "No" }), "content"],
    ["the role", chat({ role: "assistant", content: "" }), "noise"],
    ["an empty delta", chat({}), "noise"],
    ["a text completion", { choices: [{ index: 0, text: "Hi", finish_reason: null }] }, "content"],
    ["no choice", { choices: [], usage: { total_tokens: 1 } }, "noise"],
    ["something else for a choice", { choices: [null] }, "noise"],
    ["usage alone", { usage: {} }, "noise"],
    ["an empty finish reason", chat({}, ""), "noise"],
    ["the words of an end in a text", chat({ content: '{"finish_reason":"stop"} [DONE]' }), "content"],
    ["the end", chat({}, "stop"), "end"],
    ["the end with the last words", chat({ content: "." }, "stop"), "content-end"],
    ["a filter instead of any word", chat({}, "content_filter"), "content-end"],
    ["a limit before the first word", chat({}, "length"), "content-end"],
    ["Gemini's text", candidate([{ text: "Hi" }]), "content"],
    ["Gemini's thought", candidate([{ text: "Hm", thought: true }]), "content"],
    ["Gemini's call", candidate([{ functionCall: { name: "f" } }]), "content"],
    ["a signature alone", candidate([{ text: "", thoughtSignature: "x" }]), "noise"],
    ["Gemini's end", candidate([{ text: "" }], "STOP"), "end"],
    ["no reason yet", candidate([], "FINISH_REASON_UNSPECIFIED"), "noise"],
    ["a blocked answer", candidate([], "SAFETY"), "content-end"],
    ["a blocked prompt", { promptFeedback: { blockReason: "SAFETY" } }, "content-end"],
    ["usage of Gemini", { usageMetadata: {} }, "noise"],
    ["the opening of a message", { type: "message_start", message: { usage: {} } }, "noise"],
    ["a ping", { type: "ping" }, "noise"],
    ["text of a message", { type: "content_block_delta", delta: { type: "text_delta", text: "Hi" } }, "content"],
    ["a thought", { type: "content_block_delta", delta: { type: "thinking_delta", thinking: "Hm" } }, "content"],
    ["a signature", { type: "content_block_delta", delta: { type: "signature_delta", signature: "x" } }, "life"],
    ["an empty delta", { type: "content_block_delta", delta: { type: "text_delta", text: "" } }, "noise"],
    ["the start of a text", { type: "content_block_start", content_block: { type: "text", text: "" } }, "noise"],
    ["the start of a call", { type: "content_block_start", content_block: { type: "tool_use" } }, "content"],
    ["the end of a message", { type: "message_stop" }, "last"],
    ["a response's text", { type: "response.output_text.delta", delta: "Hi" }, "content"],
    ["a response's opening", { type: "response.created", response: {} }, "noise"],
    ["a response's new kind", { type: "response.brand_new" }, "life"],
    ["a response's end", { type: "response.completed", response: { output: [] } }, "last"],
    ["a response's end with all of it", { type: "response.completed", response: { output: [{}] } }, "content-last"],
    ["a response that was cut off", { type: "response.incomplete", response: {} }, "content-last"],
    ["a number", 5, "noise"],
    ["a list", [1], "noise"],
    ["null", null, "noise"],
    ["a new kind of message event", { type: "message_brand_new" }, "unknown"],
    ["another type", { type: 7 }, "unknown"],
    ["nothing known", {}, "unknown"],
  ])("E15b: %s", (_, event, meaning) => {
    expect(read(event)).toBe(meaning);
  });

  test.each<[string, unknown]>([
    ["OpenAI's", { error: { message: "x" } }],
    ["one beside choices", { error: { message: "x" }, choices: [{ finish_reason: "error" }] }],
    ["an end with an error", chat({}, "error")],
    ["Anthropic's", { type: "error", error: { type: "overloaded_error" } }],
    ["vLLM's", { object: "error", message: "x" }],
    ["a response that failed", { type: "response.failed", response: { error: { code: "server_error" } } }],
    ["a call that Gemini could not write", candidate([], "MALFORMED_FUNCTION_CALL")],
  ])("E15b: an error is a problem: %s", (_, event) => {
    expect(read(event)).toEqual({ problem: expect.anything() });
  });

  test("E15b: after the end of a choice its content is ignored, and another choice goes on", () => {
    expect(read(chat({ content: "a" }), chat({}, "stop"), chat({ content: "b" }))).toBe("unknown");
    const two = [chat({ content: "a" }, null, 0), chat({ content: "b" }, null, 1)];
    expect(read(...two, chat({}, "stop", 0))).toBe("noise");
    expect(read(...two, chat({}, "stop", 0), chat({ content: "c" }, null, 1))).toBe("content");
    expect(read(...two, chat({}, "stop", 0), chat({}, "stop", 1))).toBe("end");
    expect(read(chat({}, "stop", 0), chat({ content: "late" }, null, 1))).toBe("noise");
  });

  test("E15b: tool arguments that do not parse at the end are a problem, in every format that has them in pieces", () => {
    const call = (text: string): object => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    expect(read(call('{"a":'), call("1}"), chat({}, "tool_calls"))).toBe("end");
    expect(read(call('{"a":'), chat({}, "tool_calls"))).toEqual({ problem: expect.anything() });
    // The caller asked for the limit that cut them off, and is told of it.
    expect(read(call('{"a":'), chat({}, "length"))).toBe("end");
    const json = (text: string): object => ({
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: text },
    });
    expect(read(json('{"a":1}'), { type: "message_stop" })).toBe("last");
    expect(read(json('{"a":'), { type: "message_stop" })).toEqual({ problem: expect.anything() });
    const part = { type: "response.function_call_arguments.delta", item_id: "i", delta: '{"a"' };
    const end = { type: "response.completed", response: { output: [{}] } };
    expect(read(part, end)).toEqual({ problem: expect.anything() });
    expect(read(part, { type: "response.function_call_arguments.done", item_id: "i", arguments: '{"a":1}' }, end)).toBe(
      "content-last",
    );
  });

  test("E15b: a refusal of Anthropic's without a word is an answer", () => {
    const refused = { type: "message_delta", delta: { stop_reason: "refusal" } };
    expect(read(refused, { type: "message_stop" })).toBe("content-last");
    expect(read({ type: "message_delta", delta: { stop_reason: "end_turn" } }, { type: "message_stop" })).toBe("last");
  });
});
