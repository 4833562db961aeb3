import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify, type Failure, type Receipt, SecondwindError } from "../../../src/index.ts";
import { findGivenUp } from "../../../src/kernel/classify/find-given-up.ts";
import { setReceipt } from "../../../src/kernel/model/receipt-mark.ts";

const failure: Failure = {
  kind: "rate_limit",
  scope: "credential",
  retryable: true,
  message: "slow down",
  status: 429,
  code: "rate_limit_exceeded",
  hintMs: 2000,
  evidence: "status:429",
  confidence: "certain",
  target: undefined,
  cause: undefined,
};
const receipt: Receipt = {
  generationId: "g",
  complete: false,
  truncated: false,
  outcome: "retries-exhausted",
  attempts: 3,
  calls: 6,
  waitedMs: 1,
  patienceMs: null,
  elapsedMs: 2,
  targets: [],
  history: [],
  warnings: [],
};
const ours = new SecondwindError("retries-exhausted", failure, receipt);
const BELOW = { calls: 6, outcome: "retries-exhausted" };

/** An error of another copy of the package: same symbol, another class. */
const ofAnotherCopy = Object.assign(new Error("?"), { failure });
Object.defineProperty(ofAnotherCopy, Symbol.for("secondwind.receipt"), { value: receipt });

const ofVersion = (value: unknown, more: object = { failure }) =>
  Object.defineProperty(Object.assign(new Error("?"), more), Symbol.for("secondwind.receipt"), { value });

const originalOf = (change: Partial<Receipt>): Error => {
  const error = Object.freeze(new Error("original"));
  setReceipt(error, { ...receipt, ...change });
  return error;
};

describe("what a layer below has given up", () => {
  test.each<[string, unknown]>([
    ["an error of ours", ours],
    ["one of another copy of the package", ofAnotherCopy],
    ["wrapped by an SDK", new Error("Connection error.", { cause: ours })],
    [
      "wrapped by fetch and an SDK",
      new Error("Connection error.", { cause: new TypeError("fetch failed", { cause: ours }) }),
    ],
    ["the last error of the AI SDK", { name: "AI_RetryError", lastError: ours, errors: [new Error("first"), ours] }],
    ["the last error alone", { lastError: ours }],
    ["one of several", new AggregateError([new Error("first"), ours])],
    ["the first of very many", { errors: [ours, ...Array(1_000_000).fill("?")] }],
    ["a cause beside a text where others have a list", { errors: "sixteen letters!", cause: { cause: ours } }],
    ["in the error event of a stream", { type: "error", error: ours }],
    ["an original after several calls", originalOf({})],
  ])("B3: is found in %s", (_, problem) => {
    expect(findGivenUp(problem)?.below).toEqual(BELOW);
    expect(classify(problem).below).toEqual(BELOW);
  });

  test.each<[string, unknown]>([
    ["an original after one call", originalOf({ attempts: 1, calls: 1, outcome: "not-retryable" })],
    ["a call of a policy that is switched off", originalOf({ outcome: "disabled" })],
    ["an error of somebody else", Object.assign(new Error("?"), { receipt, failure, attempts: 3 })],
    ["a receipt that is none", Object.defineProperty(new Error("?"), Symbol.for("secondwind.receipt"), { value: 3 })],
    ["a receipt of nothing", ofVersion(null)],
    ["a receipt without a number of calls", ofVersion({ ...receipt, calls: "6" })],
    ["a receipt with a negative number", ofVersion({ ...receipt, calls: -1 })],
    ["a receipt with no number", ofVersion({ ...receipt, calls: Number.NaN })],
    ["a receipt without an outcome", ofVersion({ ...receipt, outcome: undefined })],
    ["no object", "429"],
    ["nothing", undefined],
    ["null", null],
  ])("B3: is not found in %s", (_, problem) => {
    expect(findGivenUp(problem)).toBeUndefined();
    expect(classify(problem).below).toBeUndefined();
  });

  test("B3: a person who gave up after the first call is found", () => {
    expect(findGivenUp(originalOf({ attempts: 1, calls: 1, outcome: "gave-up" }))?.below.outcome).toBe("gave-up");
  });

  test("B3: the failure of the layer below is taken over, with the problem as its cause", () => {
    const problem = new Error("Connection error.", { cause: ours });
    const target = { provider: "p", model: "m", credential: "" };
    expect(classify(problem, { target })).toEqual({ ...failure, target, cause: problem, below: BELOW });
  });

  test.each<[string, object]>([
    ["none", {}],
    ["nothing", { failure: null }],
    ["a text", { failure: "rate_limit" }],
    ["an unknown kind", { failure: { ...failure, kind: "frobnicated" } }],
    ["no scope", { failure: { ...failure, scope: undefined } }],
    ["no message", { failure: { ...failure, message: undefined } }],
  ])("B3: a failure of another version that is not whole is not taken over: %s", (_, more) => {
    expect(findGivenUp(ofVersion(receipt, more))).toStrictEqual({ below: BELOW, failure: undefined });
  });

  test("B3: a failure of another version that states no confidence is a likely one", () => {
    const { confidence: _, ...older } = failure;
    expect(classify(ofVersion(receipt, { failure: older }))).toMatchObject({
      kind: "rate_limit",
      confidence: "likely",
    });
  });

  test("B3: a layer below that made no call has given up too", () => {
    expect(findGivenUp(ofVersion({ ...receipt, calls: 0 }))?.below.calls).toBe(0);
  });

  test.each(["cause", "lastError", "error"])("B3: sixteen errors are looked at, one in the %s of another", (key) => {
    const wrapped = (times: number): object => (times === 0 ? ours : { [key]: wrapped(times - 1) });
    expect(findGivenUp(wrapped(15))?.below).toEqual(BELOW);
    expect(findGivenUp(wrapped(16))).toBeUndefined();
  });

  test("B3: a rule of the policy still has the first word", () => {
    const rules = [{ name: "mine", when: { text: "slow down" }, kind: "usage_limit" as const }];
    expect(classify(ours, { rules })).toMatchObject({ kind: "usage_limit", evidence: "policy:mine", below: BELOW });
  });

  test.each<[string, Record<string, string>, unknown]>([
    ["attempts alone", { "x-secondwind-attempts": "3" }, { calls: 3, outcome: "" }],
    [
      "all",
      { "x-secondwind-attempts": "3", "x-secondwind-calls": "9", "x-secondwind-outcome": "patience" },
      { calls: 9, outcome: "patience" },
    ],
    ["an answer that was good", { "x-secondwind-attempts": "3", "x-secondwind-outcome": "succeeded" }, undefined],
    ["twelve attempts", { "x-secondwind-attempts": "12" }, { calls: 12, outcome: "" }],
    ["no count", { "x-secondwind-attempts": "many" }, undefined],
    ["a count and a word", { "x-secondwind-attempts": "3 of 5" }, undefined],
    ["a word and a count", { "x-secondwind-attempts": "n3" }, undefined],
    ["ten digits", { "x-secondwind-attempts": "1234567890" }, undefined],
    ["another provider's flag", { "x-should-retry": "false" }, undefined],
  ])("B3: headers of a response: %s", (_, headers, below) => {
    expect(classify({ status: 503, headers: new Headers(headers) }).below).toEqual(below);
    expect(classify({ status: 503, headers }).below).toEqual(below);
  });

  test("B3: cycles, deep chains and hostile objects end, and nothing throws", () => {
    const circle: { cause?: unknown } = {};
    circle.cause = { cause: circle };
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("no");
        },
      },
    );
    let deep: object = ours;
    for (let i = 0; i < 1000; i++) deep = { cause: deep };
    for (const problem of [circle, hostile, { cause: hostile }, deep]) expect(findGivenUp(problem)).toBeUndefined();
  });

  test("B3: anything at all is looked at without a throw", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withMap: true, withDate: true }), (problem) => {
        expect(findGivenUp(problem)).toBeUndefined();
        expect(findGivenUp({ cause: problem, errors: [problem, ours] })?.below).toEqual(BELOW);
      }),
    );
  });
});
