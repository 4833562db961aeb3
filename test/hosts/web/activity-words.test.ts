import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TRACK_TEXTS } from "../../../src/hosts/web/texts/track.ts";
import { sayAttempts } from "../../../src/hosts/web/track/say-attempt.ts";
import { sayOutcome } from "../../../src/hosts/web/track/say-outcome.ts";
import { sayClock, sayCount, sayLeft, sayTook, sayWait } from "../../../src/hosts/web/track/say-time.ts";
import { sayTrack } from "../../../src/hosts/web/track/say-track.ts";
import { SCALE_NAMES, ticksOf } from "../../../src/hosts/web/track/scales.ts";
import { FAILURE_KINDS } from "../../../src/kernel/index.ts";
import { anyRecord, attemptOf, recordOf } from "./support/activity-records.ts";

const { en, zh } = TRACK_TEXTS;
/** Figures and units never part at the end of a line. */
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

describe("times in words", () => {
  test.each([
    [0, "0.0 s"],
    [449, "0.4 s"],
    [57_000, "57.0 s"],
    [59_949, "59.9 s"],
    [59_960, "1 min"],
    [124_000, "2 min 4 s"],
    [3_599_700, "1 h"],
    [3_900_000, "1 h 5 min"],
    [-5, "0.0 s"],
  ])("B4: %d ms took %s", (ms, words) => {
    expect(plain(sayTook(ms, en))).toBe(words);
  });

  test.each([
    [5000, "5 s"],
    [2400, "2.4 s"],
    [9960, "10 s"],
    [20_400, "20 s"],
    [112_000, "1 min 52 s"],
  ])("B4: a wait of %d ms is %s", (ms, words) => {
    expect(plain(sayWait(ms, en))).toBe(words);
  });

  test("B8: a countdown shows 1 s until it is over, and a clock from a minute on", () => {
    expect(plain(sayLeft(1, en))).toBe("1 s");
    expect(plain(sayLeft(0, en))).toBe("0 s");
    expect(plain(sayLeft(-3000, en))).toBe("0 s");
    expect(sayLeft(112_000, en)).toBe("1:52");
    expect(sayClock(48_000)).toBe("0:48");
    expect(sayClock(3_900_000)).toBe("1:05:00");
    expect(plain(sayLeft(4200, zh))).toBe("5 秒");
  });

  test("B4: large counts are grouped", () => {
    expect([0, 999, 1284, 1_234_567].map(sayCount)).toEqual(["0", "999", "1,284", "1,234,567"]);
  });

  test("B4: the axis has a label where there is room for one", () => {
    expect(ticksOf("1min", 600, en).map(({ x, label }) => [x, plain(label)])).toEqual([
      [100, "10 s"],
      [200, "20 s"],
      [300, "30 s"],
      [400, "40 s"],
      [500, "50 s"],
      [600, "1 min"],
    ]);
    expect(ticksOf("1min", 200, en).map(({ label }) => plain(label))).toEqual(["20 s", "40 s", "1 min"]);
    for (const name of SCALE_NAMES) expect(ticksOf(name, 0, en).length).toBeLessThanOrEqual(1);
  });
});

describe("attempts in words", () => {
  const record = recordOf({
    attempts: [
      attemptOf({
        endedAt: 1_000_100,
        kind: "rate_limit",
        status: 429,
        hintMs: 2000,
        waitedMs: 2400,
        waitEnded: "elapsed",
      }),
      attemptOf({ attempt: 2, startedAt: 1_002_900, kind: "rate_limit", status: 429, hintMs: 48_000, moved: "switch" }),
      attemptOf({
        attempt: 3,
        startedAt: 1_003_400,
        firstContentAt: 1_005_200,
        endedAt: 1_019_200,
        ok: true,
        target: { provider: "anthropic", model: "claude-sonnet", credential: "key 1" },
      }),
    ],
    attemptCount: 3,
    usage: { inputTokens: 10, outputTokens: 1204 },
  });

  test("B4: each attempt names the failure, what it means and what was done about it", () => {
    const words = sayAttempts(record, en, 0).map(({ at, where, title, text, after }) =>
      [at, where, title, text, after].map(plain),
    );
    expect(words).toEqual([
      [
        "0.0 s",
        "sim/sonnet",
        "Rate limit (429).",
        "This key has sent more than its limit allows in a short time.",
        "Asked to wait 2 s; waited 2.4 s.",
      ],
      [
        "2.9 s",
        "sim/sonnet",
        "Rate limit (429) again.",
        "",
        "The provider asked to wait 48 s. Went on with the next model.",
      ],
      ["3.4 s", "anthropic/claude-sonnet · key 1", "Answered.", "First word after 1.8 s. 1,204 tokens. Complete.", ""],
    ]);
  });

  test("B4: the same in Chinese", () => {
    const words = sayAttempts(record, zh, 0).map(({ title, after }) => plain(title + after));
    expect(words).toEqual([
      "速率限制（429）。要求等待 2 秒，实际等待 2.4 秒。",
      "再次速率限制（429）。服务商要求等待 48 秒。改用下一个模型。",
      "已回答。",
    ]);
  });

  test("B8: a wait that a person ended says so", () => {
    const ends = (["retry-now", "gave-up", "aborted"] as const).map((waitEnded) => {
      const attempts = [attemptOf({ kind: "server", status: 500, waitedMs: 3000, waitEnded })];
      return plain(sayAttempts(recordOf({ attempts }), en, 0)[0]?.after ?? "");
    });
    expect(ends).toEqual([
      "Retried by hand after 3 s.",
      "Given up after 3 s of waiting.",
      "Stopped after 3 s of waiting.",
    ]);
  });

  test("B4: a broken stream does not show the status 200 that it started with", () => {
    const attempts = [attemptOf({ kind: "stream_broken", status: 200 })];
    expect(sayAttempts(recordOf({ attempts }), en, 0)[0]?.title).toBe("Broken stream.");
  });

  test("B4: any record has words in both languages, and none says undefined", () => {
    fc.assert(
      fc.property(anyRecord, fc.constantFrom(en, zh), (any, texts) => {
        const words = [sayAttempts(any, texts, 1_000_500), sayTrack(any, texts), sayOutcome(any, texts, 1_000_500)];
        expect(JSON.stringify(words)).not.toMatch(/undefined|null|NaN/);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a track as a sentence", () => {
  test("B4: the label of a track tells its attempts and waits in order", () => {
    const attempts = [
      attemptOf({ kind: "overloaded", status: 529, ok: false, waitedMs: 5000 }),
      attemptOf({ attempt: 2, startedAt: 1_005_000, firstContentAt: 1_006_000, endedAt: 1_010_000, ok: true }),
    ];
    expect(plain(sayTrack(recordOf({ attempts }), en))).toBe(
      "attempt 1 failed (Overloaded (529)), then waited 5 s, then answered after 10.0 s.",
    );
  });

  test("B4: the label of a long track names its start and its end", () => {
    const attempts = Array.from({ length: 40 }, (_, index) =>
      attemptOf({ attempt: index + 1, kind: "server", status: 500, ok: false, waitedMs: 1000 }),
    );
    const label = sayTrack(recordOf({ attempts }), en);
    expect(label).toContain("attempt 1 failed");
    expect(label).toContain("72 more steps");
    expect(label).toContain("attempt 40 failed");
  });
});

describe("outcomes in words", () => {
  test("B4: a row says how its generation ended", () => {
    const failed = (kind: (typeof FAILURE_KINDS)[number]) =>
      recordOf({ outcome: "not-retryable", attempts: [attemptOf({ kind, ok: false })] });
    const said = [
      recordOf(),
      recordOf({ attemptCount: 2 }),
      recordOf({ attemptCount: 3 }),
      failed("auth"),
      recordOf({ ...failed("network"), truncated: true }),
      recordOf({ outcome: "aborted" }),
      recordOf({ outcome: "gave-up" }),
      recordOf({ interrupted: true }),
      recordOf({ outcome: "retry-budget" }),
    ].map((record) => sayOutcome(record, en, 0).text);
    expect(said).toEqual([
      "at first",
      "after 1 retry",
      "after 2 retries",
      "key refused",
      "broke off",
      "stopped",
      "given up",
      "interrupted",
      "retry budget spent",
    ]);
    for (const kind of FAILURE_KINDS) expect(sayOutcome(failed(kind), zh, 0).text).toMatch(/[\u4e00-\u9fff]/);
  });

  test("B8: a waiting row counts down to its retry", () => {
    const wait = {
      attempt: 1,
      retry: 1,
      maxRetries: 21,
      startedAt: 1_000_000,
      until: 1_005_000,
      kind: "server",
      because: "",
    } as const;
    const waiting = recordOf({ state: "waiting", wait });
    expect(plain(sayOutcome(waiting, en, 1_000_100).text)).toBe("retry in 5 s");
    expect(plain(sayOutcome(waiting, en, 1_004_100).text)).toBe("retry in 1 s");
    expect(sayOutcome(waiting, en, 1_005_000).text).toBe("retrying");
  });
});
