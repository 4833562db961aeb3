import { describe, expect, test } from "vitest";
import { cleanText, maskSecrets, openTerminal, sayDuration, textWidth, wrapText } from "../../src/terminal/index.ts";

describe("B1: foreign text is harmless in a terminal", () => {
  test.each([
    ["colours", "a\u001b[31mred\u001b[0m b", "ared b"],
    ["cursor moves", "x\u001b[2J\u001b[Hy", "xy"],
    ["a window title", "x\u001b]0;owned\u0007y", "xy"],
    ["a link", "\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\", "text"],
    ["an 8-bit escape", "x\u009b31my", "xy"],
    ["bells, nulls and deletes", "a\u0007b\u0000c\u007fd", "abcd"],
    ["a carriage return that would overwrite", "safe\revil", "safe\nevil"],
    ["text turned round", "abc\u202edef\u2066", "abcdef"],
    ["an escape at the end", "x\u001b", "x"],
    ["lines and tabs", "a\r\nb\tc", "a\nb c"],
  ])("B1: strips %s", (_, given, wanted) => {
    expect(cleanText(given)).toBe(wanted);
  });
});

describe("B1: secrets are masked", () => {
  test.each([
    [
      "Incorrect API key provided: sk-proj-abcDEF123456. You can",
      "Incorrect API key provided: sk-proj-[masked] You can",
    ],
    ["Incorrect API key provided: sk-abcd********wxyz", "Incorrect API key provided: sk-[masked]"],
    ["x-api-key: sk-ant-api03-AbCdEf123456", "x-api-key: sk-ant-[masked]"],
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer [masked]"],
    ["authorization: Basic dXNlcjpwYXNz", "authorization: Basic [masked]"],
    ["?key=AIzaSyA1234567890abcdefghijk", "?key=AIza[masked]"],
    ['{"access_token":"0123456789abcdef0123"}', '{"access_token":"[masked]"}'],
    ["API key 0123456789abcdef0123456789abcdef is invalid", "API key [masked] is invalid"],
    ["gsk_AbCdEfGh12345678", "gsk_[masked]"],
    ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "token eyJ[masked]"],
  ])("B1: in %s", (given, wanted) => {
    expect(maskSecrets(given)).toBe(wanted);
  });

  test.each([
    "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 28000",
    "invalid x-api-key",
    "max_tokens: 8192 is more than the limit of 4096",
    "req_011CSHoEeqs5C35K2UUqR7Fy",
    "the key authentication_error means nothing here",
  ])("B1: leaves alone %s", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test("B1: takes linear time for hostile text", () => {
    const started = performance.now();
    maskSecrets(`${"key ".repeat(50_000)}${"key:::::::".repeat(20_000)}${"sk-".repeat(50_000)}`);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe("B1: text is laid out", () => {
  test("B1: wraps at spaces, and inside words that are too long", () => {
    expect(wrapText("one two three fourteenletters x", 8)).toEqual(["one two", "three", "fourteen", "letters", "x"]);
    expect(wrapText("a\n\nb", 8)).toEqual(["a", "", "b"]);
  });

  test("B1: counts wide characters twice and marks not at all", () => {
    expect(textWidth("额度 ok")).toBe(7);
    expect(textWidth("e\u0301")).toBe(1);
    expect(wrapText("额度不足额度", 5)).toEqual(["额度", "不足", "额度"]);
  });

  test.each([
    ["a letter with a combining accent", "e\u0301", 1],
    ["a vowel sign that has a column", "कि", 2],
    ["one above the line", "कं", 1],
    ["two consonants that are written as one", "क्ष", 2],
    ["squared words and tiles", "🆗🆒🆕🀄🈶🃏", 12],
    ["an ideograph of the astral planes", "𠮷", 2],
    ["a family", "👩‍👩‍👧", 2],
    ["a heart on fire, without its selector", "❤‍🔥", 2],
    ["a hand with a colour of skin", "☝🏽", 2],
    ["a sign that is asked to be an emoji", "❤️", 2],
    ["the same sign, not asked", "❤", 1],
    ["a key cap", "1️⃣", 2],
    ["a flag", "🇩🇪", 2],
    ["a flag that is spelt", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", 2],
    ["a joiner that joins no emoji", "نمی‌خواهم", 8],
    ["Hangul, whole and in parts", "각 각", 5],
    ["half-width katakana", "ｶﾞ", 2],
  ])("B1: counts the columns of %s", (_, text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });

  test("B1: a letter with any number of marks is measured in linear time", () => {
    const started = performance.now();
    for (const part of ["\u200d", "\u0301", "👩\u200d", "🏽", "ि"]) wrapText(`👩${part.repeat(100_000)}`, 40);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("B1: breaks no character in two, and loses none", () => {
    const text = "👩‍🚀👩‍🚀क्षिक्षि🇩🇪🇩🇪e\u0301e\u0301e\u0301";
    const lines = wrapText(text, 4);
    expect(lines).toEqual(["👩‍🚀👩‍🚀", "क्षि", "क्षि", "🇩🇪🇩🇪", "e\u0301e\u0301e\u0301"]);
    expect(lines.join("")).toBe(text);
  });

  test("B1: a character that is wider than the line gets one for itself", () => {
    expect(wrapText("अक्ष्म्यिअ", 2).join("")).toBe("अक्ष्म्यिअ");
    expect(wrapText("अक्ष्म्यिअ", 2)).not.toContain("");
  });

  test.each([
    [0, "0 ms"],
    [20, "20 ms"],
    [999.9, "1 s"],
    [1898, "1.9 s"],
    [30_000, "30 s"],
    [59_960, "1 min"],
    [90_000, "1 min 30 s"],
    [3_599_900, "1 h"],
    [3_900_000, "1 h 5 min"],
    [86_400_000, "1 day"],
    [1_123_200_000, "13 days"],
  ])("B1: says %d ms as %s", (ms, wanted) => {
    expect(sayDuration(ms)).toBe(wanted);
  });
});

describe("B1: the terminal is taken as it is", () => {
  const tty = { write: () => true, isTTY: true, columns: 40 };
  const pipe = { write: () => true };

  test.each([
    ["a terminal", tty, {}, { columns: 40, isLive: true, hasColours: true }],
    ["NO_COLOR", tty, { NO_COLOR: "1" }, { columns: 40, isLive: false, hasColours: false }],
    ["an empty NO_COLOR", tty, { NO_COLOR: "" }, { columns: 40, isLive: true, hasColours: true }],
    ["a dumb terminal", tty, { TERM: "dumb" }, { columns: 40, isLive: false, hasColours: false }],
    ["a pipe", pipe, {}, { columns: 80, isLive: false, hasColours: false }],
    ["a pipe in CI", pipe, { CI: "true" }, { columns: 80, isLive: false, hasColours: false }],
    ["a pipe with COLUMNS", pipe, { COLUMNS: "40" }, { columns: 40, isLive: false, hasColours: false }],
    ["an invalid COLUMNS", pipe, { COLUMNS: "wide" }, { columns: 80, isLive: false, hasColours: false }],
    ["FORCE_COLOR", pipe, { FORCE_COLOR: "1" }, { columns: 80, isLive: false, hasColours: true }],
  ])("B1: %s", (_, stream, env, wanted) => {
    const { columns, isLive, colours } = openTerminal(stream, env);
    expect({ columns, isLive, hasColours: colours.red("x") !== "x" }).toEqual(wanted);
  });
});
