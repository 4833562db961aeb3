import { describe, expect, test } from "vitest";
import type { KeyName, KeyPress, Modifiers } from "../../../src/hosts/chat/keyboard/key-press.ts";
import { intentOf, type Situation } from "../../../src/hosts/chat/keys.ts";

const IDLE: Situation = { isWaiting: false, isBusy: false, isEmpty: true, endsWithBackslash: false };
const key = (name: KeyName, held: Modifiers = {}): KeyPress => ({ type: "key", name, ...held });
const ctrl = (letter: string): KeyPress => ({ type: "chord", letter, ctrl: true });
const alt = (letter: string): KeyPress => ({ type: "chord", letter, alt: true });
const ESC = key("escape");
const ENTER = key("enter");

describe("keys", () => {
  test("S10: Esc cancels the retry while the loader shows, whatever else goes on", () => {
    expect(intentOf(ESC, { ...IDLE, isWaiting: true, isBusy: true })).toEqual({ type: "cancel-retry" });
    expect(intentOf(ESC, { ...IDLE, isWaiting: true, isBusy: true, isEmpty: false })).toEqual({ type: "cancel-retry" });
  });

  test("S10: without a loader Esc stops the answer, and else clears the input", () => {
    expect(intentOf(ESC, { ...IDLE, isBusy: true })).toEqual({ type: "abort" });
    expect(intentOf(ESC, { ...IDLE, isEmpty: false })).toEqual({ type: "edit", edit: { type: "clear" } });
  });

  test("B8: Enter on the loader retries now, unless there is something to send", () => {
    expect(intentOf(ENTER, { ...IDLE, isWaiting: true })).toEqual({ type: "retry-now" });
    expect(intentOf(ENTER, { ...IDLE, isWaiting: true, isEmpty: false })).toEqual({ type: "submit" });
    expect(intentOf(ENTER, IDLE)).toBeUndefined();
  });

  test("S10: Alt+Enter, Shift+Enter, Ctrl-J and a backslash make a new line", () => {
    const newline = { type: "edit", edit: { type: "newline" } };
    expect(intentOf(key("enter", { alt: true }), IDLE)).toEqual(newline);
    expect(intentOf(key("enter", { shift: true }), IDLE)).toEqual(newline);
    expect(intentOf(ctrl("j"), IDLE)).toEqual(newline);
    const afterBackslash = { ...IDLE, isEmpty: false, endsWithBackslash: true };
    expect(intentOf(ENTER, afterBackslash)).toEqual({ type: "continue-line" });
  });

  test("S10: text does nothing but stand in the input, whatever is in it", () => {
    const busy = { ...IDLE, isWaiting: true, isBusy: true };
    const text = "/quit\n\u0003";
    expect(intentOf({ type: "text", text }, busy)).toEqual({ type: "edit", edit: { type: "insert", text } });
  });

  test("S10: the cursor moves by characters, and with Alt or Ctrl by words", () => {
    const edits = (...presses: readonly KeyPress[]): readonly unknown[] =>
      presses.map((press) => {
        const intent = intentOf(press, IDLE);
        return intent?.type === "edit" ? intent.edit.type : intent;
      });
    expect(edits(key("left"), key("right"), key("up"), key("home"))).toEqual(["left", "right", "up", "home"]);
    expect(edits(key("left", { alt: true }), key("right", { ctrl: true }))).toEqual(["word-left", "word-right"]);
    expect(edits(alt("b"), alt("f"), alt("x"))).toEqual(["word-left", "word-right", undefined]);
    expect(edits(key("backspace"), key("backspace", { alt: true }), key("delete"), key("tab"))).toEqual([
      "backspace",
      "cut-word",
      "delete",
      undefined,
    ]);
  });

  test("S10: Ctrl-C asks to leave; Ctrl-D leaves only where nothing is typed", () => {
    expect(intentOf(ctrl("c"), IDLE)).toEqual({ type: "interrupt" });
    expect(intentOf(ctrl("d"), IDLE)).toEqual({ type: "leave" });
    expect(intentOf(ctrl("d"), { ...IDLE, isEmpty: false })).toEqual({ type: "edit", edit: { type: "delete" } });
  });
});
