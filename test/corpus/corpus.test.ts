import { describe, expect, test } from "vitest";
import { checkLine, LEAST, nearDuplicates, spreadOf } from "./check-corpus.ts";
import { readCorpus } from "./read-corpus.ts";
import { scoreCorpus } from "./score-corpus.ts";

const corpus = readCorpus();

test("E1: agrees with every label of the given corpus", () => {
  const { misses, total } = scoreCorpus(readCorpus("given"));
  expect(total).toBe(117);
  expect(misses.map(({ item, field }) => `${item.id} ${field}`)).toEqual([]);
});

test("E1: agrees with every label of the corpus that can be decided, but for errors that nobody has looked at", () => {
  const { misses, total } = scoreCorpus(corpus.filter(({ seen }) => seen));
  expect(total).toBeGreaterThan(549);
  expect(misses.map(({ item, field, got }) => `${item.file} ${item.id} ${field} is ${got}`)).toEqual([]);
});

describe("the corpus itself", () => {
  test("E1: every line has the form that its README describes", () => {
    expect(corpus.flatMap((item) => checkLine(item).map((field) => `${item.id} ${field}`))).toEqual([]);
  });

  test("E1: every id is used once, and no situation twice", () => {
    expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length);
    expect(nearDuplicates(corpus)).toEqual([]);
  });

  test("E1: it spreads over providers, clients, languages, streams and headers", () => {
    const spread = spreadOf(corpus);
    for (const [name, least] of Object.entries(LEAST))
      expect(spread[name as keyof typeof LEAST], name).toBeGreaterThanOrEqual(least);
  });

  test("E1: the check finds a wrong field and a second error with other numbers", () => {
    const [first] = corpus;
    if (first === undefined) throw new Error("the corpus is empty");
    expect(checkLine({ ...first, status: 600, hintMs: -1 })).toEqual(["status", "hintMs"]);
    const body =
      "Rate limit reached for gpt-4 in organization org on tokens per min. Limit 100, used 90, requested 20.";
    const pair = [
      { ...first, id: "a", body },
      { ...first, id: "b", body: body.replace("90", "95") },
      { ...first, id: "c", body: "Another text that says something else about the same limit of an account" },
    ];
    expect(nearDuplicates(pair)).toEqual([["a", "b"]]);
  });
});
