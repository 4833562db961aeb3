import { afterEach, expect, test, vi } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";

// A date was compared with the clock of this machine and read in its time zone.

const NOW = Date.UTC(2026, 10, 18, 12, 0, 0);
const HOUR = 3_600_000;
const httpDate = (ms: number) => new Date(ms).toUTCString();
const hintOf = (headers: Record<string, string>) => classify({ status: 429, headers }, { wallNowMs: NOW }).hintMs;

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each([-HOUR, 0, HOUR])("E6: a date is %i ms off this clock, and the wait until it is not", (skewMs) => {
  const date = httpDate(NOW + skewMs);
  const end = NOW + skewMs + 30_000;
  expect(hintOf({ date, "retry-after": httpDate(end) })).toBe(30_000);
  expect(hintOf({ date, "x-ratelimit-reset": String(end) })).toBe(30_000);
  expect(hintOf({ date, "anthropic-ratelimit-requests-reset": new Date(end).toISOString() })).toBe(30_000);
});

test("E6: without a clock the date of the answer is enough", () => {
  const headers = { date: httpDate(NOW), "retry-after": httpDate(NOW + 30_000) };
  expect(classify({ status: 429, headers }).hintMs).toBe(30_000);
});

test("E6: with an invalid `date` the clock of this machine counts", () => {
  expect(hintOf({ date: "soon", "retry-after": httpDate(NOW + 30_000) })).toBe(30_000);
});

test.each([
  "2026-11-18T12:00:30",
  "2026-11-18T12:00:30.000000",
  "2026-11-18 12:00:30",
  "Wed Nov 18 12:00:30 2026",
  "Wed, 18 Nov 2026 12:00:30 GMT",
  "Wed, 18 Nov 2026 14:00:30 +0200",
])("E6: %s is the same moment in every time zone", (value) => {
  for (const zone of ["America/New_York", "Asia/Tokyo", "UTC"]) {
    vi.stubEnv("TZ", zone);
    expect(hintOf({ "retry-after": value })).toBe(30_000);
  }
});

test("E6: of a header that was sent twice the first value counts, as `Headers` joins them too", () => {
  const headers = new Headers([
    ["retry-after", "7"],
    ["retry-after", "30"],
  ]);
  expect(classify({ status: 429, headers }).hintMs).toBe(7_000);
});
