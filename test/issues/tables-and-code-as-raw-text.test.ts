import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { layoutMarkdown } from "../../src/hosts/chat/layout/layout-markdown.ts";
import { themeFor } from "../../src/hosts/chat/view/theme.ts";
import { textWidth } from "../../src/terminal/index.ts";
import { often } from "../support/soak.ts";

const shown = (text: string, width: number): readonly string[] =>
  layoutMarkdown(text, width).map((line) => line.map((span) => span.text).join(""));

/** Pieces with a style of their own, by line. */
const styles = (text: string): readonly (readonly string[])[] =>
  layoutMarkdown(text, 60).map((line) =>
    line.flatMap(({ text: piece, style }) => (style ? [`${style}:${piece}`] : [])),
  );

describe("tables", () => {
  const TABLE = [
    "| city | people | note |",
    "|:-----|------:|:----:|",
    "| Zürich | 421,878 | **old** |",
    "| 東京 | 14,094,034 | a\\|b |",
  ].join("\n");

  test("S10: columns are aligned by display width, as the rule says", () => {
    expect(shown(`Cities:\n\n${TABLE}\n\nThat is all.`, 60)).toEqual([
      "Cities:",
      "",
      "city   │     people │ note",
      "───────┼────────────┼─────",
      "Zürich │    421,878 │ old",
      "東京   │ 14,094,034 │ a|b",
      "",
      "That is all.",
    ]);
  });

  test("S10: a row that is still arriving is a row from its first bar on", () => {
    const begun = `${TABLE}\n|`;
    for (const [text, last] of [
      [begun, "       │            │"],
      [`${begun} Os`, "Os     │            │"],
    ] as const) {
      const lines = shown(text, 60);
      expect(lines).toHaveLength(5);
      expect(lines[4]?.trimEnd()).toBe(last);
    }
  });

  test("S10: cells wrap in a narrow window, with rules between the rows", () => {
    const table =
      "| kind | meaning |\n|---|---|\n| rate_limit | too many requests in a short time |\n| auth | bad key |";
    expect(shown(table, 32)).toEqual([
      "kind       │ meaning",
      "───────────┼────────────────────",
      "rate_limit │ too many requests",
      "           │ in a short time",
      "───────────┼────────────────────",
      "auth       │ bad key",
    ]);
  });

  test("S10: a table with too many columns for the window becomes a list of its cells", () => {
    const table = "| name | default | bounds | note |\n|---|---|---|---|\n| maxRetries | 3 | 0 to 1000 | per message |";
    expect(shown(table, 24)).toEqual(["name: maxRetries", "default: 3", "bounds: 0 to 1000", "note: per message"]);
  });

  test("S10: rows without a rule stay text, and missing cells are empty", () => {
    expect(shown("| not | a table |", 40)).toEqual(["| not | a table |"]);
    expect(shown("| a | b |\n|---|---|\n| 1 |", 40)).toEqual(["a │ b", "──┼──", "1 │ "]);
  });

  test("S10: no line of any table is wider than the window", () => {
    const cell = fc.constantFrom(
      "a",
      "a long cell with words",
      "東京",
      "👩‍🚀",
      "",
      "`x|y`",
      "x".repeat(50),
      "**b**",
      "\\|",
    );
    const row = fc.array(cell, { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.integer({ min: 10, max: 120 }), (rows, width) => {
        const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
        const table = [lines[0], `|${"---|".repeat(rows[0]?.length ?? 1)}`, ...lines.slice(1)].join("\n");
        for (const line of shown(table, width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
      }),
      { numRuns: 500 },
    );
  });
});

describe("code", () => {
  test("S10: code in a known language is highlighted", () => {
    expect(styles('```ts\nconst x = "a"; // note\n```')).toEqual(
      [["keyword:const", 'string:"a"', "comment:// note"]].map((line) => line),
    );
    expect(styles("```python\ndef f(): # note\n```")).toEqual([["keyword:def", "comment:# note"]]);
  });

  test("S10: comments and texts that go on over several lines keep their colour", () => {
    expect(styles("```js\n/* one\ntwo\nthree */ let x\n```")).toEqual([
      ["comment:/* one"],
      ["comment:two"],
      ["comment:three */", "keyword:let"],
    ]);
    expect(styles('```py\nx = """one\nif two"""\nif x\n```').slice(1)).toEqual([['string:if two"""'], ["keyword:if"]]);
  });

  test("S10: code in an unknown language, and without one, has one colour", () => {
    expect(styles("```nolang\nconst x\n```")).toEqual([["code:const x"]]);
    expect(styles("```\nconst x\n```")).toEqual([["code:const x"]]);
  });

  test("S10: highlighting changes no character and keeps long lines inside the window", () => {
    const piece = fc.constantFrom(
      ...'const |"|\'|`|$|}|/*|*/|//|#|<a |</a>|\\|海|👩‍🚀| |  |x=1;|"""|-- |$(|@|:|{|'.split("|"),
    );
    const language = fc.constantFrom(
      "js",
      "tsx",
      "py",
      "bash",
      "json",
      "html",
      "css",
      "sql",
      "rust",
      "diff",
      "yaml",
      "go",
      "md",
    );
    fc.assert(
      fc.property(language, fc.array(piece, { maxLength: 60 }), (name, pieces) => {
        const code = pieces.join("");
        fc.pre(code.trim() !== "" && !code.includes("```"));
        const lines = shown(`\`\`\`${name}\n${code}\n\`\`\``, 30);
        expect(lines.map((line) => line.slice(2)).join("")).toBe(code);
        for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(30);
      }),
      { numRuns: often(500, 20_000) },
    );
  });

  test("S10: a line of which the tokenizer would lose a character is shown whole", () => {
    expect(shown("```js\n<a /*//</a>\n```", 30).map((line) => line.slice(2))).toEqual(["<a /*//</a>"]);
  });

  test("S10: NO_COLOR turns the colours of code off", () => {
    expect(themeFor({}).keyword).toEqual({ color: "magenta" });
    expect(themeFor({ NO_COLOR: "1" }).keyword).toBeUndefined();
  });

  test("S10: a hostile block of code takes no longer than others", () => {
    const startedAt = performance.now();
    for (const bait of ["<a ", "`${", '"', "/*", "((((", "\\"]) {
      shown(`\`\`\`tsx\n${`${bait.repeat(600)}\n`.repeat(20)}\`\`\``, 80);
    }
    expect(performance.now() - startedAt).toBeLessThan(6000);
  });
});
