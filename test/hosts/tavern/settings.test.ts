import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCarried, policyFor } from "../../../src/hosts/tavern/carry/policy-for.ts";
import { DEFAULT_SETTINGS, readSettings, type Settings } from "../../../src/hosts/tavern/settings/schema.ts";

describe("stored settings", () => {
  test("T1: readSettings returns the documented defaults without stored settings", () => {
    expect(readSettings(undefined)).toEqual({
      enabled: true,
      maxRetries: 3,
      retryDelayMs: 1000,
      retryDelayMultiplier: 1.5,
      rateLimitDelayMs: 30_000,
      rateLimitMaxRetries: 5,
      streamingTimeoutMs: 30_000,
      thinkingTimeLimitMs: 120_000,
      requiredContentEnabled: false,
      requiredContentPattern: "",
      requiredContentIsRegex: false,
      fallbackModelsEnabled: false,
      fallbackModels: [],
      filterEnabled: false,
      filterMode: "blacklist",
      filterGenerationIds: [],
      showRetryToast: true,
      showSuccessToast: true,
      showFailureToast: true,
    });
  });

  test.each([
    ["maxRetries", 1, 20],
    ["retryDelayMs", 100, 60_000],
    ["retryDelayMultiplier", 1, 5],
    ["rateLimitDelayMs", 1000, 300_000],
    ["rateLimitMaxRetries", 1, 10],
    ["streamingTimeoutMs", 5000, 300_000],
    ["thinkingTimeLimitMs", 10_000, 600_000],
  ] as const)("T1: %s accepts %d to %d and falls back to the default otherwise", (name, min, max) => {
    for (const good of [min, max]) expect(readSettings({ [name]: good })[name]).toBe(good);
    for (const bad of [min - 1, max + 1, Number.NaN, Number.POSITIVE_INFINITY, String(min), null]) {
      expect(readSettings({ [name]: bad })[name]).toBe(DEFAULT_SETTINGS[name]);
    }
  });

  test("T1: counts and durations are whole numbers; only the multiplier may have a fraction", () => {
    for (const name of ["maxRetries", "rateLimitMaxRetries"] as const) {
      expect(readSettings({ [name]: 1.5 })[name]).toBe(DEFAULT_SETTINGS[name]);
    }
    for (const name of ["retryDelayMs", "rateLimitDelayMs", "streamingTimeoutMs", "thinkingTimeLimitMs"] as const) {
      expect(readSettings({ [name]: 20_000.5 })[name]).toBe(DEFAULT_SETTINGS[name]);
    }
    expect(readSettings({ retryDelayMultiplier: 1.25 }).retryDelayMultiplier).toBe(1.25);
  });

  test("T1: any stored value gives complete settings and a valid policy", () => {
    fc.assert(
      fc.property(fc.anything(), (stored) => {
        const settings = readSettings(stored);
        expect(Object.keys(settings)).toEqual(Object.keys(readSettings({})));
        policyFor(settings);
      }),
    );
    const damaged = fc.record(Object.fromEntries(Object.keys(DEFAULT_SETTINGS).map((name) => [name, fc.anything()])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(damaged, (stored) => void policyFor({ ...readSettings(stored), requiredContentEnabled: false })),
    );
  });

  test("T1: an invalid setting does not affect the others", () => {
    const stored = { maxRetries: 7, retryDelayMs: -1, fallbackModels: [{ model: "m", key: 5 }, 3], filterMode: 1 };
    expect(readSettings(stored)).toEqual({
      ...DEFAULT_SETTINGS,
      maxRetries: 7,
      fallbackModels: [{ apiurl: "", key: "", model: "m", source: "openai" }],
    });
  });
});

describe("isCarried", () => {
  const lists = (settings: Partial<Settings>): Settings => ({ ...DEFAULT_SETTINGS, filterEnabled: true, ...settings });

  test("T8: the empty id matches only if it is listed", () => {
    expect(isCarried(lists({ filterMode: "whitelist", filterGenerationIds: ["a"] }), "")).toBe(false);
    expect(isCarried(lists({ filterMode: "whitelist", filterGenerationIds: [""] }), "")).toBe(true);
    expect(isCarried(lists({ filterMode: "blacklist", filterGenerationIds: ["a"] }), "")).toBe(true);
    expect(isCarried(lists({ filterMode: "blacklist", filterGenerationIds: [""] }), "")).toBe(false);
  });

  test("T13: no call is carried while the script is disabled", () => {
    const settings = lists({ enabled: false, filterMode: "whitelist", filterGenerationIds: ["a"] });
    expect(isCarried(settings, "a")).toBe(false);
  });
});
