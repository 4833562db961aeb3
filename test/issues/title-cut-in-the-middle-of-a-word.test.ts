import { describe, expect, test } from "vitest";
import { titleOf } from "../../src/session/record/title-of.ts";

describe("S6: the title of a conversation", () => {
  test("S6: ends with a whole word and … if the message goes on", () => {
    expect(titleOf("Tell me about circuit breakers and jitter, in a list with code")).toBe(
      "Tell me about circuit breakers and jitter, in a list with…",
    );
    expect(titleOf("word ".repeat(200_000))).toBe(`${"word ".repeat(11)}word…`);
  });

  test("S6: is the message itself if it is short enough", () => {
    expect(titleOf("  one\n two\t three ")).toBe("one two three");
    expect(titleOf("x".repeat(60))).toBe("x".repeat(60));
    expect(titleOf("")).toBe("");
  });

  test("S6: cuts text without spaces, but never a character", () => {
    expect(titleOf("x".repeat(61))).toBe(`${"x".repeat(59)}…`);
    expect(titleOf("🌧".repeat(100))).toBe(`${"🌧".repeat(59)}…`);
    expect(titleOf("语".repeat(100))).toBe(`${"语".repeat(59)}…`);
  });
});
