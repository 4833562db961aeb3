import { afterEach, expect, test } from "vitest";
import { layoutInput } from "../../src/hosts/chat/layout/layout-input.ts";
import { edit, emptyEditor } from "../../src/hosts/chat/state/editor.ts";
import { ChatScreen, ESC } from "../hosts/chat/chat-screen.ts";
import { says } from "../support/scripted-provider.ts";

let screen: ChatScreen;
afterEach(() => screen?.close());

const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join("\n");

function shown(text: string, height: number, width = 40): readonly string[] {
  const editor = edit(emptyEditor(), { type: "insert", text });
  return layoutInput(editor, width, height).lines.map((line) => line.map((span) => span.text).join(""));
}

test("S10: a long paste shows how many lines are hidden, above and below the cursor", async () => {
  screen = await ChatScreen.start([says("ok")], 80, 24);
  await screen.press(`${ESC}[200~${numbered(52)}${ESC}[201~`);
  await screen.shows("  … 45 lines above\n  line 46\n");
  await screen.shows("  line 52\nacme/large");
  for (let count = 0; count < 20; count++) screen.send(`${ESC}[A`);
  await screen.shows("… 31 lines above, 14 lines below");
  const [row, column] = screen.cursor();
  expect([screen.lines()[row], column]).toEqual(["  line 32", 9]);
});

test("S10: the count disappears when everything fits, and never takes the last line", () => {
  expect(shown(numbered(3), 3)).toEqual(["❯ line 1", "  line 2", "  line 3"]);
  expect(shown(numbered(3), 2)).toEqual(["  … 2 lines above", "  line 3"]);
  expect(shown(numbered(3), 1)).toEqual(["  line 3"]);
});

test("S10: rows of one long line count too", () => {
  expect(shown("x".repeat(100), 3, 23)).toEqual([
    "  … 3 lines above",
    "  xxxxxxxxxxxxxxxxxxxx",
    "  xxxxxxxxxxxxxxxxxxxx",
  ]);
});
