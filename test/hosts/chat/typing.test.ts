import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { says } from "../../support/scripted-provider.ts";
import { ChatScreen, DOWN, ESC } from "./chat-screen.ts";

let screen: ChatScreen;
afterEach(() => screen.close());

describe("typing into a chat", () => {
  test.each([
    ["Ctrl-F1", "[1;5P"],
    ["Ctrl-F2", "[1;5Q"],
    ["Ctrl-F4", "[1;5S"],
    ["Ctrl-Shift-Tab", "[1;6I"],
    ["focus gained", "[I"],
    ["focus lost", "[O"],
    ["F13", "[25~"],
    ["Ctrl-Enter of some terminals", "[27;5;13~"],
    ["a click", "[<0;35;12M"],
    ["a click in the old encoding", "[M !!"],
    ["F1 of the Linux console", "[[A"],
    ["a reply about colours", "]11;rgb:0000/0000/0000\u0007"],
    ["a reply about the terminal", "P>|tmux 3.3a\u001b\\"],
  ])("S10: an unused key has no effect: %s", async (_, sequence) => {
    screen = await ChatScreen.start();
    await screen.press("ab", ESC + sequence, "cd");
    await screen.shows("❯ abcd");
  });

  test("S10: pasted text loses its escape sequences", async () => {
    screen = await ChatScreen.start();
    await screen.press(`${ESC}[200~${ESC}[31mred${ESC}[0m\r\nand ${ESC}]0;title\u0007plain${ESC}[201~`, "!");
    await screen.shows("❯ red\n  and plain!");
    expect(screen.world.providers.get("acme")?.requests).toEqual([]);
  });

  test("S10: several keys in one read act as separate keys", async () => {
    screen = await ChatScreen.start();
    await screen.press("abcd", "\u007f\u007f\u007f");
    await screen.shows("❯ a\n");
    await screen.press(`${ESC}[D${ESC}[DX${ESC}[CY`);
    await screen.shows("❯ XaY\n");
    await screen.press("draft\u0003");
    await screen.shows("❯ XaYdraft");
    await screen.shows("Press Ctrl-C again to quit.");
  });

  test("S10: two Ctrl-C in one read quit", async () => {
    screen = await ChatScreen.start();
    await screen.press("\u0003\u0003");
    await screen.left;
  });

  test("B8: two Enter in one read retry now", async () => {
    screen = await ChatScreen.start([DOWN, says("there")]);
    await screen.press("Hello", "\r");
    await screen.pass(1);
    await screen.shows("Retrying (1/3)");
    await screen.press("\r\r");
    await screen.pass(1);
    await screen.shows("there");
    await screen.shows("❯\nacme");
  });

  test("S10: Delete removes the character after the cursor, Backspace the one before it", async () => {
    screen = await ChatScreen.start();
    await screen.press("abc", `${ESC}[D`, `${ESC}[D`, `${ESC}[3~`);
    await screen.shows("❯ ac\n");
    await screen.press("\u007f");
    await screen.shows("❯ c\n");
  });

  test("S10: a sequence split over several reads is one key, and a lone escape becomes Esc", async () => {
    screen = await ChatScreen.start();
    await screen.press("abc");
    for (const read of [ESC, "[", "3", "~", ESC, "[D"]) {
      screen.send(read);
      await sleep(2);
    }
    await screen.press("x");
    await screen.shows("❯ abxc");
    const half = Buffer.from("é");
    screen.send(half.subarray(0, 1));
    await sleep(2);
    screen.send(half.subarray(1));
    await screen.shows("❯ abxéc");
    await screen.press(ESC);
    await screen.hides("abxéc");
  });

  test("S10: without bracketed paste, several lines in one read are not sent, but a single line with Enter is", async () => {
    screen = await ChatScreen.start();
    await screen.press("one\r\ttwo\r\rthree\r");
    await screen.shows("❯ one\n      two\n\n  three\n");
    expect(screen.world.providers.get("acme")?.requests).toEqual([]);
    await screen.press(ESC, "Hello\r");
    await screen.pass(1);
    await screen.shows("ok");
    expect(screen.world.kept("message")[0]?.data).toMatchObject({ content: "Hello" });
  });

  test("S10: enables kitty's keyboard protocol where the terminal has it, and disables it on exit", async () => {
    screen = new ChatScreen();
    screen.world.provider("acme", [says("ok")]);
    await screen.open({}, { TERM: "xterm-kitty" });
    expect(screen.bytes).toContain(`${ESC}[>1u`);
    await screen.press("one", `${ESC}[13;2u`, "two", `${ESC}[99;5u`);
    await screen.shows("❯ one\n  two");
    await screen.shows("Press Ctrl-C again to quit.");
    await screen.press(`${ESC}[27u`);
    await screen.hides("one");
    await screen.close();
    expect(screen.bytes.endsWith(`${ESC}[<u${ESC}[?2004l${ESC}[?1049l`)).toBe(true);
  });
});
