import { describe, expect, test } from "vitest";
import { AnswerText, Unread } from "../../../src/kernel/attempt/answer-text.ts";
import { sayExpired } from "../../../src/kernel/classify/engine-failure.ts";

describe("E16: the text of a streamed answer", () => {
  test("E16: is that of all items, whatever else comes between", () => {
    const text = new AnswerText<string | number>();
    for (const item of ["one ", 2, "three"]) text.add(item, (one) => (typeof one === "string" ? one : undefined));
    expect(text.whole()).toBe("one three");
  });

  test("E16: an item that needs no text exempts the answer", () => {
    const text = new AnswerText<string>();
    text.add("call", () => true);
    text.add("word", () => "word");
    expect(text.whole()).toBe(true);
  });

  test("E16: without any text the first item shows why, and without any item there is none", () => {
    const text = new AnswerText<object>();
    expect(text.whole()).toBe("");
    const first = {};
    text.add(first, () => undefined);
    text.add({}, () => undefined);
    expect(text.whole()).toEqual(new Unread(first));
  });

  test("E16: a function that throws is not called again, and what it threw comes out", () => {
    const text = new AnswerText<string>();
    let calls = 0;
    for (const item of ["a", "b"])
      text.add(item, () => {
        calls++;
        throw new Error("broken");
      });
    expect(() => text.whole()).toThrow("broken");
    expect(calls).toBe(1);
  });

  test("E15: an attempt that was too slow says which limit it missed", () => {
    expect(sayExpired("silent", { firstContentMs: 30_000, idleMs: null })).toBe("No content within 30 s");
    expect(sayExpired("stalled", { firstContentMs: null, idleMs: 5000 })).toBe("No new content for 5 s");
    expect(sayExpired("silent", { firstContentMs: null, idleMs: null })).toContain("No content within 0");
    expect(sayExpired("stalled", { firstContentMs: null, idleMs: null })).toContain("No new content for 0");
  });
});
