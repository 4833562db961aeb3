import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CleanStream, cleanText } from "../../src/terminal/index.ts";
import { FOREIGN, hostileText } from "../support/hostile-text.ts";
import { often } from "../support/soak.ts";

/** Writes a text in pieces, cut where the numbers say. */
function inPieces(text: string, cuts: readonly number[]): string {
  const stream = new CleanStream();
  const marks = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = marks.slice(1).map((end, index) => stream.write(text.slice(marks[index], end)));
  return pieces.join("") + stream.end();
}

describe("streamed text of others", () => {
  test("C3: hostile texts, cut anywhere: no control character gets through, and cutting changes nothing", () => {
    fc.assert(
      fc.property(hostileText, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        const clean = inPieces(text, cuts);
        expect(clean).not.toMatch(FOREIGN);
        expect(clean).toBe(inPieces(text, []));
      }),
      { numRuns: often(1000, 10_000) },
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

  test.each([
    ["a picture", "a\u001bPq#payload\u001b\\b", "ab"],
    ["a picture in 8 bits", "a\u0090q#payload\u009cb", "ab"],
    ["a message to the program", "a\u001b_payload\u001b\\b\u009epayload\u009cc", "abc"],
    ["a character set", "a\u001b(Bb\u001b%Gc", "abc"],
    ["a title that is never ended, up to the line's end", "a\u001b]0;title\nb", "a\nb"],
    ["an escape before a character of two halves", "a\u001b😀b", "a😀b"],
    ["a colour that is broken off by one", "a\u001b[31é", "aé"],
    ["marks of direction", "a\u200e\u200f\u061cb\u202ec", "abc"],
    ["what hides", "a\u200b\u2060\ufeff\u2028b", "ab"],
  ])("C3: drops %s, and no more than that", (_, given, wanted) => {
    expect(inPieces(given, [])).toBe(wanted);
    expect(cleanText(given)).toBe(wanted);
  });

  test("C3: a text that is cleaned whole is as clean as one that streams", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(cleanText(text)).toBe(inPieces(text, []).replaceAll("\t", " "));
      }),
      { numRuns: often(1000, 10_000) },
    );
  });

  test("C3: joiners stay, whichever way a text is cleaned", () => {
    const text = "👩‍🚀 نمی‌خواهم";
    expect([inPieces(text, []), cleanText(text)]).toEqual([text, text]);
  });

  test("C3: an escape sequence that never ends holds nothing back for long", () => {
    const stream = new CleanStream();
    const shown = stream.write("\u001b]0;") + stream.write("x".repeat(5000));
    expect(shown.length).toBeGreaterThan(3000);
    expect(cleanText(`\u001b]0;${"x".repeat(5000)}`).length).toBeGreaterThan(3000);
  });
});
