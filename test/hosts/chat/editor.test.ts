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
  test("S10: up and down go through what was sent, and back to what was being written", () => {
    const editor = apply(remember(remember(emptyEditor(), "first"), "second"), insert("draft"));
    const up = apply(editor, "up");
    expect([up.text, apply(up, "up").text, apply(up, "up", "up").text]).toEqual(["second", "first", "first"]);
    expect(apply(up, "down").text).toBe("draft");
    expect(remember(up, "second").history).toEqual(["first", "second"]);
  });

  test("S10: inside several lines up and down move the cursor", () => {
    const editor = apply(emptyEditor(["old"]), insert("one\ntwo"), "up");
    expect([editor.text, editor.cursor]).toEqual(["one\ntwo", 3]);
    expect(apply(editor, "up").text).toBe("old");
    expect(apply(editor, "down").cursor).toBe(7);
  });

  test("S10: a character of several units goes in one piece", () => {
    expect(apply(emptyEditor(), insert("a👩‍🚀"), "backspace", "backspace").text).toBe("a");
    expect(apply(emptyEditor(), insert("né"), "left", "delete").text).toBe("n");
  });

  test("S10: what is pasted has no escape sequences in it", () => {
    expect(apply(emptyEditor(), insert("a\u001b[31mb\r\nc\td")).text).toBe("ab\nc    d");
  });

  test("S10: whatever is typed, the cursor stays in the text and on the screen", () => {
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
      }),
      { numRuns: 500 },
    );
  });
});
