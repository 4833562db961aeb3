import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ActivityLog } from "../../../src/hosts/web/pages/activity/activity-log.ts";
import { assignSlots } from "../../../src/hosts/web/pages/activity/assign-slots.ts";
import { barHeights, sharesOf, sparkline } from "../../../src/hosts/web/pages/activity/chart-shapes.ts";
import { isFiltered, matchRecord } from "../../../src/hosts/web/pages/activity/match-record.ts";
import { nextRange } from "../../../src/hosts/web/pages/activity/next-range.ts";
import { indexAt, type ListShape, topOf, windowOf } from "../../../src/hosts/web/pages/activity/virtual-window.ts";
import { attemptOf, recordOf } from "./support/activity-records.ts";

const anyShape: fc.Arbitrary<ListShape> = fc
  .record({
    count: fc.integer({ min: 1, max: 500 }),
    rowPx: fc.integer({ min: 1, max: 90 }),
    opened: fc.uniqueArray(
      fc.record({ index: fc.integer({ min: 0, max: 499 }), extraPx: fc.integer({ min: 1, max: 400 }) }),
      {
        selector: ({ index }) => index,
        maxLength: 6,
      },
    ),
  })
  .map(({ count, rowPx, opened }) => ({
    count,
    rowPx,
    opened: opened.filter(({ index }) => index < count).sort((one, other) => one.index - other.index),
  }));

describe("the virtual list", () => {
  test("B8: the row at a distance is the one whose span holds it", () => {
    fc.assert(
      fc.property(anyShape, fc.double({ min: 0, max: 1, noNaN: true }), (shape, share) => {
        const px = Math.min(topOf(shape, shape.count) * share, topOf(shape, shape.count) - 0.01);
        const index = indexAt(shape, px);
        expect(topOf(shape, index)).toBeLessThanOrEqual(px);
        expect(topOf(shape, index + 1)).toBeGreaterThan(px);
      }),
    );
  });

  test("B8: a window covers the viewport, and the spacers make up for the rows that it leaves out", () => {
    const viewport = fc.record({
      fromPx: fc.integer({ min: -2000, max: 60_000 }),
      heightPx: fc.integer({ min: 1, max: 2000 }),
      overscan: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(anyShape, viewport, (shape, view) => {
        const { start, end, beforePx, afterPx } = windowOf(shape, view);
        const totalPx = topOf(shape, shape.count);
        expect(beforePx + (topOf(shape, end) - topOf(shape, start)) + afterPx).toBe(totalPx);
        const [from, to] = [Math.max(0, view.fromPx), Math.min(totalPx, view.fromPx + view.heightPx)];
        if (from >= to) return;
        expect(topOf(shape, start)).toBeLessThanOrEqual(from);
        expect(topOf(shape, end)).toBeGreaterThanOrEqual(to);
      }),
    );
  });

  test("B8: an empty list has an empty window", () => {
    const empty = { count: 0, rowPx: 34, opened: [] };
    expect(windowOf(empty, { fromPx: 0, heightPx: 800, overscan: 5 })).toEqual({
      start: 0,
      end: 0,
      beforePx: 0,
      afterPx: 0,
    });
  });

  test("B8: rows that stay keep their elements, and new ones take those that became free", () => {
    const first = assignSlots(new Map(), [10, 9, 8, 7]);
    expect([...first]).toEqual([
      [10, 0],
      [9, 1],
      [8, 2],
      [7, 3],
    ]);
    const second = assignSlots(first, [12, 11, 10, 9]);
    expect([...second].sort(([one], [other]) => other - one)).toEqual([
      [12, 2],
      [11, 3],
      [10, 0],
      [9, 1],
    ]);
    fc.assert(
      fc.property(fc.array(fc.uniqueArray(fc.integer({ min: -50, max: 50 }), { maxLength: 20 })), (windows) => {
        let slots: ReadonlyMap<number, number> = new Map();
        for (const wanted of windows) {
          const next = assignSlots(slots, wanted);
          expect(new Set(next.values()).size).toBe(wanted.length);
          for (const serial of wanted) if (slots.has(serial)) expect(next.get(serial)).toBe(slots.get(serial));
          slots = next;
        }
      }),
    );
  });
});

describe("the log of the page", () => {
  const at = (startedAt: number) => recordOf({ id: `g${startedAt}`, startedAt });
  const ids = (log: ActivityLog) => log.entries.map(({ record }) => record.id);

  test("B8: keeps generations by the time of their start, in whatever order they arrive", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 99 }))), (batches) => {
        const log = new ActivityLog();
        for (const [index, batch] of batches.entries()) {
          const records = batch.map(at);
          if (index % 2 === 0) log.apply(records);
          else log.addOlder(records);
        }
        const starts = log.entries.map(({ record }) => record.startedAt);
        expect(starts).toEqual([...new Set(batches.flat())].sort((one, other) => one - other));
        expect(new Set(log.entries.map(({ serial }) => serial)).size).toBe(starts.length);
      }),
    );
  });

  test("B8: a change replaces the record of its row and leaves the order alone", () => {
    const log = new ActivityLog();
    expect(log.apply([at(1), at(2)])).toBe(true);
    expect(log.apply([{ ...at(1), waitedMs: 7 }])).toBe(false);
    expect(log.get("g1")?.record.waitedMs).toBe(7);
    expect(ids(log)).toEqual(["g1", "g2"]);
  });

  test("B8: a page that was read before the end of a generation does not start it again", () => {
    const log = new ActivityLog();
    log.apply([at(1)]);
    log.apply([{ ...at(1), state: "attempting" }]);
    expect(log.get("g1")?.record.state).toBe("ended");
  });

  test("B8: drops the oldest generations beyond its limit", () => {
    const log = new ActivityLog(100);
    for (let start = 0; start < 1000; start++) log.apply([at(start)]);
    expect(log.entries.length).toBeLessThanOrEqual(105);
    expect(ids(log).at(-1)).toBe("g999");
    expect(log.get("g1")).toBeUndefined();
    expect(log.isCut).toBe(true);
  });
});

describe("filters", () => {
  test("B8: filters choose by outcome, kind, provider and client", () => {
    const failed = recordOf({
      outcome: "not-retryable",
      attempts: [
        attemptOf({ kind: "auth", ok: false, target: { provider: "google", model: "gemini", credential: "" } }),
      ],
      asked: "sim/sonnet",
      client: "app",
    });
    expect(matchRecord(failed, {})).toBe(true);
    expect(matchRecord(failed, { outcome: "failed", kind: "auth", provider: "google", client: "app" })).toBe(true);
    expect(matchRecord(failed, { outcome: "first" })).toBe(false);
    expect(matchRecord(failed, { kind: "server" })).toBe(false);
    expect(matchRecord(failed, { provider: "openai" })).toBe(false);
    expect(matchRecord(failed, { client: "other" })).toBe(false);
    expect([isFiltered({}), isFiltered({ client: "app" })]).toEqual([false, true]);
  });
});

describe("charts", () => {
  test("B8: every part of a bar that is not zero is seen, and together they fill it", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10 ** 6 }), { minLength: 1, maxLength: 5 }), (counts) => {
        const widths = sharesOf(counts, 300, { gapPx: 2, leastPx: 4 });
        const shown = counts.filter((count) => count > 0).length;
        for (const [index, width] of widths.entries())
          if (counts[index] === 0) expect(width).toBe(0);
          else expect(width).toBeGreaterThan(3);
        if (shown > 0) expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(300 - 2 * (shown - 1), 3);
      }),
    );
  });

  test("B8: a histogram and a line have no gap and no NaN, with no values too", () => {
    expect(barHeights([0, 1, 100], 50)).toEqual([0, 2, 50]);
    expect(barHeights([], 50)).toEqual([]);
    expect(sparkline([], 100, 20)).toEqual({ line: "", area: "" });
    expect(sparkline([3], 100, 20).line).toBe("M0.0 0.0L100.0 0.0");
    expect(sparkline([0, 0, 0], 100, 20)).toEqual({
      line: "M0.0 20.0L50.0 20.0L100.0 20.0",
      area: "M0.0 20.0L50.0 20.0L100.0 20.0V20H0Z",
    });
  });
});

describe("the rows of the next frame", () => {
  const anyRange = fc
    .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 40 }))
    .map(([start, length]) => ({ start, end: start + length }));

  test("B8: adds at most so many rows, stays within the target and reaches it", () => {
    fc.assert(
      fc.property(
        anyRange,
        anyRange,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        (from, target, share, most) => {
          const first = target.start + Math.floor((target.end - target.start) * share);
          let range = from;
          for (let frame = 0; frame < 60; frame++) {
            const next = nextRange(range, { target, first, most });
            const kept = Math.max(0, Math.min(range.end, next.end) - Math.max(range.start, next.start));
            expect(next.end - next.start - kept).toBeLessThanOrEqual(most);
            expect(next.start).toBeGreaterThanOrEqual(target.start);
            expect(next.end).toBeLessThanOrEqual(target.end);
            range = next;
          }
          expect(range.end - range.start).toBe(target.end - target.start);
        },
      ),
    );
  });

  test("B8: after a jump starts with the first row in the viewport", () => {
    const aim = { target: { start: 100, end: 130 }, first: 103, most: 8 };
    expect(nextRange({ start: 0, end: 30 }, aim)).toEqual({ start: 103, end: 111 });
  });
});
