import { expect, test } from "vitest";
import { splitLines } from "../../src/wire/split-lines.ts";

async function linesOf(chunks: readonly string[], mostChars = 100): Promise<unknown[]> {
  const found: unknown[] = [];
  async function* source(): AsyncGenerator<string> {
    yield* chunks;
  }
  for await (const lines of splitLines(source(), mostChars)) found.push(...lines);
  return found;
}

test("B1: lines are found across chunks, with their numbers", async () => {
  expect(await linesOf(["a", "b\nc", "", "d\n", "\n", "e"])).toEqual([
    { number: 1, text: "ab", isTooLong: false },
    { number: 2, text: "cd", isTooLong: false },
    { number: 3, text: "", isTooLong: false },
    { number: 4, text: "e", isTooLong: false },
  ]);
});

test("B1: an input that ends with a line break has no further line", async () => {
  expect(await linesOf(["a\n"])).toEqual([{ number: 1, text: "a", isTooLong: false }]);
  expect(await linesOf([])).toEqual([]);
});

test("B1: a line over the limit is marked and does not hold memory", async () => {
  expect(await linesOf(["xxxx", "yyyy", "zzzz\nok\n"], 5)).toEqual([
    { number: 1, text: "xxxxy", isTooLong: true },
    { number: 2, text: "ok", isTooLong: false },
  ]);
});

test("S9: reports the beginning of a line over the limit, however small the chunks are", async () => {
  const letters = [..."abcdefgh".repeat(50)];
  expect(await linesOf([...letters, "\n"], 200)).toEqual([
    { number: 1, text: "abcdefgh".repeat(13).slice(0, 100), isTooLong: true },
  ]);
});

test("S9: a byte order mark is removed at the beginning of the input, and only there", async () => {
  expect(await linesOf(["", "\uFEFFa\n\uFEFFb\n"])).toEqual([
    { number: 1, text: "a", isTooLong: false },
    { number: 2, text: "\uFEFFb", isTooLong: false },
  ]);
  expect(await linesOf(["\uFEFF", "\uFEFFa"])).toMatchObject([{ text: "\uFEFFa" }]);
});
