import { expect, test } from "vitest";
import { EventCutter } from "../../src/formats/index.ts";

const encoder = new TextEncoder();

/** The last reading of an answer whose tool calls come as these deltas. */
function endOf(deltas: readonly object[]): unknown {
  const cutter = new EventCutter();
  const choices = [
    ...deltas.map((delta) => ({ index: 0, delta })),
    { index: 0, delta: {}, finish_reason: "tool_calls" },
  ];
  const text = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join("");
  return cutter.push(encoder.encode(text)).at(-1)?.reading;
}

const call = (id: string | undefined, args: string): object => ({
  tool_calls: [{ index: 0, ...(id !== undefined && { id }), function: { name: "look", arguments: args } }],
});

test("E15b: calls that Gemini's compatible endpoint gives one index are whole if each of them is", () => {
  expect(endOf([call("a", '{"at":1}'), call("b", '{"at":2}'), call("c", "{}")])).toBe("content-end");
  const both = { tool_calls: [call("a", '{"at":1}'), call("b", '{"at":2}')].flatMap((one) => Object.values(one)[0]) };
  expect(endOf([both])).toBe("content-end");
});

test("E15b: arguments of one of them that are cut are still an error", () => {
  expect(endOf([call("a", '{"at":1}'), call("b", '{"at":')])).toMatchObject({ problem: { message: /\{"at":$/ } });
  expect(endOf([call("a", '{"at":'), call("b", '{"at":2}')])).toMatchObject({ problem: {} });
});

test("E15b: pieces of one call with a new id each, as vLLM once sent them, do not begin new calls", () => {
  expect(endOf([call("a", '{"in":{"at":'), call("b", "1}"), call("c", "}")])).toBe("content-end");
  expect(endOf([call("a", '{"in":{"at":'), call(undefined, "1}}"), call("a", "")])).toBe("content-end");
});
