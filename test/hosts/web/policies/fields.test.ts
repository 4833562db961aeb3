import { describe, expect, test } from "vitest";
import { FIELDS, type FieldSpec, fieldAt, SECTIONS } from "../../../../src/hosts/web/pages/policies/fields.ts";
import {
  genericPath,
  type PolicyPath,
  partsOf,
  valueAt,
  withValueAt,
} from "../../../../src/hosts/web/pages/policies/policy-path.ts";
import { POLICY_FIELDS } from "../../../../src/hosts/web/texts/policy-fields.ts";
import {
  definePolicy,
  FAILURE_KINDS,
  InvalidInput,
  MAX_DELAY_MS,
  type Policy,
  type PolicyInput,
} from "../../../../src/kernel/index.ts";
import { PRESETS } from "../../../../src/presets/index.ts";

/** Everything that a policy may have at once: every part is there, every type of schedule and rule. */
const WHOLE = definePolicy({
  schedules: {
    general: {
      type: "exponential",
      baseMs: 1000,
      factor: 2,
      capMs: 60_000,
      jitter: "full",
      atMost: 9,
      budgetMs: 100_000,
    },
    fibonacci: { type: "fibonacci", unitMs: 1000, repeatFirst: true },
    stepped: { type: "stepped", stepsMs: [1000, 2000] },
    fixed: { type: "fixed", delayMs: 1000 },
  },
  rules: {
    rate_limit: { action: "retry", schedule: "fixed", delay: "schedule", when: "always", maxDelayMs: 1000 },
    usage_limit: { action: "elsewhere", schedule: "fixed", otherwise: "wait" },
  },
  statuses: {
    418: { action: "retry", schedule: "fixed", delay: "schedule", when: "always", maxDelayMs: 1000 },
    402: { action: "elsewhere", otherwise: "wait" },
  },
  classify: [
    {
      name: "mine",
      when: { status: 418, code: "teapot", text: "tea", provider: "kettle" },
      kind: "server",
      retryable: true,
    },
  ],
  maxDelayMs: 5000,
  patienceMs: 5000,
  fallback: { patienceMs: 100, triesPerFallback: 2 },
  watchdog: { firstContentMs: 1000, idleMs: 1000 },
  sameServerError: 2,
  guessRetries: 2,
  breaker: { maxCooldownMs: MAX_DELAY_MS },
  budget: {},
  filter: { mode: "whitelist", ids: ["a"] },
  require: { pattern: "a", flags: "i" },
});

function leaves(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === "" ? key : `${path}.${key}`));
}

/** A path of `WHOLE` that the entry describes. */
function exampleOf(generic: string): string | undefined {
  return leaves(WHOLE).find((path) => genericPath(path) === generic);
}

const policies: readonly Policy[] = [WHOLE, ...Object.values(PRESETS).map((preset) => preset())];
type NumberField = Extract<FieldSpec, { input: "number" }>;
const numbers = (Object.entries(FIELDS) as [PolicyPath, FieldSpec][]).flatMap(
  ([path, spec]): [PolicyPath, NumberField][] => (spec.input === "number" ? [[path, spec]] : []),
);

describe("the table of policy fields", () => {
  test("K5: describes every field that a policy has, in both languages", () => {
    const missing = policies
      .flatMap((policy) => leaves(policy))
      .map(genericPath)
      // An empty list or table has no items to describe.
      .filter((path) => !(path in FIELDS));
    expect(missing).toEqual([]);
    for (const language of ["en", "zh"] as const) {
      expect(Object.keys(POLICY_FIELDS[language]).sort()).toEqual(Object.keys(FIELDS).sort());
      for (const { label, help } of Object.values(POLICY_FIELDS[language])) expect([label, help]).not.toContain("");
    }
  });

  test("K5: has no entry for a field that no policy has", () => {
    const known = new Set([...leaves(WHOLE).map(genericPath), "require.text"]);
    const parts = ["breaker", "budget", "require", "filter"];
    expect(Object.keys(FIELDS).filter((path) => !known.has(path) && !parts.includes(path))).toEqual([]);
  });

  test("K5: has words for every choice and every meaning of an empty field, in both languages", () => {
    for (const [path, spec] of Object.entries(FIELDS) as [PolicyPath, FieldSpec][]) {
      for (const language of ["en", "zh"] as const) {
        const texts = POLICY_FIELDS[language][path];
        // Kinds of failures have their words with the tracks.
        if (spec.input === "choice" && spec.choices !== FAILURE_KINDS) {
          expect(Object.keys(texts.choices ?? {}).sort(), path).toEqual([...spec.choices].sort());
        }
        if (spec.input === "number" && spec.empty !== undefined) expect(texts.empty, path).toBeTypeOf("string");
      }
    }
  });

  test("K5: puts every field into a section, and no section is empty", () => {
    expect([...new Set(Object.values(FIELDS).map(({ section }) => section))].sort()).toEqual([...SECTIONS].sort());
  });

  test.each(numbers)("K5: allows for %s exactly what the engine allows", (generic, spec) => {
    const path = exampleOf(generic) ?? generic;
    const accepts = (value: unknown): boolean => {
      const policy = withValueAt(JSON.parse(JSON.stringify(WHOLE)) as object, path, value);
      try {
        return valueAt(definePolicy(policy as PolicyInput), path) === value;
      } catch (error) {
        if (error instanceof InvalidInput) return false;
        throw error;
      }
    };
    // The longest pause between probes has the first one as its lower bound.
    const min = path === "breaker.maxCooldownMs" ? (WHOLE.breaker?.cooldownMs ?? 0) : spec.min;
    expect(accepts(min)).toBe(true);
    expect(accepts(min - (spec.integer ? 1 : 0.001))).toBe(false);
    if (spec.max !== undefined) {
      expect(accepts(spec.max)).toBe(true);
      expect(accepts(spec.max + 1)).toBe(false);
    }
    expect(accepts(min + 1.5)).toBe(spec.integer !== true && (spec.max === undefined || spec.max >= min + 1.5));
    expect(accepts(null)).toBe(spec.empty === "null");
    expect(accepts("1")).toBe(false);
  });

  test.each([
    ["schedules.rate-limit.delayMs", "schedules.*.delayMs", ["schedules", "rate-limit", "delayMs"]],
    ["schedules.a.b.stepsMs[2]", "schedules.*.stepsMs[]", ["schedules", "a.b", "stepsMs", 2]],
    ["classify[0].when.text", "classify[].when.text", ["classify", 0, "when", "text"]],
    ["statuses.429.action", "statuses.*.action", ["statuses", "429", "action"]],
    ["fallback.longWaitMs", "fallback.longWaitMs", ["fallback", "longWaitMs"]],
  ])("K5: finds the entry of %s", (path, generic, parts) => {
    expect(genericPath(path)).toBe(generic);
    expect(partsOf(path)).toEqual(parts);
    expect(fieldAt(generic)).toBeDefined();
  });
});
