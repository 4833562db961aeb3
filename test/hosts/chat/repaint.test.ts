import { afterEach, describe, expect, test } from "vitest";
import { until } from "../../support/until.ts";
import { ChatScreen } from "./chat-screen.ts";

const CTRL_L = "\f";
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

let screen: ChatScreen;
afterEach(() => screen.close());

describe("redrawing the screen", () => {
  test("S10: Ctrl-L redraws the same screen and keeps the cursor", async () => {
    screen = await ChatScreen.start();
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

  test("S10: a resize that changes no line does not leave an empty screen", async () => {
    screen = await ChatScreen.start();
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

  test("S10: a shorter window keeps the scrollback and the cursor in the input", async () => {
    screen = await ChatScreen.start();
    for (const command of ["/help", "/config", "/help"]) await screen.press(command, "\r");
    await screen.press("abc");
    await screen.shows("❯ abc");
    for (const rows of [20, 14, 18, 24]) {
      screen.resize(80, rows);
      await moment();
      await until(() => screen.cursor()[0] === screen.lines().findIndex((line) => line.includes("❯ abc")));
    }
    // The sequence that erases the scrollback.
    expect(screen.bytes).not.toContain("\u001b[3J");
  });
});
