import fc from "fast-check";
import { expect, test } from "vitest";
import { CodeChunks } from "../../../../src/hosts/web/pages/chat/markdown/code-chunks.ts";
import { decodeEntities } from "../../../../src/hosts/web/pages/chat/markdown/decode-entities.ts";
import { type Block, MarkdownBlocks } from "../../../../src/hosts/web/pages/chat/markdown/markdown-blocks.ts";
import { safeLink } from "../../../../src/hosts/web/pages/chat/markdown/safe-link.ts";

const ANSWER = `# Title

Some *text* with \`code\` and a [link](https://example.org).

- one
- two

  still two

1. first
2. second

> quoted
> twice

| a | b |
|---|---|
| 1 | 2 |

\`\`\`ts
const a = 1;

// blank lines stay
\`\`\`

After it.

~~~
\`\`\`
not an end
~~~
The end`;

function plain(blocks: readonly Block[]): readonly unknown[] {
  return blocks.map((block) =>
    block.type === "code" ? [block.language, block.text, block.isOpen] : [block.token.type, block.token.raw.trim()],
  );
}

/** The blocks after a text has come in pieces. */
function streamed(text: string, cuts: readonly number[]): readonly Block[] {
  const source = new MarkdownBlocks();
  for (const cut of cuts.toSorted((one, other) => one - other)) source.update(text.slice(0, cut));
  return source.update(text);
}

test("K6: an answer has the same blocks whether it comes at once or character by character", () => {
  const whole = plain(new MarkdownBlocks().update(ANSWER));
  expect(whole).toEqual(
    plain(
      streamed(
        ANSWER,
        Array.from(ANSWER, (_, at) => at),
      ),
    ),
  );
  expect(whole).toContainEqual(["ts", "const a = 1;\n\n// blank lines stay", false]);
  expect(whole).toContainEqual(["", "```\nnot an end", false]);
  expect(whole.at(-1)).toEqual(["paragraph", "The end"]);
});

test("K6: an answer has the same blocks wherever its pieces are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: ANSWER.length }), { maxLength: 12 }), (cuts) => {
      expect(plain(streamed(ANSWER, cuts))).toEqual(plain(new MarkdownBlocks().update(ANSWER)));
    }),
    { numRuns: 100 },
  );
});

test("K6: every character of any text is in a block, and nothing throws", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("a", " ", "\n", "`", "#", "-", ">", "*", "[", "]", "|", "<", "\t", "1", ".", "\r"),
      }),
      (text) => {
        const blocks = streamed(text, [Math.floor(text.length / 3), Math.floor((2 * text.length) / 3)]);
        const kept = blocks
          .map((block) => (block.type === "code" ? block.language + block.text : block.token.raw))
          .join("");
        const letters = (of: string): number => of.replace(/[^a1.]/g, "").length;
        expect(letters(kept)).toBe(letters(text));
      },
    ),
    { numRuns: 500 },
  );
});

test("K6: blocks that can no longer change stay the same objects, so that they are not rendered again", () => {
  const source = new MarkdownBlocks();
  const before = source.update(ANSWER.slice(0, ANSWER.indexOf("After it.")));
  const after = source.update(ANSWER);
  const same = before.filter((block, at) => block === after[at]);
  expect(same.length).toBeGreaterThanOrEqual(before.length - 2);
  expect(after.map(({ key }) => key)).toEqual(after.map((_, at) => at));
});

test("K6: a text that is replaced by another one starts anew", () => {
  const source = new MarkdownBlocks();
  source.update(ANSWER);
  expect(plain(source.update("Another"))).toEqual([["paragraph", "Another"]]);
});

test("K6: Windows line ends are line ends", () => {
  expect(plain(new MarkdownBlocks().update("a\r\n\r\n```js\r\nx\r\n```\r\n"))).toEqual([
    ["paragraph", "a"],
    ["js", "x", false],
  ]);
});

test.each([
  ["a code block of 1 MB", `\`\`\`\n${"const x = 1; // line\n".repeat(50_000)}`],
  ["1 MB of prose without an end of a block", "word ".repeat(200_000)],
  ["1 MB of lines", "line\n".repeat(200_000)],
  ["a list of 1 MB", "- item of the list\n".repeat(55_000)],
  ["20,000 open brackets", "[".repeat(20_000)],
  ["20,000 open emphases", "*a ".repeat(20_000)],
  ["10,000 nested quotes", ">".repeat(10_000)],
  ["10,000 nested list items", Array.from({ length: 300 }, (_, at) => `${" ".repeat(2 * at)}- a`).join("\n")],
  ["20,000 backticks", "`a``".repeat(10_000)],
  ["20,000 pipes", "|".repeat(20_000)],
  ["20,000 angle brackets", "<a ".repeat(10_000)],
])("K6: %s, streamed in 200 pieces, costs a bounded time for each", (_, text) => {
  const source = new MarkdownBlocks();
  let longestMs = 0;
  for (let piece = 1; piece <= 200; piece++) {
    const startMs = performance.now();
    source.update(text.slice(0, Math.ceil((text.length * piece) / 200)));
    longestMs = Math.max(longestMs, performance.now() - startMs);
  }
  // A frame in which the page stands still for a moment; in practice a few milliseconds.
  expect(longestMs).toBeLessThan(1000);
});

test("B4: only absolute links to the web and to mail addresses can be followed", () => {
  expect(safeLink("https://example.org/a?b#c")).toBe("https://example.org/a?b#c");
  expect(safeLink("HTTP://EXAMPLE.org")).toBe("http://example.org/");
  expect(safeLink("mailto:a@example.org")).toBe("mailto:a@example.org");
  const refused = [
    "javascript:alert(1)",
    "java\nscript:alert(1)",
    " javascript:x",
    "data:text/html,x",
    "file:///etc/passwd",
  ];
  for (const href of [
    ...refused,
    "vbscript:x",
    "blob:x",
    "//example.org",
    "/api/session",
    "a",
    "",
    "http://",
    "\u0000",
  ])
    expect(safeLink(href), href).toBeUndefined();
});

test("B4: entities become characters, and what is no entity stays", () => {
  expect(decodeEntities("a &amp; b &lt;script&gt; &#39;&#x41;&nbsp;")).toBe("a & b <script> 'A\u00a0");
  expect(decodeEntities("&bogus; &#0; &#x110000; &; & &amp")).toBe("&bogus; &#0; &#x110000; &; & &amp");
  expect(decodeEntities("&valueOf; &toString;")).toBe("&valueOf; &toString;");
});

test("K6: chunks of long code add up to the code and do not change while it grows", () => {
  const code = "x = 1\n".repeat(20_000);
  const chunks = new CodeChunks();
  let before: readonly string[] = [];
  for (let length = 0; length <= code.length; length += 3333) {
    const now = chunks.update(code.slice(0, length));
    expect(now.join("")).toBe(code.slice(0, length));
    expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    before = now;
  }
  expect(before.length).toBeLessThan(20);
  expect(chunks.update("short")).toEqual(["short"]);
});
