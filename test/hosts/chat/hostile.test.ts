import fc from "fast-check";
import { createElement } from "react";
import { afterEach, describe, expect, test } from "vitest";
import { layoutItem } from "../../../src/hosts/chat/layout/layout-item.ts";
import { layoutScreen } from "../../../src/hosts/chat/layout/layout-screen.ts";
import type { Line } from "../../../src/hosts/chat/layout/line.ts";
import { type ChatState, reduce } from "../../../src/hosts/chat/state/chat-state.ts";
import type { Item } from "../../../src/hosts/chat/state/item.ts";
import type { Theme } from "../../../src/hosts/chat/view/theme.ts";
import { textWidth } from "../../../src/terminal/index.ts";
import type { SessionEvent } from "../../../src/wire/index.ts";
import { FOREIGN } from "../../support/hostile-text.ts";
import { emits, type Piece } from "../../support/scripted-provider.ts";
import { often } from "../../support/soak.ts";
import { ChatScreen } from "./chat-screen.ts";
import { end, freshState, hear, start } from "./states.ts";

// After the view, whose loader hides a build server from Ink: Ink looks for one when it is loaded.
const { renderToString } = await import("ink");
const { Lines } = await import("../../../src/hosts/chat/view/lines.tsx");
const { themeFor } = await import("../../../src/hosts/chat/view/theme.ts");
const COLOURED = themeFor({});
const PLAIN = themeFor({ NO_COLOR: "1" });

const ESC = "\u001b";
/** Sequences that terminals act on, whole and broken, beside ordinary and odd text. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        `${ESC}[31m`,
        `${ESC}[2J`,
        `${ESC}]0;title\u0007`,
        `${ESC}]8;;http://x${ESC}\\`,
        `${ESC}c`,
        `${ESC}Pq`,
        `${ESC}_apc${ESC}\\`,
      ),
      fc.constantFrom(
        ESC,
        `${ESC}[`,
        `${ESC}]52;c;`,
        "\u009b31m",
        "\u009d0;t\u009c",
        "\u0007",
        "\b\b\b",
        "\r",
        "\u0000",
        "\u007f",
      ),
      fc.constantFrom(
        "\u202e",
        "\u2066",
        "\u200b",
        "\u200f",
        "\u061c",
        "\u2060",
        "\ufeff",
        "\u2028",
        "\ud800",
        "`",
        "**",
        "```\n",
        "# ",
        "\t",
        "\n",
        "[m",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.string({ unit: "grapheme", maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

/** The same text wherever a provider's, a tool's or a user's can get to. */
function screenWith(text: string): ChatState {
  const halves = [text.slice(0, text.length / 2), text.slice(text.length / 2)];
  const events: readonly SessionEvent[] = [
    { type: "agent_start" },
    { type: "message_end", messageId: "u1", message: { role: "user", content: text } },
    { type: "message_start", messageId: "a1", role: "assistant" },
    ...halves.map((delta): SessionEvent => ({ type: "message_delta", messageId: "a1", kind: "text", delta })),
    ...halves.map((delta): SessionEvent => ({ type: "message_delta", messageId: "a1", kind: "reasoning", delta })),
    { type: "tool_start", toolCallId: "t1", toolName: text, arguments: { [text]: text, deep: [text] } },
    { type: "tool_end", toolCallId: "t1", toolName: text, content: text, isError: false },
    { type: "retry_fallback_applied", from: text, to: text, role: "default" },
    { type: "warning", message: text },
    { type: "compaction_end", success: false, error: text },
    start(1, 2000, { errorMessage: text }),
    end({ success: false, attempt: 1, finalError: text, origin: "other" }),
  ];
  const state = hear({ ...freshState(), model: `acme/${text}`, size: { columns: 50, rows: 200 } }, 0, ...events);
  return reduce(reduce(state, { type: "steered", text }), { type: "toggle-expanded" });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: our own is what is looked for.
const OUR_COLOURS = /\u001b\[(?:1|2|3|22|23|31|32|33|36|39)m/g;
const isForeign = (text: string): boolean => FOREIGN.test(text) || text.includes("\t");

describe("foreign text on the screen", () => {
  test("S10: hostile texts as message, error, tool and model give no control character and no overlong line", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of layoutScreen(screenWith(text)).lines) {
          expect(textWidth(line.map(({ text: shown }) => shown).join(""))).toBeLessThan(50);
          for (const { text: shown } of line) if (isForeign(shown) || shown.includes("\n")) throw new Error(shown);
        }
      }),
      { numRuns: often(400, 10_000) },
    );
  }, 60_000);

  // Forty to a screen, because painting one is what takes the time.
  test.each([
    ["no escape byte but our own", COLOURED, OUR_COLOURS],
    ["without colour none", PLAIN, /(?!)/g],
  ] as const)(
    "S10: hostile messages and errors through Ink: %s",
    (_, theme, ours) => {
      fc.assert(
        fc.property(fc.array(hostile, { minLength: 40, maxLength: 40 }), (texts) => {
          const lines = texts.flatMap((text, index) =>
            layoutItem(itemOf(text, index), { width: 150, isExpanded: true }),
          );
          const painted = paint(lines, 150, theme);
          if (isForeign(painted.replace(ours, ""))) throw new Error(JSON.stringify(painted));
          // Errors are red: a test of colours that saw none would have looked at nothing.
          expect(painted.includes(`${ESC}[31m`)).toBe(theme === COLOURED);
        }),
        { numRuns: often(25, 250) },
      );
    },
    120_000,
  );

  test("S10: Ink cuts no line of our layout, in any script", () => {
    // Those that are measured one way by Ink and another way here are of the most interest.
    const odd = fc.constantFrom("1\u20e3", "ᄀ가ᅡᆨ", "❤‍🔥", "क्षि", "ｶﾞ", "☝🏽", "\u0600", "🇩", " ");
    const scripts = fc.string({
      unit: fc.oneof(odd, fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })),
      maxLength: 80,
    });
    fc.assert(
      fc.property(
        fc.array(scripts, { minLength: 20, maxLength: 20 }),
        fc.integer({ min: 12, max: 60 }),
        (texts, width) => {
          const lines = texts.flatMap((text, index) => layoutItem(itemOf(text, index), { width, isExpanded: true }));
          const wanted = lines.map((line) =>
            line
              .map(({ text }) => text)
              .join("")
              .trimEnd(),
          );
          expect(paint(lines, width, PLAIN).split("\n")).toEqual(wanted);
        },
      ),
      { numRuns: often(25, 1000) },
    );
  }, 60_000);
});

function paint(lines: readonly Line[], columns: number, theme: Theme): string {
  return renderToString(createElement(Lines, { lines, theme }), { columns });
}

function itemOf(text: string, index: number): Item {
  const id = String(index);
  return index % 2 === 0
    ? { kind: "assistant", id, text, reasoning: "", isStreaming: false }
    : { kind: "notice", id, tone: "error", text };
}

describe("a hostile stream", () => {
  let screen: ChatScreen;
  afterEach(() => screen.close());

  test("S10: an escape sequence never reaches the terminal, wherever the stream splits it", async () => {
    screen = new ChatScreen();
    const attack = `safe ${ESC}]0;OWNED\u0007 ${ESC}[2J${ESC}[31mred \u009b5mblink${ESC}Pq#0${ESC}\\ done`;
    const pieces: Piece[] = [...attack].flatMap((char): Piece[] => [
      { type: "text", text: char },
      { type: "pause", ms: 10 },
    ]);
    const finish: Piece[] = [{ type: "finish", reason: "end" }];
    screen.world.provider("acme", [[...pieces, ...finish], emits(400, `HTTP 400: ${attack}`)]);
    await screen.open({}, { NO_COLOR: "1" });
    await screen.press("Hello", "\r");
    await screen.pass(3000);
    await screen.shows("done");
    await screen.press("Again", "\r");
    await screen.pass(10);
    await screen.shows("HTTP 400: safe");
    for (const forbidden of [`${ESC}]`, `${ESC}P`, "\u009b", "\u0007"]) expect(screen.bytes).not.toContain(forbidden);
    // Of all sequences only those that move the cursor, rub out and switch modes: no colour either.
    const left = screen.bytes.replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
      /\u001b\[(?:\?(?:25|1000|1006|1049|2004|2026)[hl]|\d*(?:;\d+)?[ABCDGKJH])/g,
      "",
    );
    expect(left).not.toContain(ESC);
    expect(screen.text()).toContain("safe");
    expect(screen.text()).not.toContain("#0");
  });
});
