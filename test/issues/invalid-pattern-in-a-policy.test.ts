import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePolicy, InvalidInput, type PolicyInput, resilient, run, stream, tavernPolicy } from "../../src/index.ts";
import { validatePatternNow } from "../../src/system/guarded-pattern/validate-pattern-now.ts";

const WAYS: Readonly<Record<string, (require: { pattern: string; flags?: string }) => unknown>> = {
  definePolicy: (require) => definePolicy({ require }),
  resilient: (require) => resilient(() => "", { require }),
  run: (require) => run(() => "", { policy: { require } }),
  stream: (require) => stream(async function* () {}, { policy: { require } }),
  tavernPolicy: ({ pattern }) =>
    tavernPolicy({ requiredContentEnabled: true, requiredContentIsRegex: true, requiredContentPattern: pattern }),
};

/** What the way in throws or rejects with. */
async function refusalOf(enter: () => unknown): Promise<unknown> {
  try {
    await enter();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("an invalid pattern", () => {
  for (const [name, enter] of Object.entries(WAYS)) {
    test(`E16: ${name} refuses it and names the field, the value and the reason`, async () => {
      const error = await refusalOf(() => enter({ pattern: "[a-" }));
      expect(error).toBeInstanceOf(InvalidInput);
      expect(error).toMatchObject({
        field: "policy.require.pattern",
        message: 'policy.require.pattern must be a valid regular expression (Unterminated character class); got "[a-"',
      });
    });
  }

  test("E16: a pattern that cannot be checked in bounded time is refused with its reason", () => {
    expect(() => definePolicy({ require: { pattern: "a(?=b)" } })).toThrow(
      'policy.require.pattern must be a usable pattern, but it uses a look-ahead, (?=…), which cannot be checked in bounded time. Write it without; got "a(?=b)"',
    );
    expect(() => definePolicy({ require: { pattern: "x".repeat(1001) } })).toThrow("it is longer than 1000 characters");
    expect(() => definePolicy({ require: { pattern: "a{1001}" } })).toThrow("it has a count over 1000");
    expect(() => definePolicy({ require: { pattern: "(a)\\1" } })).toThrow("it uses a back-reference");
  });

  test("E16: unknown flags are refused by their own name", () => {
    const policy: PolicyInput = { require: { pattern: "a", flags: "iy" } };
    expect(() => definePolicy(policy)).toThrow('policy.require.flags must be made of i, m and s; got "iy"');
  });

  test("E16: no pattern that the matcher takes is refused by definePolicy", () => {
    const piece = fc.constantFrom(
      ..."a b ( ) [ ] { } ? * + | . ^ $ - , 1 \\d \\b \\( \\[ \\] \\\\ (?: (?i) (?s: (?P<n> (?<m> [^ {2} {1,3} é \\u0041".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const pattern = pieces.join("");
        if (!validatePatternNow(pattern).ok) return;
        expect(definePolicy({ require: { pattern } }).require).toEqual({ pattern });
      }),
      { numRuns: 3000, seed: 1 },
    );
  });
});
