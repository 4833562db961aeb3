import { describe, expect, test } from "vitest";
import type { Meaning } from "../../src/formats/index.ts";
import { AnswerReader } from "../../src/formats/index.ts";
import { chunk, completed } from "./support.ts";

function meanings(...events: readonly object[]): readonly Meaning[] {
  const reader = new AnswerReader();
  return events.map((event) => reader.read(event));
}

const call = (text: string, index = 0) => ({ tool_calls: [{ index, function: { arguments: text } }] });
const BROKEN = { problem: { code: "malformed_function_call" } };

describe("a chat", () => {
  test("E15b: ends with its finish reason", () => {
    expect(meanings(chunk({ role: "assistant" }), chunk({ content: "hi" }), chunk({}, "stop"))).toEqual([
      "noise",
      "content",
      "end",
    ]);
    expect(meanings(chunk({ content: "hi" }, "stop"))).toEqual(["content-end"]);
  });

  test("E15b: an end that has news is an answer without a word", () => {
    expect(meanings(chunk({}, "content_filter"))).toEqual(["content-end"]);
    expect(meanings(chunk({}, "stop"))).toEqual(["end"]);
  });

  test("E15b: of several choices, mixed, all have to end", () => {
    expect(
      meanings(
        ...[chunk({ content: "a" }, null, 0), chunk({ content: "b" }, null, 1), chunk({}, "stop", 0)],
        ...[chunk({ content: "c" }, null, 1), chunk({ content: "late" }, null, 0), chunk({}, "stop", 1)],
      ),
    ).toEqual(["content", "content", "noise", "content", "unknown", "end"]);
  });

  test("E15b: arguments that are cut break the answer, unless the limit cut them", () => {
    expect(meanings(chunk(call('{"a":')), chunk({}, "tool_calls"))[1]).toMatchObject(BROKEN);
    expect(meanings(chunk(call('{"a":')), chunk({}, "length"))[1]).toBe("end");
    expect(meanings(chunk(call('{"a":')), chunk(call("1}")), chunk({}, "tool_calls"))[2]).toBe("end");
    expect(meanings(chunk(call("{}")), chunk(call('{"a"', 1)), chunk({}, "tool_calls"))[2]).toMatchObject(BROKEN);
  });

  test("E15b: arguments of the old function call are judged as well", () => {
    const old = (text: string) => ({ function_call: { arguments: text } });
    expect(meanings(chunk(old('{"a":')), chunk({}, "function_call"))[1]).toMatchObject(BROKEN);
    expect(meanings(chunk(old('{"a":')), chunk(old("1}")), chunk({}, "function_call"))[2]).toBe("end");
  });

  test("E15b: a finish reason of error is an error", () => {
    expect(meanings(chunk({ content: "hi" }, "error"))).toEqual([{ problem: chunk({ content: "hi" }, "error") }]);
  });
});

describe("a response", () => {
  test("E15: the frame of a message is no sign of life, a search is", () => {
    const added = (type: string) => ({ type: "response.output_item.added", item: { type } });
    expect(meanings({ type: "response.created" }, added("message"), { type: "response.content_part.added" })).toEqual([
      "noise",
      "noise",
      "noise",
    ]);
    expect(meanings(added("web_search_call"), added("reasoning"))).toEqual(["life", "life"]);
  });

  test("E15b: ends completed or incomplete, and fails with its error", () => {
    const failed = { type: "response.failed", response: { status: "failed", error: { code: "server_error" } } };
    expect(meanings({ type: "response.output_text.delta", delta: "hi" }, completed("hi"))).toEqual([
      "content",
      "content-last",
    ]);
    expect(meanings({ type: "response.incomplete", response: {} })).toEqual(["content-last"]);
    expect(meanings(completed(""))).toEqual(["last"]);
    expect(meanings(failed)).toEqual([{ problem: failed.response }]);
  });

  test("E15b: arguments that are cut break the answer", () => {
    const delta = { type: "response.function_call_arguments.delta", item_id: "i", delta: '{"a":' };
    expect(meanings(delta, completed("hi"))[1]).toMatchObject(BROKEN);
    const done = { type: "response.function_call_arguments.done", item_id: "i", arguments: '{"a":1}' };
    expect(meanings(delta, done, completed("hi"))[2]).toBe("content-last");
  });
});

describe("a message", () => {
  const block = (content_block: object) => ({ type: "content_block_start", index: 0, content_block });
  const delta = (value: object) => ({ type: "content_block_delta", index: 0, delta: value });
  const stopped = (stop_reason: string) => ({ type: "message_delta", delta: { stop_reason } });
  const STOP = { type: "message_stop" };

  test("E15b: ends with message_stop, not with its stop reason", () => {
    const hi = delta({ type: "text_delta", text: "hi" });
    expect(meanings(block({ type: "text", text: "" }), hi, stopped("end_turn"), STOP)).toEqual([
      "noise",
      "content",
      "noise",
      "last",
    ]);
    expect(meanings(stopped("refusal"), STOP)).toEqual(["noise", "content-last"]);
  });

  test("E15: a thought counts as progress, its signature as life", () => {
    expect(
      meanings(
        ...[block({ type: "thinking", thinking: "" }), delta({ type: "thinking_delta", thinking: "so" })],
        delta({ type: "signature_delta", signature: "x" }),
      ),
    ).toEqual(["life", "content", "life"]);
  });

  test("E15b: arguments that are cut break the answer, unless the limit cut them", () => {
    const json = delta({ type: "input_json_delta", partial_json: '{"a":' });
    expect(meanings(json, stopped("tool_use"), STOP)[2]).toMatchObject(BROKEN);
    expect(meanings(json, stopped("max_tokens"), STOP)[2]).toBe("last");
  });
});

describe("a candidate", () => {
  const candidate = (parts: readonly object[], finishReason?: string) => ({
    candidates: [{ content: { parts }, ...(finishReason !== undefined && { finishReason }) }],
  });

  test("E15b: ends with its finish reason", () => {
    expect(meanings(candidate([{ text: "hi" }]), candidate([{ text: "" }], "STOP"))).toEqual(["content", "end"]);
    expect(meanings(candidate([{ text: "hi" }], "FINISH_REASON_UNSPECIFIED"))).toEqual(["content"]);
    expect(meanings(candidate([], "SAFETY"))).toEqual(["content-end"]);
  });

  test("E15b: a call that the model could not write is a problem", () => {
    expect(meanings(candidate([], "MALFORMED_FUNCTION_CALL"))).toMatchObject([{ problem: {} }]);
  });
});

test("E15b: errors are recognised in every form", () => {
  const errors = [
    { error: { code: 503 } },
    { error: "busy" },
    { object: "error", message: "x" },
    { type: "error", message: "x" },
  ];
  for (const error of errors) expect(meanings(error)).toEqual([{ problem: error }]);
  expect(meanings({ ...chunk({ content: "hi" }), error: null })).toEqual(["content"]);
});
