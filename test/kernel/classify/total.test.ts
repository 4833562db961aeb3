import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { FAILURE_KINDS } from "../../../src/kernel/model/failure.ts";

const SCOPES = ["request", "credential", "model", "provider"];

function expectSound(problem: unknown): void {
  const failure = classify(problem, { wallNowMs: 1.7e12, provider: "zhipu" });
  expect(FAILURE_KINDS).toContain(failure.kind);
  expect(SCOPES).toContain(failure.scope);
  expect(typeof failure.retryable).toBe("boolean");
  expect(typeof failure.message).toBe("string");
  expect(failure.evidence).not.toBe("");
  if (failure.hintMs !== undefined) {
    expect(failure.hintMs).toBeGreaterThan(0);
    expect(failure.hintMs).toBeLessThanOrEqual(31 * 86_400_000);
  }
  if (failure.kind === "usage_limit" || failure.kind === "context_overflow") expect(failure.retryable).toBe(false);
  expect(failure.cause).toBe(problem);
}

describe("any input", () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });

  test("E7: never throws, whatever is thrown at it", () => {
    fc.assert(
      fc.property(anything, (problem) => expectSound(problem)),
      { numRuns: 1000 },
    );
  });

  test("E7: never throws on anything in the places that it reads", () => {
    const keys = [
      "status",
      "code",
      "type",
      "message",
      "error",
      "headers",
      "body",
      "cause",
      "errors",
      "details",
      "retry_after",
    ];
    const shaped = fc.dictionary(fc.constantFrom(...keys, "@type", "retryDelay", "quotaId", "name"), anything);
    fc.assert(
      fc.property(shaped, (problem) => {
        expectSound(problem);
        expectSound(Object.assign(new Error("x"), problem));
      }),
      { numRuns: 1000 },
    );
  });

  test("E6: no text and no header gives a hint that is not finite and positive", () => {
    const words = fc.constantFrom(
      "try again in",
      "retry after",
      "reset in",
      "retry-after-ms=",
      "Limit",
      "Requested",
      "-",
      "5",
      "1e9",
      "0",
      "s",
      "ms",
      "days",
      "NaN",
      ".",
      " ",
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), fc.string(), (parts, header) => {
        expectSound({
          status: 429,
          headers: { "retry-after": header, "x-ratelimit-reset": header },
          body: parts.join(" "),
        });
      }),
      { numRuns: 1000 },
    );
  });

  const cyclic: { message: string; error?: unknown; cause?: unknown } = { message: "around" };
  cyclic.error = cyclic;
  cyclic.cause = [cyclic, cyclic];
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const refusing = new Proxy(
    {},
    {
      get() {
        throw new Error("get");
      },
      has() {
        throw new Error("has");
      },
      ownKeys() {
        throw new Error("ownKeys");
      },
      getPrototypeOf() {
        throw new Error("getPrototypeOf");
      },
    },
  );
  let shared: unknown = { message: 1 };
  for (let i = 0; i < 60; i++) shared = { error: shared, cause: shared, a: shared };
  let deep: unknown = { message: "bottom" };
  for (let i = 0; i < 10_000; i++) deep = { error: deep };

  test.each([
    ["a cycle", cyclic],
    ["a revoked proxy", revoked.proxy],
    ["a proxy whose traps throw", refusing],
    ["parts shared without end", shared],
    ["a deep nesting", deep],
    ["a function", () => {}],
    ["bytes", new Uint8Array(10_000_000)],
    [
      "an object that can't be a text",
      {
        toString: () => {
          throw new Error("no");
        },
      },
    ],
    ["an object without prototype", Object.create(null)],
    ["a body that refuses", { body: refusing }],
    ["many keys", Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]))],
    [
      "many codes",
      {
        errors: Array.from({ length: 50 }, () => ({
          errors: Array.from({ length: 50 }, (_, i) => ({ code: `c${i}`, type: "t", reason: "r" })),
        })),
      },
    ],
  ])("E7: lives through %s", (_, problem) => {
    expectSound(problem);
  });

  test("E7: one property that throws does not hide the others", () => {
    const problem = {
      status: 503,
      get message() {
        throw new Error("no");
      },
      error: { type: "overloaded_error" },
    };
    expect(classify(problem)).toMatchObject({ kind: "overloaded", status: 503, code: "overloaded_error" });
    const half = Object.defineProperty(new Error("Too many requests"), "code", {
      get() {
        throw new Error("no");
      },
    });
    expect(classify(half)).toMatchObject({ kind: "rate_limit", message: "Too many requests" });
    expect(classify(refusing)).toMatchObject({ kind: "unknown", message: "an unreadable value" });
  });

  test("E7: a status after too many keys is not looked for", () => {
    const wide = Object.fromEntries([...Array.from({ length: 200 }, (_, i) => [`k${i}`, i]), ["status", 503]]);
    expect(classify(wide).status).toBeUndefined();
  });

  test("E7: bytes are read as the body that they are, however many there are", () => {
    const body = new TextEncoder().encode('{"error":{"type":"overloaded_error","message":"Overloaded"}}');
    expect(classify({ status: 529, body })).toMatchObject({ kind: "overloaded", message: "Overloaded" });
    expect(classify(new Uint8Array(10_000_000)).message).toHaveLength(32_768);
    expect(classify({ body: new Uint8Array(0) }).message).toBe("0 bytes");
  });

  test("E7: reads the start and the end of a long text", () => {
    const filler = "lorem ipsum ".repeat(100_000);
    expect(classify(`Rate limit. ${filler}`).kind).toBe("rate_limit");
    expect(classify(`${filler} overloaded`).kind).toBe("overloaded");
    expect(classify(`${filler} overloaded ${filler}`).kind).toBe("unknown");
  });
});

describe("time", () => {
  const shapes: Readonly<Record<string, (chars: number) => unknown>> = {
    braces: (n) => "{".repeat(n),
    "open arrays": (n) => `{"a":${"[".repeat(n)}`,
    "nested objects": (n) => '{"error":'.repeat(n / 9),
    words: (n) => "context token prompt exceed ".repeat(n / 28),
    "almost a wait": (n) => "try again in 5 ".repeat(n / 15),
    digits: (n) => "9".repeat(n),
    identifiers: (n) => "a_b_".repeat(n / 4),
    spaces: (n) => " ".repeat(n),
    lines: (n) => "limit 1\n".repeat(n / 8),
    body: (n) => ({ status: 500, body: { error: { message: "x limit ".repeat(n / 8) } } }),
    quotes: (n) => `{"message":"${'\\"'.repeat(n / 2)}"}`,
  };

  test.each(Object.entries(shapes))("E7: grows at most with the length of the input: %s", (_, make) => {
    const [small, large] = [make(1_000_000), make(10_000_000)];
    expectSound(large);
    // The best of several: what disturbs a run only ever makes it longer.
    const time = (problem: unknown) => {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        classify(problem);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    // Ten times the text, generous slack for a noisy machine: anything quadratic is a hundred times.
    expect(time(large)).toBeLessThan(30 * time(small) + 100);
  });
});
