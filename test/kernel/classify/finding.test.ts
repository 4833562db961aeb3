import { describe, expect, test } from "vitest";
import { classify } from "../../../src/index.ts";
import { classifyFor } from "../../../src/kernel/classify/classify.ts";
import { Facts, isSameStatement } from "../../../src/kernel/classify/facts.ts";
import { type Finding, recallFinding, rememberFinding } from "../../../src/kernel/classify/finding.ts";
import type { ClassifyRule } from "../../../src/kernel/model/policy.ts";

const failing = (message: string, more: object = {}) => Object.assign(new Error(message), { status: 503 }, more);

/** These only say where something was found, or how it reads to a person; layers are parts of the texts. */
const WITHOUT_MEANING = new Set(["message", "messageDepth", "statusDepth", "nodes", "layers", "lead"]);

describe("the finding on the last problem", () => {
  test.each(Object.keys(new Facts()))(
    "E3: it does not hold for facts that differ in %s, unless that has no meaning",
    (field) => {
      const facts: Record<string, unknown> = { ...new Facts(), [field]: ["something else"] };
      expect(isSameStatement(new Facts(), facts as unknown as Facts)).toBe(WITHOUT_MEANING.has(field));
    },
  );

  test("E3: a repeated problem is classified as the first one was, with its own message, target and cause", () => {
    const target = { provider: "p", model: "m", credential: "c" };
    const [one, other] = [failing("Overloaded"), failing("Overloaded")];
    const first = classify(one, { target });
    expect(classify(other, { target })).toEqual({ ...first, cause: other });
    expect(classify(other, { target }).cause).toBe(other);
    const elsewhere = { ...target, model: "n" };
    expect(classify(other, { target: elsewhere })).toEqual({ ...first, target: elsewhere, cause: other });
  });

  test("E6: the same words with headers, with a moment or from another provider are looked at anew", () => {
    const words = "Rate limit reached";
    const limited = (more: object = {}) => Object.assign(new Error(words), { status: 429 }, more);
    expect(classify(limited()).hintMs).toBeUndefined();
    expect(classify(limited({ headers: { "retry-after": "7" } })).hintMs).toBe(7000);
    expect(classify(limited()).hintMs).toBeUndefined();
    expect(classify(limited({ resets_at: 2000 }), { wallNowMs: 1000 }).hintMs).toBe(2_000_000);
    const quota = Object.assign(new Error("You exceeded your current quota"), { status: 429 });
    expect(
      [undefined, "dashscope", undefined].map((provider) => classify(quota, provider ? { provider } : {}).kind),
    ).toEqual(["usage_limit", "rate_limit", "usage_limit"]);
  });

  test("E3: facts that are cleared are as new", () => {
    const facts = new Facts();
    const full: Record<string, unknown> = Object.fromEntries(Object.keys(facts).map((field) => [field, ["something"]]));
    Object.assign(facts, full).clear();
    expect({ ...facts }).toStrictEqual({ ...new Facts() });
  });

  test("E3: nothing of a repeated problem passes into the next one", () => {
    for (let n = 0; n < 3; n++) classify(failing("Overloaded", { type: "overloaded_error", retryable: true }));
    expect(classify(new Error("Overloaded"))).toMatchObject({ status: undefined, code: undefined });
    for (let n = 0; n < 3; n++) classify(failing("Overloaded"));
    expect(classify({ status: 404 })).toMatchObject({ kind: "not_found", status: 404 });
    expect(classify(null)).toEqual(classify(null));
  });

  test("E20: the same words again are not searched again", () => {
    let reads = 0;
    const clock = { wallNow: () => ++reads };
    const readsOf = (problem: unknown, provider = "p", rules: readonly ClassifyRule[] = []) => {
      const before = reads;
      classifyFor(problem, provider, undefined, rules, clock);
      return reads - before;
    };
    const coded = () => failing("Overloaded", { code: "a", type: "b" });
    expect([coded(), coded(), coded()].map((problem) => readsOf(problem))).toEqual([1, 0, 0]);
    expect(readsOf(coded(), "q")).toBe(1);
    expect(readsOf(failing("Overloaded"), "q")).toBe(1);
    const rules: readonly ClassifyRule[] = [{ name: "mine", kind: "auth", when: { text: "overloaded" } }];
    expect([1, 2].map(() => readsOf(failing("Overloaded"), "q", rules))).toEqual([1, 1]);
    expect(readsOf(failing("Overloaded"), "q")).toBe(0);
  });

  test.each([{ headers: {} }, { retryDelay: "1s" }, { waits: "retry_after: 1\n" }, { resetsAt: 1 }])(
    "E6: words beside a moment or headers are searched each time: %j",
    (more) => {
      const facts = Object.assign(
        new Facts(),
        { texts: JSON.stringify(more) },
        "headers" in more ? { headers: [more] } : more,
      );
      rememberFinding(facts, "p", classify("x") as unknown as Finding);
      expect(recallFinding(facts, "p")).toBeUndefined();
    },
  );

  test("E7: a problem whose getter classifies another one is read as it is", () => {
    for (let n = 0; n < 3; n++) classify(failing("Overloaded"));
    const inner: unknown[] = [];
    class Nested extends Error {
      get status(): number {
        inner.push(classify(failing("Overloaded")).kind);
        return 401;
      }
    }
    expect(classify(new Nested("Invalid API key"))).toMatchObject({ kind: "auth", status: 401 });
    expect(new Set(inner)).toEqual(new Set(["overloaded"]));
  });

  test("E3: a policy's own rules neither use nor change it", () => {
    const rules = [{ name: "mine", kind: "auth", retryable: false, when: { text: "overloaded" } }] as const;
    expect(classify(failing("Overloaded")).kind).toBe("overloaded");
    expect(classify(failing("Overloaded"), { rules }).kind).toBe("auth");
    expect(classify(failing("Overloaded")).kind).toBe("overloaded");
  });
});
