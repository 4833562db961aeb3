import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutItem } from "../../../src/hosts/chat/layout/layout-item.ts";
import { layoutMarkdown } from "../../../src/hosts/chat/layout/layout-markdown.ts";
import type { Line } from "../../../src/hosts/chat/layout/line.ts";
import { textWidth } from "../../../src/terminal/index.ts";

const plain = (lines: readonly Line[]): readonly string[] => lines.map((line) => line.map(({ text }) => text).join(""));
const styled = (text: string): readonly (readonly [string, string | undefined])[] =>
  layoutMarkdown(text, 80).flatMap((line) => line.map((one) => [one.text, one.style] as const));

describe("Markdown in a terminal", () => {
  test("S10: lays out headings, lists, quotes, rules and code", () => {
    const text = "# Title\n\n- one\n  - two\n3. three\n\n> said\n\n---\n\n```ts\nif (a) {\n\tb();\n}\n```\nend";
    expect(plain(layoutMarkdown(text.replace("\t", "    "), 40))).toEqual([
      "Title",
      "",
      "• one",
      "  • two",
      "3. three",
      "",
      "│ said",
      "",
      "────────────────────────",
      "",
      "  if (a) {",
      "      b();",
      "  }",
      "end",
    ]);
  });

  test("S10: parses bold, italic, code and links inside a line", () => {
    expect(styled("a **b** *c* `d` [e](http://f)")).toEqual([
      ["a ", undefined],
      ["b", "bold"],
      [" ", undefined],
      ["c", "italic"],
      [" ", undefined],
      ["d", "code"],
      [" e", undefined],
      [" (http://f)", "dim"],
    ]);
    expect(styled("**`x`** 2 * 3 * 4 snake_case_name")).toEqual([
      ["x", "code"],
      [" 2 * 3 * 4 snake_case_name", undefined],
    ]);
  });

  test("S10: a backslash escapes a mark", () => {
    expect(plain(layoutMarkdown("2 \\* 3 \\* 4, snake\\_case, \\# no heading, C:\\dir", 80))).toEqual([
      "2 * 3 * 4, snake_case, # no heading, C:\\dir",
    ]);
    expect(styled("**a\\*b** `\\*` \\`c\\`")).toEqual([
      ["a*b", "bold"],
      [" ", undefined],
      ["\\*", "code"],
      [" `c`", undefined],
    ]);
  });

  test("S10: indented lines are code outside a list and text inside one", () => {
    expect(plain(layoutMarkdown("Run:\n\n    if a:\n        b()\n\nthen", 40))).toEqual([
      "Run:",
      "",
      "  if a:",
      "      b()",
      "",
      "then",
    ]);
    expect(plain(layoutMarkdown("- one\n\n  more of it\n    - two\n\nend", 40))).toEqual([
      "• one",
      "",
      "  more of it",
      "    • two",
      "",
      "end",
    ]);
  });

  test("S10: a sent message keeps its indentation", () => {
    const lines = layoutItem(
      { kind: "user", id: "u", text: "look:\n    if a:  # why\n        b()" },
      { width: 40, isExpanded: false },
    );
    expect(plain(lines)).toEqual(["❯ look:", "      if a:  # why", "          b()"]);
    const narrow = layoutItem(
      { kind: "user", id: "u", text: `${" ".repeat(30)}word and more` },
      { width: 14, isExpanded: false },
    );
    expect(plain(narrow)).toEqual(["❯       word", "  and more"]);
  });

  test("S10: a long list item wraps below its text", () => {
    expect(plain(layoutMarkdown("- the quick brown fox", 14))).toEqual(["• the quick", "  brown fox"]);
  });

  test("S10: emoji count as two columns, so that no line is cut", () => {
    expect(["✅", "❌", "⛵", "⭐", "→", "é"].map(textWidth)).toEqual([2, 2, 2, 2, 1, 1]);
    expect(plain(layoutMarkdown("✅ a ✅ b ✅", 10))).toEqual(["✅ a ✅ b", "✅"]);
  });

  test("S10: an unclosed code block is code", () => {
    expect(plain(layoutMarkdown("```\nlet a", 40))).toEqual(["  let a"]);
  });

  test("S10: no line is wider than the screen, and no letter is lost", () => {
    const piece = fc.constantFrom(
      "# ",
      "- ",
      "> ",
      "**",
      "`",
      "```\n",
      "\n",
      " ",
      "word",
      "海",
      "_",
      "[a](b)",
      "x".repeat(50),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 12, max: 60 }), (pieces, width) => {
        const lines = plain(layoutMarkdown(pieces.join(""), width));
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 2000 },
    );
    const words = "one two three four five six seven".repeat(20);
    expect(plain(layoutMarkdown(words, 17)).join(" ").replace(/\s+/g, " ")).toBe(words);
  });

  test("S10: a hostile line takes linear time", () => {
    const startedAt = performance.now();
    for (const mark of ["[", "*", "_", "`", "**a", "[a](", "# #", "> "]) layoutMarkdown(mark.repeat(20_000), 80);
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});
