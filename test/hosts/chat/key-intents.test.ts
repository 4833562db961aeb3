import { describe, expect, test } from "vitest";
import { intentOf, type KeyContext } from "../../../src/hosts/chat/key-intents.ts";
import type { KeyName, KeyPress, Modifiers } from "../../../src/hosts/chat/keyboard/key-press.ts";

const IDLE: KeyContext = {
  isWaiting: false,
  isBusy: false,
  isEmpty: true,
  endsWithBackslash: false,
  menu: "closed",
  mouse: "ours",
};
const key = (name: KeyName, held: Modifiers = {}): KeyPress => ({ type: "key", name, ...held });
const ctrl = (letter: string): KeyPress => ({ type: "chord", letter, ctrl: true });
const alt = (letter: string): KeyPress => ({ type: "chord", letter, alt: true });
const ESC = key("escape");
const ENTER = key("enter");

describe("keys", () => {
  test("S10: Esc cancels the retry while the loader shows, even if the agent works or text is typed", () => {
    expect(intentOf(ESC, { ...IDLE, isWaiting: true, isBusy: true })).toEqual({ type: "cancel-retry" });
    expect(intentOf(ESC, { ...IDLE, isWaiting: true, isBusy: true, isEmpty: false })).toEqual({ type: "cancel-retry" });
  });

  test("S10: without a loader, Esc stops the answer, or clears the input if there is none", () => {
    expect(intentOf(ESC, { ...IDLE, isBusy: true })).toEqual({ type: "abort" });
    expect(intentOf(ESC, { ...IDLE, isEmpty: false })).toEqual({ type: "edit", edit: { type: "clear" } });
  });

  test("B8: Enter retries now while the loader shows, unless there is text to send", () => {
    expect(intentOf(ENTER, { ...IDLE, isWaiting: true })).toEqual({ type: "retry-now" });
    expect(intentOf(ENTER, { ...IDLE, isWaiting: true, isEmpty: false })).toEqual({ type: "submit" });
    expect(intentOf(ENTER, IDLE)).toBeUndefined();
  });

  test("S10: Alt+Enter, Shift+Enter, Ctrl-J and a backslash start a new line", () => {
    const newline = { type: "edit", edit: { type: "newline" } };
    expect(intentOf(key("enter", { alt: true }), IDLE)).toEqual(newline);
    expect(intentOf(key("enter", { shift: true }), IDLE)).toEqual(newline);
    expect(intentOf(ctrl("j"), IDLE)).toEqual(newline);
    const afterBackslash = { ...IDLE, isEmpty: false, endsWithBackslash: true };
    expect(intentOf(ENTER, afterBackslash)).toEqual({ type: "edit", edit: { type: "continue-line" } });
  });

  test("S10: text is only inserted, whatever it contains", () => {
    const busy = { ...IDLE, isWaiting: true, isBusy: true };
    const text = "/quit\n\u0003";
    expect(intentOf({ type: "text", text }, busy)).toEqual({ type: "edit", edit: { type: "insert", text } });
  });

  test("S10: the cursor moves by character, and by word with Alt or Ctrl", () => {
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
      { type: "complete" },
    ]);
  });

  test("S10: Ctrl-C asks to quit; Ctrl-D quits only if the input is empty", () => {
    expect(intentOf(ctrl("c"), IDLE)).toEqual({ type: "interrupt" });
    expect(intentOf(ctrl("d"), IDLE)).toEqual({ type: "leave" });
    expect(intentOf(ctrl("d"), { ...IDLE, isEmpty: false })).toEqual({ type: "edit", edit: { type: "delete" } });
  });
});
