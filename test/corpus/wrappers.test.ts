import { describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";
import type { Failure } from "../../src/kernel/model/failure.ts";
import { readCorpus } from "./read-corpus.ts";
import { isSameWait } from "./score-corpus.ts";
import { textOf, WRAPPERS } from "./wrappers.ts";

/**
 * A runtime's abort counts as one only where it is the whole text: with words around it, it may be the other side's, and the runtime's
 * own error has a name. It becomes `unknown` then, which is not retried either.
 */
const MAY_BE_ANOTHERS = (plain: Failure, wrapped: Failure) =>
  plain.evidence === "text:aborted" && wrapped.kind === "unknown";

const corpus = readCorpus()
  .filter((item) => item.seen && item.undecidable === undefined && textOf(item) !== "")
  .map((item) => ({
    ...item,
    text: textOf(item),
    plain: classify({ status: item.status, headers: item.headers, body: item.body }, item),
  }));

const said = ({ kind, retryable, hintMs, evidence }: Failure) => `${kind} ${retryable} ${hintMs ?? ""} (${evidence})`;

describe("what is put around an error", () => {
  test("E1: there are at least twenty wrappers", () => {
    expect(Object.keys(WRAPPERS).length).toBeGreaterThanOrEqual(20);
  });

  test.each(Object.entries(WRAPPERS))(
    "E1: %s changes neither kind nor retryable nor the wait of any error of the corpus",
    (_, wrap) => {
      const changed = corpus.flatMap(({ id, status, headers, provider, text, plain }) => {
        const wrapped = classify({ status, headers, body: wrap(text) }, { provider });
        const isSame = wrapped.kind === plain.kind || MAY_BE_ANOTHERS(plain, wrapped);
        if (isSame && wrapped.retryable === plain.retryable && isSameWait(wrapped.hintMs ?? null, plain.hintMs ?? null))
          return [];
        return [`${id}: ${said(plain)} is ${said(wrapped)}`];
      });
      expect(changed).toEqual([]);
    },
  );
});
