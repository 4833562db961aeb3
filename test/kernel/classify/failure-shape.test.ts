import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { engineFailure } from "../../../src/kernel/classify/engine-failure.ts";
import { DEFAULT_SCOPE, isUsuallyRetryable } from "../../../src/kernel/classify/failure-defaults.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";

const target = { provider: "openai", model: "gpt-5.1", credential: "a" };

describe("the failure object", () => {
  test("E2: carries kind, scope, retryable, message, status, code, hint, evidence, confidence, target and cause, always in that order", () => {
    const problem = {
      status: 429,
      headers: { "retry-after": "2" },
      body: { error: { code: "slow_down", message: "Slow." } },
    };
    const failure = classify(problem, { target });
    expect(failure).toStrictEqual({
      kind: "rate_limit",
      scope: "credential",
      retryable: true,
      message: "Slow.",
      status: 429,
      code: "slow_down",
      hintMs: 2000,
      evidence: "code:slow_down",
      confidence: "certain",
      target,
      cause: problem,
    });
    expect(failure.cause).toBe(problem);
    expect(Object.keys(engineFailure("silent", "m", "e"))).toEqual(Object.keys(failure));
    expect(Object.keys(classify(undefined))).toEqual(Object.keys(failure));
  });

  test("E2: contains the engine's own finding, with the usual scope and retryability", () => {
    expect(engineFailure("silent", "No answer within 2 minutes.", "watchdog:first-content", target)).toStrictEqual({
      kind: "silent",
      scope: "provider",
      retryable: true,
      message: "No answer within 2 minutes.",
      status: undefined,
      code: undefined,
      hintMs: undefined,
      evidence: "watchdog:first-content",
      confidence: "certain",
      target,
      cause: undefined,
    });
    const verdicts = (["stalled", "stream_broken", "invalid_content", "aborted"] as const).map((kind) => {
      const { scope, retryable } = engineFailure(kind, "", "");
      return [kind, scope, retryable];
    });
    expect(verdicts).toEqual([
      ["stalled", "provider", true],
      ["stream_broken", "provider", true],
      ["invalid_content", "request", true],
      ["aborted", "request", false],
    ]);
  });

  test("E2: has a usual scope and retryability for every kind", () => {
    expect(FAILURE_KINDS.map((kind) => `${kind} ${DEFAULT_SCOPE[kind]} ${isUsuallyRetryable(kind)}`)).toEqual([
      "rate_limit credential true",
      "usage_limit credential false",
      "overloaded model true",
      "server provider true",
      "network provider true",
      "timeout provider true",
      "stalled provider true",
      "silent provider true",
      "invalid_content request true",
      "stream_broken provider true",
      "context_overflow request false",
      "auth credential false",
      "permission credential false",
      "bad_request request false",
      "not_found model false",
      "content_filter request false",
      "aborted request false",
      "unknown request false",
    ]);
  });
});

describe("the message", () => {
  test.each([
    ["a string as given", 'HTTP 429: {"error":{"message":"inner"}}', 'HTTP 429: {"error":{"message":"inner"}}'],
    ["a body that is text", { status: 502, body: "upstream is gone" }, "upstream is gone"],
    [
      "the deepest message of an envelope",
      { status: 400, body: { error: { message: "deep" }, message: "shallow" } },
      "deep",
    ],
    ["the deepest message, whatever the order", { error: { message: "deep" }, message: "shallow" }, "deep"],
    ["what is inside a text that is wholly JSON", ' {"error":{"message":"inner"}}', "inner"],
    [
      "the message beside a heading",
      { error: "Too Many Requests", message: "Slow down, please." },
      "Slow down, please.",
    ],
    ["a heading alone", { error: "Too Many Requests" }, "Too Many Requests"],
    [
      "the cause of a wrapper",
      Object.assign(new Error("fetch failed"), { cause: new Error("connect ECONNREFUSED") }),
      "connect ECONNREFUSED",
    ],
    [
      "the JSON of a body without one",
      { status: 503, headers: {}, body: { error: { code: "server_is_overloaded" } } },
      '{"error":{"code":"server_is_overloaded"}}',
    ],
    ["the JSON of an object without one", { a: [1, null, "x"], b: undefined, c: true }, '{"a":[1,null,"x"],"c":true}'],
    ["a thrown number", 42, "42"],
    ["nothing thrown", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["an empty text", "", ""],
  ])("E2: is %s", (_, problem, message) => {
    expect(classify(problem).message).toBe(message);
  });

  test("E2: stays whole, however long", () => {
    const long = `${"x".repeat(100_000)} rate limit`;
    expect(classify(long).message).toBe(long);
    expect(classify(long).kind).toBe("rate_limit");
  });

  test("E7: is bounded where it has to be made up", () => {
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, "v".repeat(1000)]));
    const made = classify({ wide }).message;
    expect(made.length).toBeLessThan(10_000);
    expect(made).toMatch(/^\{"wide":\{"k0":"v{1000}","k1"/);
    expect(made).toContain('"k31":…');
    expect(made).not.toContain("k32");
  });
});

describe("the policy's own rules", () => {
  const problem = { status: 418, body: { error: { type: "Tea_Pot", message: "I'm a Teapot" } } };
  const rule = (when: object, retryable?: boolean) => ({
    name: "tea",
    kind: "overloaded" as const,
    when,
    ...(retryable === undefined ? {} : { retryable }),
  });

  test.each([
    ["status", { status: 418 }],
    ["code in any spelling", { code: "teaPot" }],
    ["text in any case", { text: "a TEAPOT" }],
    ["provider in any case", { provider: "OpenAI" }],
    ["all of them", { status: 418, code: "tea-pot", text: "teapot", provider: "openai" }],
    ["no condition", {}],
  ])("E1: decide first when they match by %s", (_, when) => {
    expect(classify(problem, { target, rules: [rule(when)] })).toMatchObject({
      kind: "overloaded",
      retryable: true,
      scope: "model",
      evidence: "policy:tea",
      status: 418,
    });
  });

  test.each([
    ["another status", { status: 417 }],
    ["another code", { code: "coffee_pot" }],
    ["another text", { text: "kettle" }],
    ["another provider", { provider: "anthropic" }],
    ["one condition of two", { status: 418, text: "kettle" }],
  ])("E1: are passed over at %s", (_, when) => {
    expect(classify(problem, { target, rules: [rule(when)] })).toMatchObject({
      kind: "bad_request",
      evidence: "status:418",
    });
  });

  test("E1: match by any of several codes", () => {
    const coded = { status: 418, code: "other", error: { type: "Tea_Pot" } };
    expect(classify(coded, { rules: [rule({ code: "tea_pot" })] }).evidence).toBe("policy:tea");
  });

  test("E1: match an unnamed provider by an empty name", () => {
    expect(classify(problem, { rules: [rule({ provider: "" })] }).evidence).toBe("policy:tea");
    expect(classify(problem, { target, rules: [rule({ provider: "" })] }).evidence).toBe("status:418");
  });

  test("E1: may decide whether to retry, and the first match wins", () => {
    const rules = [rule({ status: 417 }), rule({ status: 418 }, false), { ...rule({}), name: "later" }];
    expect(classify(problem, { rules })).toMatchObject({ evidence: "policy:tea", retryable: false });
  });

  test("E1: are not overruled by flags or headers of the endpoint", () => {
    const flagged = { ...problem, retryable: false, headers: { "x-should-retry": "false" } };
    expect(classify(flagged, { rules: [rule({ status: 418 }, true)] }).retryable).toBe(true);
  });
});
