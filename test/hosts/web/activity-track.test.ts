import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GROUP_ICONS, groupOf, iconOf } from "../../../src/hosts/web/track/failure-groups.ts";
import { fitParts, LEAST_BAR_PX, type Placed, placeParts } from "../../../src/hosts/web/track/place-parts.ts";
import { recordOfReceipt } from "../../../src/hosts/web/track/record-of-receipt.ts";
import { partsOf, spanOf } from "../../../src/hosts/web/track/track-parts.ts";
import type { FailureKind, Receipt } from "../../../src/kernel/index.ts";
import { anyRecord, attemptOf, recordOf } from "./support/activity-records.ts";

const anyNow = fc.integer({ min: 900_000, max: 10 ** 10 });

describe("parts of a track", () => {
  test("B4: any record becomes parts that follow each other from 0 to the span, none negative", () => {
    fc.assert(
      fc.property(anyRecord, anyNow, (record, now) => {
        const parts = partsOf(record, now);
        let at = 0;
        for (const part of parts) {
          expect(part.fromMs).toBe(at);
          expect(part.toMs).toBeGreaterThanOrEqual(part.fromMs);
          at = part.toMs;
        }
        expect(at).toBe(spanOf(record, now));
        expect(Number.isFinite(at)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("B4: an answer is pale up to the commit point, then solid", () => {
    expect(partsOf(recordOf(), 0)).toEqual([
      { type: "asking", attempt: 1, fromMs: 0, toMs: 2000 },
      { type: "answer", attempt: 1, isCommit: true, fromMs: 2000, toMs: 10_000 },
    ]);
  });

  test("B4: failed attempts carry their group, and waits stand between them", () => {
    const record = recordOf({
      attempts: [
        attemptOf({ endedAt: 1_000_500, kind: "overloaded", status: 529, ok: false, waitedMs: 5000 }),
        attemptOf({ attempt: 2, startedAt: 1_005_500, firstContentAt: 1_006_000, endedAt: 1_010_000, ok: true }),
      ],
      attemptCount: 2,
    });
    expect(partsOf(record, 0).map(({ type, toMs, group }) => [type, toMs, group])).toEqual([
      ["failed", 500, "provider"],
      ["wait", 5500, undefined],
      ["asking", 6000, undefined],
      ["answer", 10_000, undefined],
    ]);
  });

  test("B4: content that broke off keeps its pale start and ends in its failure", () => {
    const attempts = [attemptOf({ firstContentAt: 1_001_000, endedAt: 1_008_000, kind: "stream_broken", ok: false })];
    const parts = partsOf(recordOf({ attempts, endedAt: 1_008_000, outcome: "already-streaming" }), 0);
    expect(parts).toEqual([
      { type: "asking", attempt: 1, fromMs: 0, toMs: 1000 },
      { type: "failed", attempt: 1, isCommit: true, isFailed: true, group: "connection", fromMs: 1000, toMs: 8000 },
    ]);
  });

  test("B8: a running wait has a part that is gone and a part that is left", () => {
    const record = recordOf({
      state: "waiting",
      attempts: [attemptOf({ endedAt: 1_001_000, kind: "rate_limit", ok: false })],
      wait: {
        attempt: 1,
        retry: 1,
        maxRetries: 21,
        startedAt: 1_001_000,
        until: 1_011_000,
        kind: "rate_limit",
        because: "",
      },
    });
    const { endedAt: _, outcome: __, ...running } = record;
    expect(partsOf(running, 1_004_000).map(({ type, fromMs, toMs }) => [type, fromMs, toMs])).toEqual([
      ["failed", 0, 1000],
      ["waiting", 1000, 4000],
      ["rest", 4000, 11_000],
    ]);
  });

  test("B4: attempts that the record has dropped leave a part of their own", () => {
    const record = recordOf({
      attempts: [attemptOf({ attempt: 12, startedAt: 1_006_000, endedAt: 1_010_000, ok: true })],
    });
    expect(partsOf(record, 0)[0]).toEqual({ type: "earlier", attempt: 0, fromMs: 0, toMs: 6000 });
  });
});

describe("segments of a track", () => {
  const anyScale = fc.constantFrom(10_000, 60_000, 600_000, 28_800_000);
  const anyWidth = fc.integer({ min: 60, max: 2000 });

  test("B4: segments follow each other from the left edge, never negative, never over the right edge", () => {
    fc.assert(
      fc.property(anyRecord, anyNow, anyScale, anyWidth, (record, now, scale, width) => {
        const parts = partsOf(record, now);
        checkSegments(placeParts(parts, scale, width), width);
        checkSegments(fitParts(parts, width), width);
      }),
      { numRuns: 2000 },
    );
  });

  test("B4: bars are at least five pixels wide unless the edge cuts them", () => {
    fc.assert(
      fc.property(anyRecord, anyNow, anyScale, (record, now, scale) => {
        const { segments, isLonger } = placeParts(partsOf(record, now), scale, 550);
        const bars = segments.filter(({ part }) => ["asking", "answer", "failed", "waiting"].includes(part.type));
        for (const [index, { width }] of bars.entries())
          if (!isLonger || index < bars.length - 1) expect(width).toBeGreaterThanOrEqual(LEAST_BAR_PX - 1e-9);
      }),
      { numRuns: 1000 },
    );
  });

  test("B4: a track at its own scale fills the width", () => {
    fc.assert(
      fc.property(anyRecord, anyNow, anyWidth, (record, now, width) => {
        const parts = partsOf(record, now);
        const { segments } = fitParts(parts, width);
        const last = segments.at(-1);
        if (last === undefined || spanOf(record, now) === 0) return;
        expect(last.x + last.width).toBeGreaterThan(width - 1);
      }),
      { numRuns: 1000 },
    );
  });

  test("B4: a track longer than the scale says so and leaves room for the mark", () => {
    const placed = placeParts(
      partsOf(recordOf({ endedAt: 1_100_000, attempts: [attemptOf({ endedAt: 1_100_000, ok: true })] }), 0),
      60_000,
      600,
    );
    expect(placed.isLonger).toBe(true);
    expect(placed.segments.at(-1)).toMatchObject({ x: 0, width: 582 });
    expect(placeParts(partsOf(recordOf(), 0), 10_000, 600).isLonger).toBe(false);
  });

  function checkSegments({ segments }: Placed, width: number): void {
    let x = 0;
    for (const segment of segments) {
      expect(segment.x).toBeCloseTo(x, 6);
      expect(segment.width).toBeGreaterThanOrEqual(0);
      x = segment.x + segment.width;
    }
    expect(x).toBeLessThanOrEqual(width + 1e-6);
  }
});

describe("failure groups", () => {
  test("K7: every kind has a group and an icon, and one that is unknown here is shown as unknown", () => {
    expect(groupOf("usage_limit")).toBe("limit");
    expect(iconOf("usage_limit")).toBe("battery");
    expect(groupOf("newer_kind" as FailureKind)).toBe("other");
    expect(iconOf("newer_kind" as FailureKind)).toBe("why");
    expect(GROUP_ICONS.connection).toBe("broken");
  });
});

describe("receipts", () => {
  test("B4: a receipt becomes a record whose attempts share the time that was not waited", () => {
    const target = { provider: "sim", model: "sonnet", credential: "" };
    const receipt: Receipt = {
      generationId: "g",
      complete: true,
      truncated: false,
      outcome: "succeeded",
      attempts: 2,
      calls: 2,
      waitedMs: 5000,
      patienceMs: null,
      elapsedMs: 9000,
      targets: [target],
      history: [
        { attempt: 1, target, kind: "overloaded", status: 529, waitedMs: 5000 },
        { attempt: 2, target },
      ],
      warnings: [],
    };
    const record = recordOfReceipt(receipt);
    expect(record).toMatchObject({ asked: "sim/sonnet", answered: "sim/sonnet", endedAt: 9000, attemptCount: 2 });
    expect(partsOf(record, 0).map(({ type, toMs }) => [type, toMs])).toEqual([
      ["failed", 2000],
      ["wait", 7000],
      ["asking", 9000],
    ]);
  });
});
