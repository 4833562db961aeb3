import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freeName, whyNotName } from "../../../../src/hosts/web/pages/policies/free-name.ts";
import { exportPolicies, importPolicies } from "../../../../src/hosts/web/pages/policies/import-policies.ts";
import { definePolicy } from "../../../../src/kernel/index.ts";
import { PRESETS } from "../../../../src/presets/index.ts";

describe("policies in a file", () => {
  test("K5: what is exported is imported as it was", () => {
    const policies = Object.values(PRESETS).map((preset, index) => {
      const name = `mine ${index}`;
      return { name, from: preset().name, policy: definePolicy({ name }, preset()) };
    });
    expect(importPolicies(exportPolicies(policies))).toEqual({ policies, problems: [] });
  });

  test("K5: a policy alone is imported as well, complete or in part", () => {
    expect(importPolicies('{"name": "short", "maxDelayMs": 60000}').policies).toEqual([
      { name: "short", policy: definePolicy({ name: "short", maxDelayMs: 60_000 }) },
    ]);
  });

  test("K5: names each problem with its policy and field, and imports the rest", () => {
    const file = JSON.stringify({
      policies: [
        { name: "good", policy: {} },
        { name: "bad", policy: { maxDelayMs: -1 } },
        { name: "odd/name", policy: {} },
        { name: "good", policy: {} },
        { name: "typo", policy: { maxdelay: 1 } },
        7,
      ],
    });
    const { policies, problems } = importPolicies(file);
    expect(policies.map(({ name }) => name)).toEqual(["good"]);
    expect(problems).toEqual([
      { where: "bad", what: "invalid", detail: "policy.maxDelayMs must be a number from 0 to 2147483647; got -1" },
      { where: "odd/name", what: "bad-name", detail: "odd/name" },
      { where: "good", what: "same-name", detail: "good" },
      { where: "typo", what: "invalid", detail: expect.stringContaining("policy.maxdelay must be omitted") },
      { where: "6", what: "invalid", detail: "must be an object" },
    ]);
  });

  test.each([
    ["", "not-json"],
    ["{", "not-json"],
    ["null", "no-policies"],
    ["[]", "no-policies"],
    ['{"policies": 1}', "no-policies"],
    ['"text"', "no-policies"],
  ])("K5: says what is wrong with the file %j", (text, what) => {
    expect(importPolicies(text)).toMatchObject({ policies: [], problems: [{ what }] });
  });

  test("K5: no file makes the import throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(() => importPolicies(text)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });

  test("K5: finds a free name that the server accepts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.array(fc.string()), (wanted, taken) => {
        const first = freeName(wanted, taken);
        expect(whyNotName(first, taken)).toBeUndefined();
        expect(whyNotName(freeName(wanted, [...taken, first]), [...taken, first])).toBeUndefined();
      }),
    );
    expect(freeName("default", ["default", "default 2"])).toBe("default 3");
    expect(whyNotName("a/b", [])).toBe("characters");
    expect(whyNotName("a", ["a"])).toBe("taken");
  });
});
