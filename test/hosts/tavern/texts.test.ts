import fc from "fast-check";
import { expect, test } from "vitest";
import { answerText } from "../../../src/hosts/tavern/carry/answer-text.ts";
import { newUuid } from "../../../src/hosts/tavern/carry/new-uuid.ts";
import { TEXTS } from "../../../src/hosts/tavern/panel/texts.ts";
import { plainText } from "../../../src/hosts/tavern/toasts/plain-text.ts";

test("T12: plainText returns one short line of visible characters", () => {
  expect(plainText("a\u0000b\nc\u202ed  e\u009b")).toBe("a b c d e");
  expect(plainText("<b>&amp;</b>")).toBe("<b>&amp;</b>");
  expect(plainText("x".repeat(10_000_000))).toBe(`${"x".repeat(160)}…`);
  expect(plainText("😀".repeat(300), 5)).toBe("😀😀😀😀😀…");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not occur.
      expect(plainText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
      expect([...plainText(text)].length).toBeLessThanOrEqual(161);
    }),
  );
});

test("T6: answerText finds the text in every shape of the host's answers", () => {
  expect(answerText("text")).toBe("text");
  expect(answerText("")).toBe("");
  expect(answerText({ content: "text", tool_calls: [] })).toBe("text");
  expect(answerText({ content: "", tool_calls: [] })).toBe("");
  expect(answerText({ content: "", tool_calls: [{}] })).toBe(true);
  expect(answerText(undefined)).toBe(true);
});

test("T8: newUuid returns a UUID of version 4", () => {
  const ids = Array.from({ length: 100 }, newUuid);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
});

test("T1: the Chinese panel translates every text", () => {
  const words = (texts: object): string[] =>
    Object.values(texts).flatMap((text: unknown) => {
      if (typeof text === "object" && text !== null) return words(text);
      return typeof text === "function" ? [String(text(7, 7))] : [String(text)];
    });
  const [english, chinese] = [words(TEXTS.en), words(TEXTS.zh)];
  expect(chinese).toHaveLength(english.length);
  expect(chinese.filter((text, index) => text === english[index])).toEqual([]);
});
