import { describe, expect, test } from "vitest";
import { intentOf, type KeyPress, type Situation, splitPress } from "../../../src/hosts/chat/keys.ts";

const IDLE: Situation = { isWaiting: false, isBusy: false, isEmpty: true, endsWithBackslash: false, isPasting: false };
const ESC: KeyPress = { input: "", key: { escape: true, meta: true } };
const ENTER: KeyPress = { input: "\r", key: { return: true } };
const typed = (input: string): KeyPress => ({ input, key: {} });
const ctrl = (input: string): KeyPress => ({ input, key: { ctrl: true } });

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
    expect(intentOf({ input: "\r", key: { return: true, meta: true } }, IDLE)).toEqual(newline);
    expect(intentOf({ input: "\r", key: { return: true, shift: true } }, IDLE)).toEqual(newline);
    expect(intentOf(typed("\n"), IDLE)).toEqual(newline);
    const afterBackslash = { ...IDLE, isEmpty: false, endsWithBackslash: true };
    expect(intentOf(ENTER, afterBackslash)).toEqual({ type: "continue-line" });
  });

  test("S10: nothing that is pasted sends, leaves or stops", () => {
    expect(intentOf(typed("[200~"), IDLE)).toEqual({ type: "paste", isPasting: true });
    const pasting = { ...IDLE, isPasting: true, isWaiting: true, isBusy: true };
    expect(intentOf(ENTER, pasting)).toEqual({ type: "edit", edit: { type: "newline" } });
    expect(intentOf(ctrl("c"), pasting)).toBeUndefined();
    expect(intentOf(typed("/quit\r"), pasting)).toEqual({ type: "edit", edit: { type: "insert", text: "/quit\r" } });
    expect(intentOf(typed("[201~"), pasting)).toEqual({ type: "paste", isPasting: false });
  });

  test("S10: letters and Enter in one piece are letters and Enter; a line end inside sends nothing", () => {
    expect(splitPress(typed("Hello\r")).map(({ key }) => key.return === true)).toEqual([false, true]);
    expect(splitPress(typed("Hello\n"))).toHaveLength(2);
    expect(splitPress(typed("one\rtwo\r"))).toHaveLength(1);
    expect(splitPress(ENTER)).toEqual([ENTER]);
    expect(splitPress(typed("\n"))).toHaveLength(1);
  });

  test("S10: Ctrl-C asks to leave; Ctrl-D leaves only where nothing is typed", () => {
    expect(intentOf(ctrl("c"), IDLE)).toEqual({ type: "interrupt" });
    expect(intentOf(ctrl("d"), IDLE)).toEqual({ type: "leave" });
    expect(intentOf(ctrl("d"), { ...IDLE, isEmpty: false })).toEqual({ type: "edit", edit: { type: "delete" } });
  });
});
