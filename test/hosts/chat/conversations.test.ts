import { afterEach, describe, expect, test } from "vitest";
import { says } from "../../support/scripted-provider.ts";
import { until } from "../../support/until.ts";
import { ChatScreen, DOWN, ENTER, ESC } from "./chat-screen.ts";

let screen: ChatScreen;
afterEach(() => screen.close());

describe("chat commands and conversations", () => {
  test("S8: /retry during a wait retries now, unless its argument is invalid", async () => {
    screen = await ChatScreen.start([DOWN, says("there")]);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3) in 2s…");
    for (const invalid of ["bogus", "now please"]) await screen.say(`/retry ${invalid}`);
    await until(() => screen.text().split("Usage: /retry [now|on|off]").length === 3);
    await screen.shows("Retrying (1/3) in 2s…");
    expect(screen.world.providers.get("acme")?.requests).toHaveLength(1);
    await screen.say("/retry");
    await screen.shows("there");
    expect(screen.world.time.nowMs).toBeLessThan(200);
  });

  test("S10: opening another conversation during a wait ends the retries and puts unread messages back into the input", async () => {
    screen = await ChatScreen.start([DOWN, says("there")], 80, 40);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3)");
    await screen.say("And at night?");
    await screen.shows("next: And at night?");
    await screen.say("/sessions new");
    await screen.hides("Hello");
    await screen.shows("❯ And at night?");
    expect(screen.text()).not.toContain("next:");
    expect(screen.world.kept("prompt_dropped")).toHaveLength(1);
    await screen.press(ENTER);
    await screen.pass(1);
    await screen.shows("there");
    await screen.say("/info");
    await screen.shows("Cancelled: 1");
    await screen.shows("Retries: 0");
  });

  test("S10: conversations have distinct short ids, and export to distinct files", async () => {
    screen = new ChatScreen(90, 50);
    screen.world.provider("acme", [says("ok")]);
    const process = "04eofq31xxxxx0yyyyyy0-";
    await screen.open({ conversationId: `${process}1` });
    await screen.say("First");
    await screen.shows("ok");
    await screen.chat.go(`${process}9`);
    await screen.say("Second");
    await screen.shows("ok");
    await screen.say("/sessions");
    await screen.shows("2 entries · 04eofq31-1");
    await screen.shows("04eofq31-9");
    await screen.say("/sessions 04eofq31");
    await screen.shows('this begins 2: 04eofq31-1 ("First"),\n  04eofq31-9 ("Second")');
    for (let count = 0; count < 2; count++) await screen.say("/export");
    await screen.shows("Exported to secondwind-04eofq31-9.2.md");
    await screen.say("/sessions 04eofq31-1");
    await screen.shows("❯ First");
    await screen.say("/export");
    await screen.shows("Exported to secondwind-04eofq31-1.md");
  });

  test("S10: a resumed conversation shows its messages, and Up recalls them", async () => {
    screen = await ChatScreen.start([says("first answer"), says("second answer")], 80, 40);
    await screen.say("Hello");
    await screen.shows("first answer");
    await screen.say("/sessions new");
    await screen.hides("first answer");
    await screen.say("Again");
    await screen.shows("second answer");
    await screen.say("/sessions");
    await screen.shows("Conversations");
    await screen.say("/sessions c1");
    await screen.shows("first answer");
    await screen.hides("second answer");
    await screen.press(`${ESC}[A`);
    await until(() => screen.text().split("❯ Hello").length === 3);
  });
});
