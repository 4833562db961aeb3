import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { headerEntries } from "../../../src/kernel/classify/read-headers.ts";
import { type RateLimits, readRateLimits } from "../../../src/kernel/classify/read-rate-limits.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Headers in the forms that these endpoints document for good answers. */
const DOCUMENTED: Readonly<Record<string, readonly [headers: Readonly<Record<string, string>>, expected: RateLimits]>> =
  {
    "OpenAI: durations": [
      {
        "x-ratelimit-limit-requests": "10000",
        "x-ratelimit-limit-tokens": "2000000",
        "x-ratelimit-remaining-requests": "9999",
        "x-ratelimit-remaining-tokens": "1999975",
        "x-ratelimit-reset-requests": "6ms",
        "x-ratelimit-reset-tokens": "6m0s",
      },
      {
        requests: { limit: 10_000, remaining: 9999, resetMs: 6 },
        tokens: { limit: 2_000_000, remaining: 1_999_975, resetMs: 360_000 },
      },
    ],
    "OpenAI: a project's limit below that of the organisation": [
      {
        "x-ratelimit-limit-tokens": "2000000",
        "x-ratelimit-remaining-tokens": "1999975",
        "x-ratelimit-limit-project-tokens": "50000",
        "x-ratelimit-remaining-project-tokens": "1200",
        "x-ratelimit-reset-project-tokens": "58s",
        "x-ratelimit-limit-input-images": "5",
        "x-ratelimit-remaining-input-images": "0",
      },
      { tokens: { limit: 50_000, remaining: 1200, resetMs: 58_000 } },
    ],
    "Azure: bare seconds, and -1 for what it does not know": [
      {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": "1",
        "x-ratelimit-remaining-tokens": "-1",
      },
      { requests: { limit: 60, remaining: 59, resetMs: 1000 } },
    ],
    "Groq: requests a day, tokens a minute": [
      {
        "retry-after": "2",
        "x-ratelimit-limit-requests": "14400",
        "x-ratelimit-limit-tokens": "18000",
        "x-ratelimit-remaining-requests": "14370",
        "x-ratelimit-remaining-tokens": "17997",
        "x-ratelimit-reset-requests": "2m59.56s",
        "x-ratelimit-reset-tokens": "7.66s",
      },
      {
        requests: { limit: 14_400, remaining: 14_370, resetMs: 179_560 },
        tokens: { limit: 18_000, remaining: 17_997, resetMs: 7660 },
      },
    ],
    "Anthropic: dates; of input, output and both the tightest": [
      {
        "anthropic-ratelimit-requests-limit": "4000",
        "anthropic-ratelimit-requests-remaining": "3999",
        "anthropic-ratelimit-requests-reset": "2026-01-02T03:04:06Z",
        "anthropic-ratelimit-input-tokens-limit": "400000",
        "anthropic-ratelimit-input-tokens-remaining": "399000",
        "anthropic-ratelimit-input-tokens-reset": "2026-01-02T03:04:05Z",
        "anthropic-ratelimit-output-tokens-limit": "80000",
        "anthropic-ratelimit-output-tokens-remaining": "8000",
        "anthropic-ratelimit-output-tokens-reset": "2026-01-02T03:05:05Z",
        "anthropic-ratelimit-tokens-limit": "480000",
        "anthropic-ratelimit-tokens-remaining": "407000",
        "anthropic-ratelimit-tokens-reset": "2026-01-02T03:04:15Z",
      },
      {
        requests: { limit: 4000, remaining: 3999, resetMs: 1000 },
        tokens: { limit: 80_000, remaining: 8000, resetMs: 60_000 },
      },
    ],
    "Claude's plans: shares, which are no counts": [
      {
        "anthropic-ratelimit-unified-status": "allowed",
        "anthropic-ratelimit-unified-5h-utilization": "0.42",
        "anthropic-ratelimit-unified-5h-reset": "1767330000",
        "anthropic-ratelimit-unified-reset": "1767330000",
      },
      {},
    ],
    "Cerebras: a window in the name": [
      {
        "x-ratelimit-limit-requests-day": "1000",
        "x-ratelimit-limit-tokens-minute": "60000",
        "x-ratelimit-remaining-requests-day": "999",
        "x-ratelimit-remaining-tokens-minute": "59000",
        "x-ratelimit-reset-requests-day": "33011.382867",
        "x-ratelimit-reset-tokens-minute": "11.382867",
      },
      {
        requests: { limit: 1000, remaining: 999, resetMs: 33_011_382.867 },
        tokens: { limit: 60_000, remaining: 59_000, resetMs: 11_382.867 },
      },
    ],
    "Mistral: req-minute, and two windows of tokens": [
      {
        "x-ratelimit-limit-req-minute": "60",
        "x-ratelimit-remaining-req-minute": "59",
        "x-ratelimit-limit-tokens-minute": "500000",
        "x-ratelimit-remaining-tokens-minute": "499000",
        "x-ratelimit-limit-tokens-month": "1000000000",
        "x-ratelimit-remaining-tokens-month": "10000000",
        "x-ratelimit-tokens-query-cost": "1000",
      },
      {
        requests: { limit: 60, remaining: 59 },
        tokens: { limit: 1_000_000_000, remaining: 10_000_000 },
      },
    ],
    "Mistral, before: by size": [
      { "ratelimitbysize-limit": "500000", "ratelimitbysize-remaining": "499000", "ratelimitbysize-reset": "37" },
      { tokens: { limit: 500_000, remaining: 499_000, resetMs: 37_000 } },
    ],
    "Together: tokens under a name of their own": [
      {
        "x-ratelimit-limit": "10",
        "x-ratelimit-remaining": "9",
        "x-ratelimit-reset": "1",
        "x-tokenlimit-limit": "180000",
        "x-tokenlimit-remaining": "179000",
      },
      { requests: { limit: 10, remaining: 9, resetMs: 1000 }, tokens: { limit: 180_000, remaining: 179_000 } },
    ],
    "OpenRouter: epoch milliseconds": [
      { "x-ratelimit-limit": "20", "x-ratelimit-remaining": "19", "x-ratelimit-reset": String(NOW + 60_000) },
      { requests: { limit: 20, remaining: 19, resetMs: 60_000 } },
    ],
    "GitHub: epoch seconds; what was used adds nothing": [
      {
        "x-ratelimit-limit": "5000",
        "x-ratelimit-remaining": "4999",
        "x-ratelimit-reset": String(NOW / 1000 + 30),
        "x-ratelimit-used": "1",
      },
      { requests: { limit: 5000, remaining: 4999, resetMs: 30_000 } },
    ],
    "GitHub Models: the length of the window is no reset": [
      {
        "x-ratelimit-limit-requests": "20",
        "x-ratelimit-remaining-requests": "18",
        "x-ratelimit-renewalperiod-requests": "60",
      },
      { requests: { limit: 20, remaining: 18 } },
    ],
    "Fireworks: prompt and generated tokens": [
      {
        "x-ratelimit-limit-requests": "600",
        "x-ratelimit-remaining-requests": "599",
        "x-ratelimit-over-limit": "no",
        "x-ratelimit-limit-tokens-prompt": "60000",
        "x-ratelimit-remaining-tokens-prompt": "59000",
        "x-ratelimit-limit-tokens-generated": "6000",
        "x-ratelimit-remaining-tokens-generated": "600",
      },
      { requests: { limit: 600, remaining: 599 }, tokens: { limit: 6000, remaining: 600 } },
    ],
    "Cohere: trial keys": [
      { "x-trial-endpoint-call-limit": "40", "x-trial-endpoint-call-remaining": "39" },
      { requests: { limit: 40, remaining: 39 } },
    ],
    "LiteLLM: passes on what the provider said": [
      { "llm_provider-x-ratelimit-remaining-requests": "49", "llm_provider-x-ratelimit-limit-requests": "50" },
      { requests: { limit: 50, remaining: 49 } },
    ],
    "Kong and Replicate: the draft's three headers, with policies": [
      { "ratelimit-limit": "60, 60;w=60", "ratelimit-remaining": "59", "ratelimit-reset": "30" },
      { requests: { limit: 60, remaining: 59, resetMs: 30_000 } },
    ],
    "the draft's one header": [
      { ratelimit: '"default";r=50;t=30', "ratelimit-policy": '"default";q=100;w=60' },
      { requests: { limit: 100, remaining: 50, resetMs: 30_000 } },
    ],
    "the draft's one header, as it was before": [
      { ratelimit: "limit=100, remaining=50, reset=5" },
      { requests: { limit: 100, remaining: 50, resetMs: 5000 } },
    ],
    "a dash more": [
      { "x-rate-limit-limit-requests": "5", "x-rate-limit-remaining-requests": "0" },
      { requests: { limit: 5, remaining: 0 } },
    ],
    "milliseconds by name": [
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset-ms": "300" },
      { requests: { remaining: 0, resetMs: 300 } },
    ],
    "no limits at all": [{ "content-type": "application/json", "x-request-id": "req_1" }, {}],
  };

describe("E6: the limits that headers of an answer state", () => {
  test.each(Object.entries(DOCUMENTED))("E6: %s", (_, [headers, expected]) => {
    expect(readRateLimits(headers, NOW)).toEqual(expected);
    expect(readRateLimits(new Headers(headers), NOW)).toEqual(expected);
    expect(readRateLimits(new Map(Object.entries(headers).map(([n, v]) => [n.toUpperCase(), v])), NOW)).toEqual(
      expected,
    );
  });

  test("E6: of two windows the one with the smaller share left counts, whichever comes first", () => {
    const day = { "x-ratelimit-limit-requests-day": "1000", "x-ratelimit-remaining-requests-day": "10" };
    const minute = { "x-ratelimit-limit-requests-minute": "30", "x-ratelimit-remaining-requests-minute": "3" };
    expect(readRateLimits({ ...day, ...minute }, NOW).requests).toEqual({ limit: 1000, remaining: 10 });
    expect(readRateLimits({ ...minute, ...day }, NOW).requests).toEqual({ limit: 1000, remaining: 10 });
  });

  test("E6: a window that does not say what is left gives way to one that does", () => {
    const headers = { "x-ratelimit-limit-tokens-day": "5", "x-ratelimit-remaining-tokens-minute": "3" };
    expect(readRateLimits(headers, NOW).tokens).toEqual({ remaining: 3 });
  });

  test.each([
    ["past", "2025-01-02T03:04:05Z"],
    ["absurd", "99999999"],
    ["negative", "-5"],
    ["zero", "0"],
    ["unreadable", "soon"],
  ])("E6: a reset that is %s is left out", (_, reset) => {
    expect(readRateLimits({ "x-ratelimit-remaining": "1", "x-ratelimit-reset": reset }, NOW)).toEqual({
      requests: { remaining: 1 },
    });
  });

  test("E6: a moment without a clock gives no reset", () => {
    const headers = { "x-ratelimit-remaining": "1", "x-ratelimit-reset": "2026-01-02T03:05:05Z" };
    expect(readRateLimits(headers, Number.NaN)).toEqual({ requests: { remaining: 1 } });
  });

  test("E7: nothing makes it throw, and every figure is usable", () => {
    const names = fc.constantFrom(
      "x-ratelimit-remaining",
      "ratelimit",
      "x-ratelimit-reset-tokens",
      "x-ratelimit-limit",
    );
    const bags = fc.oneof(fc.anything(), fc.dictionary(names, fc.anything()), fc.dictionary(names, fc.string()));
    fc.assert(
      fc.property(bags, (bag) => {
        for (const { limit = 0, remaining = 0, resetMs = 1 } of Object.values(readRateLimits(bag, NOW))) {
          expect(limit).toBeGreaterThanOrEqual(0);
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(resetMs).toBeGreaterThan(0);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("the values of such headers", () => {
  const policies = "60, 60;w=60".padEnd(256, ";");

  test.each<[string, Readonly<Record<string, unknown>>, RateLimits]>([
    ["numbers", { "x-ratelimit-limit": 60 }, { requests: { limit: 60 } }],
    ["blanks around", { "x-ratelimit-limit": " 60 " }, { requests: { limit: 60 } }],
    ["256 characters", { "x-ratelimit-limit": policies }, { requests: { limit: 60 } }],
    ["257 characters", { "x-ratelimit-limit": `${policies};` }, {}],
    ["no moment", { "x-ratelimit-reset": "soon" }, {}],
    ["a list", { "x-ratelimit-limit": ["60", "70"] }, { requests: { limit: 60 } }],
    ["an object", { "x-ratelimit-limit": {} }, {}],
  ])("E6: are read if they can be: %s", (_, headers, expected) => {
    expect(readRateLimits(headers, NOW)).toStrictEqual(expected);
  });

  const windows = (minute: readonly [string, string], day: readonly [string, string]) => ({
    "x-ratelimit-limit-requests-minute": minute[0],
    "x-ratelimit-remaining-requests-minute": minute[1],
    "x-ratelimit-limit-requests-day": day[0],
    "x-ratelimit-remaining-requests-day": day[1],
  });

  test("E6: the window with the smallest share left counts, a limit of nothing before all, else the first", () => {
    expect(readRateLimits(windows(["10", "5"], ["0", "0"]), NOW).requests).toEqual({ limit: 0, remaining: 0 });
    expect(readRateLimits(windows(["10", "5"], ["100", "49"]), NOW).requests).toEqual({ limit: 100, remaining: 49 });
    expect(readRateLimits(windows(["10", "5"], ["100", "50"]), NOW).requests).toEqual({ limit: 10, remaining: 5 });
  });

  test("E6: of two windows that are used up the one that stays so for longer counts", () => {
    const resets = { "x-ratelimit-reset-requests-minute": "20", "x-ratelimit-reset-requests-day": "7200" };
    const full = { limit: 100, remaining: 0, resetMs: 7_200_000 };
    expect(readRateLimits({ ...windows(["10", "0"], ["100", "0"]), ...resets }, NOW).requests).toEqual(full);
  });

  test("E6: each policy of the draft standard is a window with a limit and a rest of its own", () => {
    const policies = '"minute";q=100;w=60, "day";q=1000;w=86400';
    const of = (ratelimit: string) => readRateLimits({ "ratelimit-policy": policies, ratelimit }, NOW).requests;
    expect(of('"minute";r=50;t=30, "day";r=1;t=3600')).toEqual({ limit: 1000, remaining: 1, resetMs: 3_600_000 });
    expect(of('"day";r=900;t=3600, "minute";r=2;t=30')).toEqual({ limit: 100, remaining: 2, resetMs: 30_000 });
  });

  test("E6: two spellings of a window are one", () => {
    const headers = { "x-rate-limit-limit": "10", "x-ratelimit-remaining": "5" };
    expect(readRateLimits(headers, NOW)).toStrictEqual({ requests: { limit: 10, remaining: 5 } });
  });

  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("no");
      },
    },
  );

  test.each([null, undefined, "x-ratelimit-limit: 5", 5, hostile])(
    "E7: there are none where nothing has any (%#)",
    (bag) => {
      expect(headerEntries(bag)).toEqual([]);
    },
  );
});
