import { describe, expect, test } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";

// What threw inside a property of a problem, not in the problem itself, made the classifier throw.

const refusing = new Proxy(
  {},
  {
    get() {
      throw new Error("get");
    },
    ownKeys() {
      throw new Error("ownKeys");
    },
  },
);
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const unprintable = Object.assign(Object.create(null), { foo: 1 });

describe("E7: the classifier survives", () => {
  test.each([
    ["headers whose traps throw", { status: 429, headers: refusing }],
    ["headers that are a revoked proxy", { status: 429, headers: revoked.proxy }],
    ["such headers in a cause", new Error("It failed", { cause: { status: 429, headers: refusing } })],
    ["a message that cannot be a text", { code: "bad_response_status_code", param: "429", message: unprintable }],
  ])("E7: %s", (_, problem) => {
    expect(() => classify(problem)).not.toThrow();
  });

  test("E7: what stands beside a property that throws is still read", () => {
    expect(classify({ headers: refusing, error: { message: "Slow down" }, status: 429 })).toMatchObject({
      kind: "rate_limit",
      status: 429,
      message: "Slow down",
    });
  });
});
