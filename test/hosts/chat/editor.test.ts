import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutInput } from "../../../src/hosts/chat/layout/layout-input.ts";
import { type Edit, type Editor, edit, emptyEditor, remember } from "../../../src/hosts/chat/state/editor.ts";

const MOVES = [
  "newline",
  "backspace",
  "delete",
  "left",
  "right",
  "word-left",
  "word-right",
  "home",
  "end",
  "up",
  "down",
  "cut-before",
  "cut-after",
  "cut-word",
  "clear",
] as const;

const apply = (editor: Editor, ...edits: readonly (Edit["type"] | Edit)[]): Editor =>
  edits.reduce<Editor>((now, one) => edit(now, (typeof one === "string" ? { type: one } : one) as Edit), editor);
const insert = (text: string): Edit => ({ type: "insert", text });

describe("the input", () => {
  test("S10: Up and Down browse sent messages and return to the draft", () => {
    const editor = apply(remember(remember(emptyEditor(), "first"), "second"), insert("draft"));
    const up = apply(editor, "up");
    expect([up.text, apply(up, "up").text, apply(up, "up", "up").text]).toEqual(["second", "first", "first"]);
    expect(apply(up, "down").text).toBe("draft");
    expect(remember(up, "second").history).toEqual(["first", "second"]);
  });

  test("S10: Up and Down move the cursor between lines", () => {
    const editor = apply(emptyEditor(["old"]), insert("one\ntwo"), "up");
    expect([editor.text, editor.cursor]).toEqual(["one\ntwo", 3]);
    expect(apply(editor, "up").text).toBe("old");
    expect(apply(editor, "down").cursor).toBe(7);
  });

  test("S10: Backspace removes a character of several code units at once", () => {
    expect(apply(emptyEditor(), insert("a👩‍🚀"), "backspace").text).toBe("a");
    expect(apply(emptyEditor(), insert("🇩🇪🇫🇷"), "backspace").text).toBe("🇩🇪");
    expect(apply(emptyEditor(), insert("क्षि"), "left").cursor).toBe(0);
    expect(apply(emptyEditor(), insert("né"), "left", "delete").text).toBe("n");
    expect(apply(emptyEditor(), insert("one\n👩‍🚀"), "backspace", "backspace").text).toBe("one");
  });

  test("S10: pasted text loses escape sequences and nothing else", () => {
    expect(apply(emptyEditor(), insert("a\u001b[31mb\r\nc\td\u0007\u202e")).text).toBe("ab\nc\td");
    const text = "👩‍🚀 نمی‌خواهم\n\tif (ไทย\u200bไทย) ❤️ \u200fשלום\u200f";
    expect(apply(emptyEditor(), insert(text)).text).toBe(text);
  });

  test("S10: stored text is cleaned when it is shown: tabs, direction marks, text of other programs", () => {
    const shown = (editor: Editor): string =>
      layoutInput(editor, 60, 5)
        .lines.map((line) => line.map(({ text }) => text).join(""))
        .join("\n");
    const tabbed = apply(emptyEditor(), insert("\tif\u200f 👩‍🚀"));
    expect(shown(tabbed)).toBe("❯     if 👩‍🚀");
    expect(layoutInput(tabbed, 60, 5).cursor).toEqual({ row: 0, column: 11 });
    expect(shown(apply(emptyEditor(["a\u001b[2Jb\u009b1m"]), "up"))).toBe("❯ a[2Jb1m");
  });

  test("S10: a key press costs the same in a long text as in a short one", () => {
    const long = apply(emptyEditor(), insert(`${"line 👩‍🚀\n".repeat(50_000)}end`));
    const startedAt = performance.now();
    for (let pressed = 0; pressed < 200; pressed++) {
      layoutInput(apply(long, "backspace", "left", "right", "word-left"), 60, 8);
    }
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  test("S10: the cursor stays in the text and on the screen, whatever is typed", () => {
    const step = fc.oneof(
      fc.constantFrom(...MOVES).map((type): Edit => ({ type })),
      fc.string({ unit: "grapheme", maxLength: 12 }).map(insert),
      fc.constantFrom(insert("\n"), insert("海の"), insert("long ".repeat(30))),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 10, max: 60 }), (steps, width) => {
        const editor = apply(emptyEditor(["earlier", "two\nlines"]), ...steps);
        expect(editor.cursor).toBeGreaterThanOrEqual(0);
        expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
        const { lines, cursor } = layoutInput(editor, width, 5);
        expect(lines.length).toBeLessThanOrEqual(5);
        expect(cursor.row).toBeGreaterThanOrEqual(0);
        expect(cursor.row).toBeLessThan(lines.length);
        expect(cursor.column).toBeLessThan(width);
        const whole = layoutInput(editor, width, 10_000);
        // One line counts the hidden ones.
        const isLong = whole.lines.length > 5;
        const top = Math.max(0, Math.min(whole.cursor.row, whole.lines.length - (isLong ? 4 : 5)));
        expect(lines.slice(Number(isLong))).toEqual(whole.lines.slice(top, top + (isLong ? 4 : 5)));
        expect(cursor).toEqual({ ...whole.cursor, row: whole.cursor.row - top + Number(isLong) });
      }),
      { numRuns: 500 },
    );
  });
});
