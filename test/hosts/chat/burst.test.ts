import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { layoutGrowing } from "../../../src/hosts/chat/layout/layout-growing.ts";
import { layoutMarkdown } from "../../../src/hosts/chat/layout/layout-markdown.ts";
import { harmless } from "../../../src/hosts/chat/layout/line.ts";
import { type Piece, says } from "../../support/scripted-provider.ts";
import { until } from "../../support/until.ts";
import { ChatScreen } from "./chat-screen.ts";

let screen: ChatScreen | undefined;
afterEach(async () => {
  await screen?.close();
  screen = undefined;
});

/** Words in paragraphs of 200, all there at once, as a proxy gives them that has held them back. */
const words = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${at % 200 === 0 ? "\n\n" : ""}word${at} `);

async function open(answer: readonly Piece[]): Promise<ChatScreen> {
  const opened = new ChatScreen(80, 24);
  screen = opened;
  opened.world.provider("acme", [answer]);
  await opened.open();
  return opened;
}

/** The longest time for which nothing else got its turn. */
function watchTurns(): () => number {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

describe("an answer that comes all at once", () => {
  test("S10: is shown to its end in a moment, a few pictures of it, and keys have their turn meanwhile", async () => {
    const shown = await open(says(...words(8000), "THEEND"));
    const before = shown.bytes.length;
    const longestMs = watchTurns();
    const startMs = performance.now();
    await shown.press("Go", "\r");
    await until(() => shown.text().includes("THEEND"), 20_000);
    const tookMs = performance.now() - startMs;
    expect(longestMs()).toBeLessThan(1000);
    expect(tookMs).toBeLessThan(6000);
    // A picture is at most 24 lines of 80 columns.
    expect((shown.bytes.length - before) / (24 * 80)).toBeLessThan(tookMs / 33 + 20);
    expect([shown.chat.session.isStreaming, shown.world.kept("message")]).toMatchObject([
      false,
      [{}, { data: { stopReason: "end" } }],
    ]);
  }, 120_000);

  test("S10: Esc stops it within a second, and what is typed meanwhile appears", async () => {
    const shown = await open(says(...words(100_000), "THEEND"));
    await shown.press("Go", "\r");
    await shown.shows("word");
    await shown.press("typed");
    const startMs = performance.now();
    await shown.press("\u001b");
    await until(() => !shown.chat.session.isStreaming, 60_000);
    expect(performance.now() - startMs).toBeLessThan(1000);
    await shown.shows("Stopped.");
    await shown.shows("❯ typed");
    expect(shown.world.kept("message").at(-1)).toMatchObject({ data: { stopReason: "aborted" } });
  }, 120_000);

  test("S10: a layout that grows piece by piece equals the layout of the whole text", () => {
    const piece = fc.constantFrom(
      ..."# |- |  - |3. |> |```\n|~~~\n|\n|\n\n|\r\n|\r| |    |word|海|**|`|\u001b[31m|\u001b]0;|\u0007|x\\*".split(
        "|",
      ),
      ...["| a ", "| b |\n", "|---|:-:|\n", "\\|", "```ts\n", "```py\n", "/* ", "*/", '"""', "`"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom(20, 40), (pieces, width) => {
        let text = "";
        for (const one of pieces) {
          text += one;
          expect(layoutGrowing(text, width)).toEqual(layoutMarkdown(harmless(text), width));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
