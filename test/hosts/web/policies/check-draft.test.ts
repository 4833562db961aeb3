import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDraft, type Draft } from "../../../../src/hosts/web/pages/policies/check-draft.ts";
import { countChanges, draftOf, isSame } from "../../../../src/hosts/web/pages/policies/draft-of.ts";
import { FIELDS } from "../../../../src/hosts/web/pages/policies/fields.ts";
import { withValueAt } from "../../../../src/hosts/web/pages/policies/policy-path.ts";
import { readTyped, sayProblem, sayValue, writeNumber } from "../../../../src/hosts/web/pages/policies/say-field.ts";
import { definePolicy, InvalidInput, type PolicyInput } from "../../../../src/kernel/index.ts";
import { defaultPolicy, PRESETS } from "../../../../src/presets/index.ts";

const saved = defaultPolicy();
const edit = (changes: Readonly<Record<string, unknown>>): Draft =>
  Object.entries(changes).reduce((draft, [path, value]) => withValueAt(draft, path, value), draftOf(saved));

describe("a draft of a policy", () => {
  test("K5: a draft of every preset has no problem and is the preset", () => {
    for (const preset of Object.values(PRESETS)) {
      const { problems, policy } = checkDraft(draftOf(preset()), saved);
      expect(problems).toEqual([]);
      expect(policy).toEqual(preset());
    }
  });

  test("K5: names every problem at once and keeps the last valid value for each, and the other edits", () => {
    const draft = edit({
      maxDelayMs: 9_999_999_000,
      "schedules.general.baseMs": "soon",
      "breaker.maxCooldownMs": 10,
      "fallback.longWaitMs": 7000,
    });
    const { problems, policy } = checkDraft(draft, saved);
    expect(problems.map(({ path }) => path).sort()).toEqual([
      "breaker.maxCooldownMs",
      "maxDelayMs",
      "schedules.general.baseMs",
    ]);
    expect(policy.maxDelayMs).toBe(120_000);
    expect(policy.schedules.general).toMatchObject({ baseMs: 1000 });
    expect(policy.fallback.longWaitMs).toBe(7000);
  });

  test("K5: says what is allowed in the unit of the field, in both languages", () => {
    const draft = edit({
      maxDelayMs: 9_999_999_000,
      "breaker.maxCooldownMs": 10,
      "fallback.cooldownMs": "x",
      sameServerError: 2.5,
    });
    const say = (language: "en" | "zh") =>
      Object.fromEntries(checkDraft(draft, saved).problems.map((one) => [one.path, sayProblem(one, draft, language)]));
    expect(say("en")).toEqual({
      maxDelayMs: "At most 2,147,483 s (24 days). Leave it empty for no limit.",
      "breaker.maxCooldownMs": "Must be 1 s or more.",
      "fallback.cooldownMs": "Must be a time in seconds, or with a unit: 500 ms, 2 min, 8 h.",
      sameServerError: "Must be a whole number. Leave it empty for never hopeless.",
    });
    for (const text of Object.values(say("zh"))) expect(text).toMatch(/[\u4e00-\u9fff]/);
  });

  test("K5: accepts a draft exactly if the engine does, and its policy is always one that the engine accepts", () => {
    const paths = Object.keys(FIELDS).filter((path) => !/[*[\]]/.test(path));
    const value = fc.oneof(
      fc.integer({ min: -10, max: 3e9 }),
      fc.double({ noNaN: true }),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), value), { maxLength: 6 }), (changes) => {
        const draft = edit(Object.fromEntries(changes));
        const { problems, policy } = checkDraft(draft, saved);
        let isValid = true;
        try {
          definePolicy(draft as PolicyInput);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
          isValid = false;
        }
        expect(problems.length === 0).toBe(isValid);
        expect(definePolicy(policy)).toEqual(policy);
      }),
      { numRuns: 500 },
    );
  });

  test("K5: no JSON makes the check throw or run for ever", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(saved), "other"), fc.jsonValue()), (draft) => {
        const { policy } = checkDraft(draft as Draft, saved);
        expect(definePolicy(policy)).toEqual(policy);
      }),
      { numRuns: 500 },
    );
  });

  test("K5: counts changed fields, and none for a value that was put back", () => {
    const draft = edit({ maxDelayMs: 5, "fallback.longWaitMs": 1, "schedules.general.atMost": 4, breaker: null });
    expect(countChanges(draft, draftOf(saved))).toBe(4);
    expect(isSame(draft, draftOf(saved), "maxDelayMs")).toBe(false);
    const back = withValueAt(
      withValueAt(draftOf(saved), "schedules.general.capMs", undefined),
      "schedules.general.capMs",
      12_000,
    );
    expect(countChanges(back, draftOf(saved))).toBe(0);
    expect(isSame(back, draftOf(saved), "schedules.general")).toBe(true);
  });

  test("K5: what is typed becomes the engine's unit, and what is no number stays as it was typed", () => {
    const spec = { section: "waiting", input: "number", unit: "seconds", min: 0, empty: "null" } as const;
    expect(readTyped("2 min", spec)).toBe(120_000);
    expect(readTyped(" ", spec)).toBeNull();
    expect(readTyped("soon", spec)).toBe("soon");
    expect(writeNumber("soon", spec)).toBe("soon");
    expect(writeNumber(60_000, spec)).toBe("60");
    expect(sayValue(60_000, "maxDelayMs", "en")).toBe("60 s");
    expect(sayValue(null, "maxDelayMs", "en")).toBe("no limit");
    expect(sayValue(0.25, "breaker.leastShare", "en")).toBe("25 %");
    expect(sayValue([5000, 60_000], "schedules.general.stepsMs", "en")).toBe("5 s, 60 s");
  });
});
