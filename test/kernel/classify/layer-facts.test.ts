import { describe, expect, test } from "vitest";
import { absorb, Facts, isSameStatement } from "../../../src/kernel/classify/facts.ts";
import { readProblem } from "../../../src/kernel/classify/read-problem.ts";

const inText = (object: object) => readProblem(`It failed: ${JSON.stringify(object)}`);

describe("what an object in a text states", () => {
  test.each<[string, object, Partial<Facts>]>([
    ["a status", { status: 503 }, { status: 503 }],
    ["a code", { code: "a" }, { codes: ["a"] }],
    ["a flag", { retryable: false }, { retryable: false }],
    ["Google's delay", { "@type": "google.rpc.RetryInfo", retryDelay: "5s" }, { retryDelay: "5s" }],
    ["a delay of a quota", { quotaResetDelay: "5s" }, { retryDelay: "5s" }],
    ["a wait in seconds", { retry_after: 5 }, { waits: "retry_after: 5\n" }],
    ["a wait in milliseconds", { retryAfterMs: 5 }, { waits: "retryafterms: 5\n" }],
    ["a moment", { resets_at: 5 }, { resetsAt: 5 }],
    ["a quota", { quotaId: "PerDay" }, { quotas: "PerDay " }],
    ["headers", { headers: { a: "b" } }, { headers: [{ a: "b" }] }],
  ])("E1: is also a fact of the whole: %s", (_, object, expected) => {
    expect(inText(object)).toMatchObject(expected);
    expect(inText(object).layers).toMatchObject([{ ...expected, lead: "It failed: " }]);
  });

  test("E1: comes behind what the whole states itself", () => {
    const own = new Facts();
    const layer = new Facts();
    Object.assign(own, { retryable: true, retryDelay: "1s", waits: "a: 1\n", resetsAt: 1 });
    Object.assign(layer, { retryable: false, retryDelay: "2s", waits: "a: 2\n", resetsAt: 2 });
    absorb(own, layer, 0);
    expect(own).toMatchObject({ retryable: true, retryDelay: "1s", waits: "a: 1\na: 2\n", resetsAt: 1 });
  });

  test("E1: has its words as they are meant, not as they are escaped", () => {
    const text = 'It failed: {"message":"\\u8bf7"}';
    expect(readProblem(text).texts).toBe('It failed: {"message":"请"}\n请');
  });

  test("E7: gives 32 codes at most, however many objects there are", () => {
    const codes = (start: number) => ({
      errors: Array.from({ length: 8 }, (_, i) => ({
        code: `c${start + 3 * i}`,
        type: `c${start + 3 * i + 1}`,
        reason: `c${start + 3 * i + 2}`,
      })),
    });
    const text = `${JSON.stringify(codes(0))}\n${JSON.stringify(codes(24))}`;
    expect(readProblem(text).codes).toEqual(Array.from({ length: 32 }, (_, i) => `c${i}`));
  });
});

describe("two problems", () => {
  test("E3: state the same with equal lists, and not with others", () => {
    const facts = (...codes: string[]) => Object.assign(new Facts(), { codes });
    expect(isSameStatement(facts("a", "b"), facts("a", "b"))).toBe(true);
    expect(isSameStatement(facts("a", "b"), facts("a", "c"))).toBe(false);
    expect(isSameStatement(facts("a", "b"), facts("a"))).toBe(false);
  });
});

describe("an object in a text that has no known key", () => {
  test("E1: is read as the words that it is", () => {
    expect(readProblem('It failed: {"foo":"bar"} (1)').layers).toMatchObject([{ texts: '{"foo":"bar"}' }]);
    expect(readProblem('It failed: {"message":"bar"} (1)').layers).toMatchObject([{ texts: "bar" }]);
  });

  test("E7: counts with its first 2,048 characters", () => {
    const text = JSON.stringify({ foo: "x".repeat(3000) });
    expect(readProblem(`It failed: ${text}`).layers).toMatchObject([{ texts: text.slice(0, 2048) }]);
  });
});

describe("a text that is wholly JSON", () => {
  test("E1: is an envelope: what is in it counts, and nothing of its own", () => {
    expect(readProblem('{"message":"x"}')).toMatchObject({ texts: "x", message: "x", layers: [] });
    expect(readProblem('{"foo":"bar"}').texts).toBe('{"foo":"bar"}');
    expect(readProblem({ status: 400, body: '{"message":"x"}' })).toMatchObject({ texts: "x", layers: [] });
  });

  test("E1: is a layer where it stands further in, or beside a code", () => {
    const inner = { texts: "x" };
    expect(readProblem({ error: { error: { message: '{"message":"x"}' } } }).layers).toMatchObject([inner]);
    expect(readProblem({ code: "a", message: '{"message":"x"}' }).layers).toMatchObject([inner]);
  });

  test("E2: gives the message of the whole, unless a deeper one is known, or it has none", () => {
    expect(readProblem({ code: "a", message: '{"message":"x"}' }).message).toBe("x");
    expect(readProblem({ code: "a", errors: [[{ message: "deep" }]], message: '{"message":"x"}' }).message).toBe(
      "deep",
    );
    expect(
      readProblem({ code: "a", errors: [{ message: "first" }], message: '{"error":{"message":"x"}}' }).message,
    ).toBe("x");
    expect(readProblem({ code: "a", message: '{"foo":1}' }).message).toBe('{"foo":1}');
  });
});

describe("the check of the AI SDK", () => {
  const quoted = 'Value: {"code":"a"}.\nError message: [{"code":"invalid_union","message":"Invalid input"}]';

  test("E1: does not count beside the answer that it quotes", () => {
    expect(readProblem(`Type validation failed: ${quoted}`).codes).toEqual(["a"]);
  });

  test("E1: counts where nothing was validated", () => {
    expect(readProblem(quoted).codes).toEqual(["a", "invalid_union"]);
    expect(readProblem('Type validation failed: Value: {"code":"a"}.\nThen: [{"code":"b"}]').codes).toEqual(["a", "b"]);
  });
});

describe("a page around a body", () => {
  test("E1: is a layer without a lead, and what it carries is one too", () => {
    const page = "<html><body><h1>Sorry</h1>{&quot;code&quot;:&quot;a&quot;}</body></html>";
    const { layers, codes } = readProblem(page);
    expect(codes).toEqual(["a"]);
    expect(layers).toMatchObject([{ lead: "", texts: 'Sorry\n{"code":"a"}' }, { codes: ["a"] }]);
    expect(layers).toHaveLength(2);
  });
});

describe("the reason behind a headline", () => {
  test("E1: is a layer, whose first 160 characters may name its status", () => {
    const reason = `401 ${"x".repeat(300)}`;
    expect(readProblem(`It did not work. Reason: ${reason}`).layers).toMatchObject([
      { texts: reason, lead: reason.slice(0, 160) },
    ]);
  });
});
