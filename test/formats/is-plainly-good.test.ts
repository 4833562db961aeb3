import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPlainlyGood, parseJson, readAnswer } from "../../src/formats/index.ts";

const answerOf = (content: unknown, rest: object = {}): string =>
  JSON.stringify({ id: "x", choices: [{ message: { content, ...rest }, finish_reason: "stop" }] });

describe("E15b: an answer that is too large to be parsed", () => {
  test("E15b: is plainly good if it is whole, in every format", () => {
    const filled = "words, ".repeat(20_000);
    for (const answer of [
      answerOf(filled),
      JSON.stringify({ type: "message", content: [{ type: "text", text: filled }], stop_reason: "end_turn" }),
      JSON.stringify({ candidates: [{ content: { parts: [{ text: filled }] }, finishReason: "STOP" }] }),
      JSON.stringify({ object: "list", data: [{ embedding: Array.from({ length: 2000 }, Math.random) }] }, null, 2),
    ])
      expect(isPlainlyGood(answer)).toBe(true);
  });

  test("E15b: is not plainly good if it was cut, wherever that was", () => {
    const text = fc
      .array(fc.constantFrom("}", "]}", '"', "\\", "{", "[", "a", "風", '"}]}'))
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 0.999, noNaN: true }), (content, share) => {
        const answer = answerOf(content);
        const cut = answer.slice(0, Math.floor(answer.length * share));
        expect(isPlainlyGood(cut)).toBe(false);
        // As bytes, too.
        expect(isPlainlyGood(Buffer.from(cut).toString("latin1"))).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("E15b: is plainly good only if the parser finds it good too", () => {
    const part = fc.constantFrom(
      ...["", "words", "}", '"', "\\", '{"error":1}', "null", "[]"],
      ...['"choices":[', "{", "]", ",", ":", '"content":"', '"error":{"message":"no"}', " "],
    );
    const made = fc.oneof(
      fc.json().map((json) => `{"choices":[${json}]}`),
      fc
        .record({ content: fc.string(), rest: fc.dictionary(fc.string(), fc.string()) })
        .map((one) => answerOf(one.content, one.rest)),
      fc.array(part).map((parts) => `{"choices":[{"message":{"content":"a"}}]${parts.join("")}`),
    );
    fc.assert(
      fc.property(made, (text) => {
        if (!isPlainlyGood(text) || parseJson(text) === undefined) return;
        const reading = readAnswer(parseJson(text), text);
        // What has a beginning that is not empty may still say nothing: that is the parser's to say, and it is asked up to 64 KiB.
        if (typeof reading === "object") expect(reading.problem).toMatchObject({ code: "empty_response" });
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["an error after the content", `{"choices":[{"message":{"content":"a"}}],"error":{"message":"no"}}`],
    [
      "an error inside a choice",
      `{"choices":[{"message":{"content":"a"},"error":{"code":502},"finish_reason":"error"}]}`,
    ],
    ["arguments that have to parse", answerOf("a", { tool_calls: [{ function: { arguments: "{" } }] })],
    ["an empty answer", answerOf("")],
    ["an error first", `{"error":{"message":"no"},"choices":[{}]}`],
    ["two values", `${answerOf("a")}${answerOf("b")}`],
    ["a bracket that closes another", `{"choices":[{"message":{"content":"a"}]}}`],
    ["a depth beyond any answer", `{"choices":${"[".repeat(600)}${"]".repeat(600)}}`],
    ["a page", "<html>}"],
  ])("E15b: is left to the parser if it has %s", (_, text) => {
    expect(isPlainlyGood(text)).toBe(false);
  });

  test("E7: takes linear time, whatever the text", () => {
    for (const hostile of [
      '"'.repeat(2_000_000),
      "\\".repeat(2_000_000),
      `"${"\\".repeat(2_000_000)}"`,
      "[".repeat(2_000_000),
    ]) {
      const before = performance.now();
      isPlainlyGood(`{"choices":[${hostile}`);
      expect(performance.now() - before).toBeLessThan(1500);
    }
  });
});
