import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { emits, says } from "../../support/scripted-provider.ts";
import { ChatScreen } from "./chat-screen.ts";

const ESC = "\u001b";
const DOWN = emits(503, "HTTP 503: down for a while");

let screen: ChatScreen;
afterEach(() => screen.close());

async function open(script: Parameters<ChatScreen["world"]["provider"]>[1] = [says("ok")]): Promise<void> {
  screen = new ChatScreen();
  screen.world.provider("acme", script);
  await screen.open();
}

describe("what is typed into a chat", () => {
  test.each([
    ["Ctrl-F1", "[1;5P"],
    ["Ctrl-F2", "[1;5Q"],
    ["Ctrl-F4", "[1;5S"],
    ["Ctrl-Shift-Tab", "[1;6I"],
    ["the focus that comes", "[I"],
    ["the focus that goes", "[O"],
    ["F13", "[25~"],
    ["Ctrl-Enter of some terminals", "[27;5;13~"],
    ["a click", "[<0;35;12M"],
    ["a click, told the old way", "[M !!"],
    ["F1 of the Linux console", "[[A"],
    ["an answer about colours", "]11;rgb:0000/0000/0000\u0007"],
    ["an answer about the terminal", "P>|tmux 3.3a\u001b\\"],
  ])("S10: a key without a meaning types nothing and ends nothing: %s", async (_, sequence) => {
    await open();
    await screen.press("ab", ESC + sequence, "cd");
    await screen.shows("❯ abcd");
  });

  test("S10: text is pasted without its colours", async () => {
    await open();
    await screen.press(`${ESC}[200~${ESC}[31mred${ESC}[0m\r\nand ${ESC}]0;title\u0007plain${ESC}[201~`, "!");
    await screen.shows("❯ red\n  and plain!");
    expect(screen.world.providers.get("acme")?.requests).toEqual([]);
  });

  test("S10: keys that come in one read are keys by themselves", async () => {
    await open();
    await screen.press("abcd", "\u007f\u007f\u007f");
    await screen.shows("❯ a\n");
    await screen.press(`${ESC}[D${ESC}[DX${ESC}[CY`);
    await screen.shows("❯ XaY\n");
    await screen.press("draft\u0003");
    await screen.shows("❯ XaYdraft");
    await screen.shows("Ctrl-C again leaves.");
  });

  test("S10: Ctrl-C twice in one read leaves", async () => {
    await open();
    await screen.press("\u0003\u0003");
    await screen.left;
  });

  test("B8: Enter twice in one read retries now", async () => {
    await open([DOWN, says("there")]);
    await screen.press("Hello", "\r");
    await screen.pass(1);
    await screen.shows("Retrying (1/3)");
    await screen.press("\r\r");
    await screen.pass(1);
    await screen.shows("there");
    await screen.shows("❯\nacme");
  });

  test("S10: Delete takes the character after the cursor, Backspace the one before it", async () => {
    await open();
    await screen.press("abc", `${ESC}[D`, `${ESC}[D`, `${ESC}[3~`);
    await screen.shows("❯ ac\n");
    await screen.press("\u007f");
    await screen.shows("❯ c\n");
  });

  test("S10: a sequence that comes in two reads is one key; an escape alone is Esc after a moment", async () => {
    await open();
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

  test("S10: lines that are pasted where the terminal does not mark it send nothing; one line with its end does", async () => {
    await open();
    await screen.press("one\r\ttwo\r\rthree\r");
    await screen.shows("❯ one\n      two\n\n  three\n");
    expect(screen.world.providers.get("acme")?.requests).toEqual([]);
    await screen.press(ESC, "Hello\r");
    await screen.pass(1);
    await screen.shows("ok");
    expect(screen.world.kept("message")[0]?.data).toMatchObject({ content: "Hello" });
  });

  test("S10: keys are asked for in the terminal's better way where it has one, and given back", async () => {
    screen = new ChatScreen();
    screen.world.provider("acme", [says("ok")]);
    await screen.open({}, { TERM: "xterm-kitty" });
    expect(screen.bytes).toContain(`${ESC}[>1u`);
    await screen.press("one", `${ESC}[13;2u`, "two", `${ESC}[99;5u`);
    await screen.shows("❯ one\n  two");
    await screen.shows("Ctrl-C again leaves.");
    await screen.press(`${ESC}[27u`);
    await screen.hides("one");
    await screen.close();
    expect(screen.bytes.endsWith(`${ESC}[<u${ESC}[?2004l${ESC}[?1049l`)).toBe(true);
  });
});
