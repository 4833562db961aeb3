import fc from "fast-check";
import { expect, test } from "vitest";
import { answerText } from "../../../src/hosts/tavern/carry/answer-text.ts";
import { newUuid } from "../../../src/hosts/tavern/carry/new-uuid.ts";
import { sayDuration } from "../../../src/hosts/tavern/panel/schedule-preview.ts";
import { TEXTS } from "../../../src/hosts/tavern/panel/texts.ts";
import { plainText } from "../../../src/hosts/tavern/toasts/plain-text.ts";

test("T12: a text from outside becomes one short line of visible characters", () => {
  expect(plainText("a\u0000b\nc\u202ed  e\u009b")).toBe("a b c d e");
  expect(plainText("<b>&amp;</b>")).toBe("<b>&amp;</b>");
  expect(plainText("x".repeat(10_000_000))).toBe(`${"x".repeat(160)}…`);
  expect(plainText("😀".repeat(300), 5)).toBe("😀😀😀😀😀…");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
      expect(plainText(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e]/);
      expect([...plainText(text)].length).toBeLessThanOrEqual(161);
    }),
  );
});

test("T6: the text of an answer is found in every shape that the host gives", () => {
  expect(answerText("text")).toBe("text");
  expect(answerText("")).toBe("");
  expect(answerText({ content: "text", tool_calls: [] })).toBe("text");
  expect(answerText({ content: "", tool_calls: [] })).toBe("");
  expect(answerText({ content: "", tool_calls: [{}] })).toBeUndefined();
  expect(answerText(undefined)).toBeUndefined();
});

test("T8: fresh ids are UUIDs of version 4", () => {
  const ids = Array.from({ length: 100 }, newUuid);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(100);
});

test("T1: durations are said with one decimal at most", () => {
  expect([100, 1000, 1500, 2250, 90_000, 5_400_000].map(sayDuration)).toEqual([
    "100 ms",
    "1 s",
    "1.5 s",
    "2.3 s",
    "1.5 min",
    "1.5 h",
  ]);
});

test("T1: the Chinese panel leaves no word out and no word in English", () => {
  const words = (texts: object): string[] =>
    Object.values(texts).flatMap((text: unknown) => {
      if (typeof text === "object" && text !== null) return words(text);
      return typeof text === "function" ? [String(text(7, 7))] : [String(text)];
    });
  const [english, chinese] = [words(TEXTS.en), words(TEXTS.zh)];
  expect(chinese).toHaveLength(english.length);
  // "5 × 30 s" and "2 min / 30 s" need no translation.
  const same = chinese.filter((text, index) => text === english[index]);
  expect(same).toEqual(["7 × 7", "7 / 7"]);
});
