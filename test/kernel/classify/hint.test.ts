import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const hint = (problem: unknown, wallNowMs?: number) =>
  classify(problem, wallNowMs === undefined ? {} : { wallNowMs }).hintMs;
const withHeaders = (headers: unknown) => ({ status: 429, headers, body: "rate limited" });

describe("hints in headers", () => {
  test.each([
    [{ "retry-after-ms": "1500" }, 1500],
    [{ "retry-after-ms": "20.5" }, 20.5],
    [{ "retry-after": "30" }, 30_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "0.125" }, 125],
    [{ "Retry-After": "7" }, 7000],
    [{ "RETRY-AFTER": 7 }, 7000],
    [{ "retry-after": " 7 " }, 7000],
    [{ "retry-after": ["7", "9"] }, 7000],
    [{ "retry-after": "7s" }, 7000],
    [{ "retry-after": "1M 3S" }, 63_000],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9000],
    [{ "x-ratelimit-reset-ms": "300" }, 300],
    [{ "x-ratelimit-reset": "12" }, 12_000],
    [{ "ratelimit-reset": "13" }, 13_000],
    [{ "x-ratelimit-reset-ms": "300", "x-ratelimit-reset": "12" }, 300],
    [{ "retry-after": "2", "x-ratelimit-reset-ms": "300" }, 2000],
    [{ "x-codex-primary-reset-after-seconds": "90" }, 90_000],
    [{ "x-ratelimit-reset-requests": "1m2.5s" }, 62_500],
    [{ "x-ratelimit-reset-requests": "6s", "x-ratelimit-reset-tokens": "20ms" }, 20],
    [
      { "x-ratelimit-reset-requests": "6s", "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-tokens": "20ms" },
      6000,
    ],
    [
      { "x-ratelimit-reset-requests": "6s", "x-ratelimit-reset-tokens": "20ms", "x-ratelimit-remaining-tokens": "0" },
      20,
    ],
    [{ "x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "20s" }, 1000],
    [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-tokens": "20ms" }, 20],
  ])("E6: %j waits %d ms", (headers, expected) => {
    expect(hint(withHeaders(headers))).toBe(expected);
  });

  test("E6: are read from Headers, Maps and pairs as well, the outer bag first", () => {
    expect(hint(withHeaders(new Headers({ "Retry-After": "3" })))).toBe(3000);
    expect(hint(withHeaders(new Map([["Retry-After", "4"]])))).toBe(4000);
    expect(hint(withHeaders([["x", "y"], "junk", [5, 6], ["Retry-After", "5"], ["retry-after", "6"]]))).toBe(5000);
    expect(hint({ ...withHeaders({ "retry-after": "1" }), response: { headers: { "retry-after": "2" } } })).toBe(1000);
    expect(hint({ ...withHeaders({ date: "x" }), response: { headers: { "retry-after": "2" } } })).toBe(2000);
    expect(hint({ status: 429, responseHeaders: { "retry-after": "6" } })).toBe(6000);
    expect(hint({ status: 429, headers: "retry-after: 5" })).toBeUndefined();
  });

  test("E6: a bag with a `get` is asked, whatever else it holds; a header of that name does not make one", () => {
    class Bag {
      readonly rawHeaders: Readonly<Record<string, string>> = { "retry-after": "3" };
      get(name: string) {
        return this.rawHeaders[name];
      }
    }
    expect(hint(withHeaders(new Bag()))).toBe(3000);
    expect(hint(withHeaders({ get: "x", "Retry-After": "4" }))).toBe(4000);
  });

  test("E6: a header that a getter of the bag's class gives is found", () => {
    class Bag {
      readonly date = "x";
      get "retry-after"() {
        return "3";
      }
    }
    expect(hint(withHeaders(new Bag()))).toBe(3000);
  });

  test("E7: a bag of headers that throws or never ends does no harm", () => {
    const throwing = {
      get: () => {
        throw new Error("no");
      },
    };
    const hostile = new Proxy(
      {},
      {
        has() {
          throw new Error("no");
        },
      },
    );
    const endless = {
      *[Symbol.iterator]() {
        for (;;) yield ["a", "b"];
      },
    };
    expect([throwing, hostile, endless].map((headers) => hint(withHeaders(headers)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    "-5",
    "NaN",
    "soon",
    "1e12",
    "0",
    "",
    "0x10",
    "1e3",
    "Infinity",
    "999999999999",
    "5 apples",
    "9".repeat(400),
    {},
    null,
    true,
    Number.NaN,
    -5,
    Object("5"),
    "Sat, 03 Jan 2026",
  ])("E6: ignores the retry-after %j", (value) => {
    expect(hint(withHeaders({ "retry-after": value }), NOW)).toBeUndefined();
    expect(
      hint(withHeaders({ "retry-after-ms": value === "999999999999" ? "99999999999" : value }), NOW),
    ).toBeUndefined();
  });

  test("E6: takes a wait of 31 days, and no more", () => {
    expect(hint(withHeaders({ "retry-after": String(31 * 86_400) }))).toBe(31 * 86_400_000);
    expect(hint(withHeaders({ "retry-after": String(31 * 86_400 + 1) }))).toBeUndefined();
  });

  test("E6: reads an HTTP date against the given clock", () => {
    const date = new Date(NOW + 20_000).toUTCString();
    expect(hint(withHeaders({ "retry-after": date }), NOW)).toBe(20_000);
    expect(hint(withHeaders({ "retry-after": date }))).toBeUndefined();
  });

  test("E6: reads a date of 64 characters, and none longer", () => {
    const date = (chars: number) => `${new Date(NOW + 20_000).toUTCString()} (${"x".repeat(chars - 32)})`;
    expect(date(64)).toHaveLength(64);
    expect(hint(withHeaders({ "retry-after": date(64) }), NOW)).toBe(20_000);
    expect(hint(withHeaders({ "retry-after": date(65) }), NOW)).toBeUndefined();
  });

  test("E6: a number is a moment in seconds from a billion on, in milliseconds from a million million on", () => {
    const now = 1e12 - 5000;
    expect(hint(withHeaders({ "x-ratelimit-reset": "1000000000" }), now)).toBe(5000);
    expect(hint(withHeaders({ "x-ratelimit-reset": "1000000000000" }), now)).toBe(5000);
  });

  test("E6: ignores a retry-after that lies in the past, or is no date", () => {
    expect(hint(withHeaders({ "retry-after": new Date(NOW - 5000).toUTCString() }), NOW)).toBeUndefined();
    expect(hint(withHeaders({ "retry-after": new Date(NOW).toUTCString() }), NOW)).toBeUndefined();
    expect(hint(withHeaders({ "retry-after": "Smarch 13th, 12:00" }), NOW)).toBeUndefined();
    expect(hint(withHeaders({ "retry-after": `${"x".repeat(100)} 12:00` }), NOW)).toBeUndefined();
  });

  test("E6: reads reset moments in epoch seconds, epoch milliseconds and RFC 3339 against the given clock", () => {
    const seconds = String(NOW / 1000 + 60);
    const ms = String(NOW + 61_000);
    expect(hint(withHeaders({ "x-ratelimit-reset": seconds }), NOW)).toBe(60_000);
    expect(hint(withHeaders({ "x-ratelimit-reset": ms }), NOW)).toBe(61_000);
    expect(hint(withHeaders({ "x-ratelimit-reset": seconds }))).toBeUndefined();
    expect(hint(withHeaders({ "x-ratelimit-reset": "999999999" }), NOW)).toBeUndefined();
    const at = (delay: number) => new Date(NOW + delay).toISOString();
    expect(hint(withHeaders({ "anthropic-ratelimit-tokens-reset": at(9000) }), NOW)).toBe(9000);
    expect(hint(withHeaders({ "anthropic-ratelimit-tokens-reset": at(9000) }))).toBeUndefined();
    const unified = {
      "anthropic-ratelimit-unified-status": "rejected",
      "anthropic-ratelimit-unified-reset": String(NOW / 1000 + 5),
    };
    expect(hint(withHeaders({ "anthropic-ratelimit-requests-reset": at(1000), ...unified }), NOW)).toBe(5000);
    const allowed = { ...unified, "anthropic-ratelimit-unified-status": "allowed" };
    expect(hint(withHeaders({ ...allowed, "anthropic-ratelimit-requests-reset": at(1000) }), NOW)).toBe(1000);
    expect(hint(withHeaders(allowed), NOW)).toBe(5000);
    const { "anthropic-ratelimit-unified-status": rejected } = unified;
    const noMoment = { "anthropic-ratelimit-unified-status": rejected };
    expect(hint(withHeaders({ ...noMoment, "anthropic-ratelimit-requests-reset": at(1000) }), NOW)).toBe(1000);
  });

  test("E6: reset headers count for limits only; retry-after counts for any failure worth waiting for", () => {
    expect(hint({ status: 503, headers: { "x-ratelimit-reset": "12" } })).toBeUndefined();
    expect(hint({ status: 503, headers: { "retry-after": "12" } })).toBe(12_000);
    expect(hint({ status: 402, headers: { "x-ratelimit-reset": "12" } })).toBe(12_000);
    expect(hint({ status: 400, headers: { "retry-after": "12" } })).toBe(12_000);
    expect(hint({ status: 413, headers: { "retry-after": "12" } })).toBeUndefined();
    expect(hint({ status: 400, code: "content_filter", headers: { "retry-after": "12" } })).toBeUndefined();
    expect(hint({ name: "AbortError", headers: { "retry-after": "12" } })).toBeUndefined();
  });

  test("E6: of hints that contradict each other the plainest counts: header, RetryInfo, words, field", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" }];
    const body = { error: { message: "Please retry in 4s.", details, retry_after: 5 } };
    expect(hint({ status: 429, headers: { "retry-after": "2" }, body })).toBe(2000);
    expect(hint({ status: 429, body })).toBe(3000);
    expect(hint({ status: 429, body: { error: { ...body.error, details: [] } } })).toBe(4000);
    expect(hint({ status: 429, body: { error: { message: "x", retry_after: 5 } } })).toBe(5000);
  });

  test("E6: a field that is a wait without the rounding of a header or another field makes it more exact", () => {
    const headers = { "retry-after": "17" };
    const body = (raw: number) => ({ error: { retry_after_seconds: 17, retry_after_seconds_raw: raw } });
    expect(hint({ status: 429, headers, body: body(16.007) })).toBe(16_007);
    expect(hint({ status: 429, body: body(16.007) })).toBe(16_007);
    expect(hint({ status: 429, headers, body: body(3.007) })).toBe(17_000);
  });
});

describe("hints in bodies", () => {
  test.each([
    [{ "@type": "x/google.rpc.RetryInfo", retryDelay: "50.597142857s" }, 50_597.142857],
    [{ "@type": "x/google.rpc.RetryInfo", retryDelay: "0.539477544s" }, 539.477544],
    [{ "@type": "x/google.rpc.Help", retryDelay: "9s" }, 9000],
    [{ "@type": 5, retryDelay: "9s" }, 9000],
    [{ retryDelay: "9s" }, 9000],
    [{ retryDelay: 9 }, undefined],
    [{ "@type": "x/google.rpc.RetryInfo", retryDelay: 9 }, undefined],
    [{ "@type": "x/google.rpc.RetryInfo", retryDelay: "soon" }, undefined],
    [{ "@type": "x/google.rpc.RetryInfo", retryDelay: ["9s"] }, undefined],
    [{ retry_after: 5 }, 5000],
    [{ retry_after: 0.25 }, 250],
    [{ retry_after: "5" }, 5000],
    [{ retry_after: -5 }, undefined],
    [{ retry_after: Number.POSITIVE_INFINITY }, undefined],
    [{ retry_after: 1e25 }, undefined],
    [{ retry_after: { a: 1 } }, undefined],
    [{ retry_after: ["5"] }, undefined],
    [{ resets_in_seconds: 90 }, 90_000],
    [{ estimated_time: 20 }, 20_000],
  ])("E6: %j waits %s ms", (detail, expected) => {
    expect(hint({ status: 429, body: { error: { message: "x", details: [detail] } } })).toBe(expected);
  });

  test("E6: an absolute end of the limit needs a clock", () => {
    const body = { error: { type: "usage_limit_reached", resets_at: NOW / 1000 + 30 } };
    expect(hint({ status: 429, body }, NOW)).toBe(30_000);
    expect(hint({ status: 429, body })).toBeUndefined();
    expect(hint({ status: 429, body: { resets_at: true } }, NOW)).toBeUndefined();
  });

  test("E6: a copy of a hostile body keeps its RetryInfo", () => {
    const detail = {
      get message() {
        throw new Error("no");
      },
      "@type": "RetryInfo",
      retryDelay: "9s",
    };
    expect(hint({ status: 429, error: detail })).toBe(9000);
  });
});

describe("hints in words", () => {
  test.each([
    ["Please try again in 6m0s.", 360_000],
    ["try again in 20ms", 20],
    ["Please try again in 1.898s. Visit https://x", 1898],
    ["Please try again in 7m12s.", 432_000],
    ["Try Again In 2 Minutes", 120_000],
    ["Please retry after 33 seconds.", 33_000],
    ["Please retry in 52.454646382s.", 52_454.646382],
    ["Please wait 2 minutes before trying again", 120_000],
    ["Resets in 13 days.", 1_123_200_000],
    ["Your quota will reset after 3h6m38s.", 11_198_000],
    ["try again in 3 days 4 hours 12 minutes", 274_320_000],
    ["try again in 1 hour, 5 minutes and 3 secs", 3_903_000],
    ["try again in 1 week", 604_800_000],
    ["try again in ~9s", 9000],
    ["try again in 100 milliseconds", 100],
    ["retry-after-ms=11180", 11_180],
    ["retry-after: 5", 5000],
    ['{"retry_after": 5}', 5000],
    ["retry after 5.", 5000],
    ["请在 30 秒后重试", 30_000],
    ["请等待5分钟", 300_000],
    ["请在 2 小时后重试", 7_200_000],
    ["try again in 0s, then retry in 5s", 5000],
    ["Please retry in 5s. Your limit will reset in 13 minutes", 780_000],
    ["Your limit will reset in 13 minutes. Please retry in 5s.", 780_000],
    [`${"took 1s ".repeat(31)} try again in 5s`, 5000],
    ["try again in 1d 1h 1m 1s 1ms 1ms 1ms", 90_061_002],
  ])("E6: %s waits %d ms", (message, expected) => {
    expect(hint({ status: 429, body: message })).toBe(expected);
  });

  test.each([
    "try again later",
    "try again in a while",
    "try again in 5",
    "reset on April 20, 2026 at 2:00 AM",
    "resets at 12:30",
    "retry after 2 attempts",
    "retry 5 models",
    "try again in 0s",
    "try again in 99999999999999999999999999s",
    "try again in 40 days",
    "5 minutes ago",
    "retry after -5 seconds?".replace("-5", "minus five"),
    `${"took 1s ".repeat(32)} try again in 5s`,
  ])("E6: finds no wait in %s", (message) => {
    expect(hint({ status: 429, body: message })).toBeUndefined();
  });
});

describe("what waited in vain", () => {
  test.each([
    ["timeout", 504, "504: again after 60s"],
    ["timeout", 504, "Request timed out, please check the network. Try again within 600 seconds"],
    ["timeout", 504, "Time-out: der Server hat nach einer Wartezeit von 30 Sekunden nicht geantwortet"],
    ["network", 502, "upstream connect error: reset reason: connection failure, retry after 5s"],
    ["stream_broken", 502, "stream closed before completion, wait 30s"],
  ])("E6: words name no wait for a %s, whose time is over (%i): %s", (kind, status, body) => {
    expect(classify({ status, body })).toMatchObject({ kind, hintMs: undefined });
    expect(classify({ status, body, headers: { "retry-after": "7" } })).toMatchObject({ kind, hintMs: 7000 });
    expect(classify({ status, body, headers: { "retry-after-ms": "70" } })).toMatchObject({ kind, hintMs: 70 });
    expect(classify({ status, body: { message: body, retry_after: 7 } })).toMatchObject({ kind, hintMs: 7000 });
  });
});

describe("which of several hints counts", () => {
  const proxied = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`llm_provider-x-ratelimit-${name}`, value]));

  test.each<[string, object, number]>([
    ["the general reset, wherever it stands", { "x-ratelimit-reset-requests": "9", "x-ratelimit-reset": "5" }, 5000],
    ["that of the standard too", { "x-ratelimit-reset-requests": "9", "ratelimit-reset": "5" }, 5000],
    ["the general reset", { "x-ratelimit-reset": "5", "x-ratelimit-reset-requests": "9" }, 5000],
    ["that of the standard", { "ratelimit-reset": "5", "x-ratelimit-reset-requests": "9" }, 5000],
    ["milliseconds", { "x-ratelimit-reset-ms": "700", "x-ratelimit-reset-requests": "9" }, 700],
    [
      "the limit that is used up",
      proxied({ "remaining-requests": "5", "reset-requests": "9s", "remaining-tokens": "0", "reset-tokens": "30s" }),
      30_000,
    ],
    [
      "the later end of two limits that are used up",
      proxied({ "remaining-requests": "0", "reset-requests": "9s", "remaining-tokens": "0", "reset-tokens": "30s" }),
      30_000,
    ],
    ["requests before tokens", proxied({ "reset-tokens": "30s", "reset-requests": "9s" }), 9000],
    ["tokens alone", proxied({ "reset-tokens": "30s" }), 30_000],
  ])("E6: headers: %s", (_, headers, expected) => {
    expect(hint({ status: 429, headers })).toBe(expected);
  });

  test("E6: headers further in count where the outer ones name no limit", () => {
    const headers = proxied({ "reset-requests": "9s" });
    expect(hint({ status: 429, headers: { server: "x" }, response: { headers } })).toBe(9000);
  });

  const delayed = (message: string) => ({
    status: 429,
    message,
    details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "5s" }],
  });

  test.each([
    ["Please retry in 3s", 5000],
    ["Please retry in 5.4s", 5400],
    ["Please retry in 6s", 5000],
    ["Please slow down", 5000],
  ])("E6: words beside a delay in whole seconds only give its fraction: %s", (message, expected) => {
    expect(hint(delayed(message))).toBe(expected);
  });

  test("E6: a wait does not reach beyond the string that its sentence stands in", () => {
    expect(hint({ status: 429, message: 'It said "please try again", "id": "27s"' })).toBeUndefined();
    expect(hint({ status: 429, message: "Please try again, in 5s" })).toBe(5000);
  });

  test("E6: what stands in brackets is a wait, unless a router rests its account", () => {
    expect(hint({ status: 429, message: "Too many requests (retry in 5s)" })).toBe(5000);
    expect(hint({ status: 429, message: "Too many requests (reset after 2m)" })).toBeUndefined();
  });
});

describe("hints that a kind has no use for", () => {
  test("E6: a bad request does not get better by a wait in words; a header is kept", () => {
    const message = "Bad value. The account rests, try again in 20s";
    expect(classify({ status: 400, message })).toMatchObject({ kind: "bad_request", hintMs: undefined });
    expect(classify({ status: 400, message, headers: { "retry-after": "5" } })).toMatchObject({
      kind: "bad_request",
      hintMs: 5000,
    });
  });

  test.each([
    ["3599", undefined],
    ["3600", 3_600_000],
  ])("E6: less than an hour is not meant for the window of a day: %s", (seconds, hintMs) => {
    const details = [{ quotaId: "RequestsPerDayPerProject" }];
    const problem = { status: 429, message: "Quota exceeded", details, headers: { "retry-after": seconds } };
    expect(classify(problem)).toMatchObject({ kind: "usage_limit", evidence: "quota:period", hintMs });
  });
});
