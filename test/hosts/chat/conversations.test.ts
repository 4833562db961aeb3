import { afterEach, describe, expect, test } from "vitest";
import { emits, says } from "../../support/scripted-provider.ts";
import { until } from "../../support/until.ts";
import { ChatScreen } from "./chat-screen.ts";

const ESC = "\u001b";
const ENTER = "\r";
const DOWN = emits(503, "HTTP 503: down for a while");

let screen: ChatScreen;
afterEach(() => screen.close());

async function open(script: Parameters<ChatScreen["world"]["provider"]>[1], columns = 80, rows = 24): Promise<void> {
  screen = new ChatScreen(columns, rows);
  screen.world.provider("acme", script);
  await screen.open();
}

async function say(text: string): Promise<void> {
  await screen.press(text, ENTER);
  await screen.pass(1);
}

describe("commands and conversations on the screen", () => {
  test("S8: during a wait /retry alone tries again; a slip does not", async () => {
    await open([DOWN, says("there")]);
    await say("Hello");
    await screen.shows("Retrying (1/3) in 2s…");
    for (const slip of ["bogus", "now please"]) await say(`/retry ${slip}`);
    await until(() => screen.text().split("/retry takes now, on or off").length === 3);
    await screen.shows("Retrying (1/3) in 2s…");
    expect(screen.world.providers.get("acme")?.requests).toHaveLength(1);
    await say("/retry");
    await screen.shows("there");
    expect(screen.world.time.nowMs).toBeLessThan(200);
  });

  test("S10: going to another conversation during a wait ends its retries; what was not heard is in the input", async () => {
    await open([DOWN, says("there")], 80, 40);
    await say("Hello");
    await screen.shows("Retrying (1/3)");
    await say("And at night?");
    await screen.shows("next: And at night?");
    await say("/sessions new");
    await screen.hides("Hello");
    await screen.shows("❯ And at night?");
    expect(screen.text()).not.toContain("next:");
    expect(screen.world.kept("prompt_dropped")).toHaveLength(1);
    await screen.press(ENTER);
    await screen.pass(1);
    await screen.shows("there");
    await say("/info");
    await screen.shows("Cancelled: 1");
    await screen.shows("Retries: 0");
  });

  test("S10: each conversation is listed with an id of its own, and exported under a name of its own", async () => {
    screen = new ChatScreen(90, 50);
    screen.world.provider("acme", [says("ok")]);
    const process = "04eofq31xxxxx0yyyyyy0-";
    await screen.open({ conversationId: `${process}1` });
    await say("First");
    await screen.shows("ok");
    await screen.chat.go(`${process}9`);
    await say("Second");
    await screen.shows("ok");
    await say("/sessions");
    await screen.shows("2 entries · 04eofq31-1");
    await screen.shows("04eofq31-9");
    await say("/sessions 04eofq31");
    await screen.shows('this begins 2: 04eofq31-1 ("First"),\n  04eofq31-9 ("Second")');
    for (let count = 0; count < 2; count++) await say("/export");
    await screen.shows("Written to secondwind-04eofq31-9.2.md");
    await say("/sessions 04eofq31-1");
    await screen.shows("❯ First");
    await say("/export");
    await screen.shows("Written to secondwind-04eofq31-1.md");
  });

  test("S10: a conversation that is taken up again is on the screen, and in the history of the input", async () => {
    await open([says("first answer"), says("second answer")], 80, 40);
    await say("Hello");
    await screen.shows("first answer");
    await say("/sessions new");
    await screen.hides("first answer");
    await say("Again");
    await screen.shows("second answer");
    await say("/sessions");
    await screen.shows("Conversations");
    await say("/sessions c1");
    await screen.shows("first answer");
    await screen.hides("second answer");
    await screen.press(`${ESC}[A`);
    await until(() => screen.text().split("❯ Hello").length === 3);
  });
});
