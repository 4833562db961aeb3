import { afterEach, describe, expect, test } from "vitest";
import { says } from "../../support/scripted-provider.ts";
import { until } from "../../support/until.ts";
import { ChatScreen } from "./chat-screen.ts";

const CTRL_L = "\f";
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

let screen: ChatScreen;
afterEach(() => screen.close());

async function open(columns = 80, rows = 24): Promise<void> {
  screen = new ChatScreen(columns, rows);
  screen.world.provider("acme", [says("ok")]);
  await screen.open();
}

describe("the screen painted anew", () => {
  test("S10: Ctrl-L shows what was there, where it was", async () => {
    await open();
    await screen.press("abc");
    await screen.shows("❯ abc");
    await moment();
    const [lines, cursor] = [screen.lines(), screen.cursor()];
    await screen.press(CTRL_L);
    await moment();
    expect(screen.lines()).toEqual(lines);
    expect(screen.cursor()).toEqual(cursor);
    expect(cursor[1]).toBe("❯ abc".length);
  });

  test("S10: another size that changes nothing in the text leaves no empty screen", async () => {
    await open();
    await screen.press("abc");
    await screen.shows("❯ abc");
    const lines = screen.lines();
    for (const [columns, rows] of [
      [80, 30],
      [100, 30],
      [90, 28],
    ] as const) {
      screen.resize(columns, rows);
      await moment();
      expect(screen.lines()).toEqual(lines);
    }
  });

  test("S10: a window that gets lower keeps the scrollback, and the cursor stays in the input", async () => {
    await open(80, 24);
    for (const command of ["/help", "/config", "/help"]) await screen.press(command, "\r");
    await screen.press("abc");
    await screen.shows("❯ abc");
    for (const rows of [20, 14, 18, 24]) {
      screen.resize(80, rows);
      await moment();
      await until(() => screen.cursor()[0] === screen.lines().findIndex((line) => line.includes("❯ abc")));
    }
    // What erases the lines from before the chat.
    expect(screen.bytes).not.toContain("\u001b[3J");
  });
});
