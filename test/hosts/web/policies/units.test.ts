import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  readNumber,
  readPercent,
  readSeconds,
  writePercent,
  writeSeconds,
} from "../../../../src/hosts/web/pages/policies/units.ts";

describe("units of the policy fields", () => {
  test("K5: a time in milliseconds survives its way through a field in seconds exactly", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 2 ** 53, noNaN: true }), (ms) => {
        expect(readSeconds(writeSeconds(ms))).toBe(ms);
      }),
    );
  });

  test("K5: a share survives its way through a field in percent exactly", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        expect(readPercent(writePercent(share))).toBe(share);
      }),
    );
  });

  test.each([
    ["1.1", 1100],
    ["0.29", 290],
    ["9,999,999", 9_999_999_000],
    ["500 ms", 500],
    ["2 min", 120_000],
    ["2m", 120_000],
    ["8 h", 28_800_000],
    ["1.5s", 1500],
    ["-3", -3000],
    [" 5 ", 5000],
  ])("K5: reads the time %j as %d ms", (text, ms) => {
    expect(readSeconds(text)).toBe(ms);
  });

  test.each(["", "abc", "1,5", "5 parsecs", "1e999", "NaN", "Infinity", "0x10", "--1", "1 2"])(
    "K5: does not take %j for a time",
    (text) => {
      expect(readSeconds(text)).toBeUndefined();
    },
  );

  test("K5: no text makes the readers throw or return anything but a finite number", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const value of [readNumber(text), readSeconds(text), readPercent(text)]) {
          expect(value === undefined || Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });
});
