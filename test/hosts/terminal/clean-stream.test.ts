import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CleanStream } from "../../../src/terminal/index.ts";
import { hostileText } from "../hostile-text.ts";

/** Writes a text in pieces, cut where the numbers say. */
function inPieces(text: string, cuts: readonly number[]): string {
  const stream = new CleanStream();
  const marks = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = marks.slice(1).map((end, index) => stream.write(text.slice(marks[index], end)));
  return pieces.join("") + stream.end();
}

describe("streamed text of others", () => {
  test("C3: ten thousand hostile texts, cut anywhere: no control character gets through, and cutting changes nothing", () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        const clean = inPieces(text, cuts);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point.
        expect(clean).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(clean).toBe(inPieces(text, []));
      }),
      { numRuns: 10_000 },
    );
  });

  test("C3: a colour that comes in two pieces is gone, and so is its rest", () => {
    const stream = new CleanStream();
    const pieces = ["red: \u001b", "[3", "1mno", "\u001b]0;title", "\u0007 title\r", "\nend\u001b"];
    expect(pieces.map((piece) => stream.write(piece))).toEqual(["red: ", "", "no", "", " title", "\nend"]);
    expect(stream.end()).toBe("");
  });

  test("C3: what is ordinary is not touched: tabs, emoji in two halves, joiners", () => {
    const stream = new CleanStream();
    const family = "👩‍👩‍👧";
    expect(stream.write("\tif\n") + stream.write(family.slice(0, 1)) + stream.write(family.slice(1))).toBe(
      `\tif\n${family}`,
    );
  });

  test("C3: an escape sequence that never ends holds nothing back for long", () => {
    const stream = new CleanStream();
    const shown = stream.write("\u001b]0;") + stream.write("x".repeat(5000));
    expect(shown.length).toBeGreaterThan(3000);
  });
});
