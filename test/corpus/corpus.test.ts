import { expect, test } from "vitest";
import { readCorpus, scoreCorpus } from "./score-corpus.ts";

test.each(["errors.jsonl", "more-errors.jsonl"])(
  "E1: agrees with the labels of %s: 97 %% of the kinds, 98 %% of retryable, every hint",
  (file) => {
    const score = scoreCorpus(readCorpus(file));
    const report = score.misses.map((miss) => `${miss.line} ${miss.field}: ${miss.message}`).join("\n");
    expect(score.kind, report).toBeGreaterThanOrEqual(0.97);
    expect(score.retryable, report).toBeGreaterThanOrEqual(0.98);
    expect(score.hint, report).toBe(1);
  },
);
