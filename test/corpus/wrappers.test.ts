import { describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";
import { readCorpus } from "./read-corpus.ts";
import { judge } from "./score-corpus.ts";
import { textOf, WRAPPERS } from "./wrappers.ts";

/**
 * An abort counts as one only where it is the whole text: with words around it, it may be the other side's, and the runtime's own
 * error has a name. Whether to retry does not change by it.
 */
const ADDS_A_FACT = (evidence: string) => evidence === "text:aborted";

const corpus = readCorpus()
  .filter((item) => item.seen && item.undecidable === undefined && textOf(item) !== "")
  .map((item) => ({ ...item, text: textOf(item), plain: judge(item) }));

describe("what is put around an error", () => {
  test("E1: there are at least twenty wrappers", () => {
    expect(Object.keys(WRAPPERS).length).toBeGreaterThanOrEqual(20);
  });

  test.each(Object.entries(WRAPPERS))(
    "E1: %s changes neither kind nor retryable of any error of the corpus",
    (_, wrap) => {
      const changed = corpus.flatMap(({ id, status, headers, provider, text, plain }) => {
        const wrapped = classify({ status, headers, body: wrap(text) }, { provider });
        if (wrapped.retryable === plain.retryable && (wrapped.kind === plain.kind || ADDS_A_FACT(plain.evidence)))
          return [];
        return [`${id}: ${plain.kind} (${plain.evidence}) is ${wrapped.kind} (${wrapped.evidence})`];
      });
      expect(changed).toEqual([]);
    },
  );
});
