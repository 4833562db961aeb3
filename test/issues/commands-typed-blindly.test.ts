import { afterEach, describe, expect, test } from "vitest";
import { CommandTable } from "../../src/hosts/chat/commands/command-table.ts";
import { placeOf } from "../../src/hosts/chat/completion/place-of.ts";
import { ChatScreen, DOWN, ENTER, ESC } from "../hosts/chat/chat-screen.ts";
import { says } from "../support/scripted-provider.ts";

const TAB = "\t";
const [UP, DOWN_KEY] = [`${ESC}[A`, `${ESC}[B`];

let screen: ChatScreen;
afterEach(() => screen?.close());

describe("the menu of commands", () => {
  test("S10: a slash opens a menu of all commands, which narrows while the name is typed", async () => {
    screen = await ChatScreen.start();
    await screen.press("/");
    await screen.shows("› /help      show this page");
    await screen.shows("  /model     [provider/model] list the models, or switch to one");
    await screen.shows("… ");
    await screen.press("m");
    await screen.hides("/help  ");
    await screen.shows("› /model");
    await screen.press("\u007f", "\u007f");
    await screen.hides("/model");
  });

  test("S10: Enter runs the selected command, Down and Up select another", async () => {
    screen = await ChatScreen.start([says("ok")], 80, 40);
    await screen.press("/in", ENTER);
    await screen.shows("This conversation");
    await screen.press("/", UP);
    await screen.shows("› /quit");
    await screen.press(DOWN_KEY, DOWN_KEY);
    await screen.shows("› /info");
    await screen.press(ESC);
    await screen.hides("› /info");
    await screen.shows("❯ /");
  });

  test("S10: Esc cancels the retry while its countdown shows, even with an open menu", async () => {
    screen = await ChatScreen.start([DOWN]);
    await screen.say("Hello");
    await screen.shows("Retrying (1/3)");
    await screen.press("/");
    await screen.shows("› /help");
    await screen.press(ESC);
    await screen.pass(1);
    await screen.shows("Retry cancelled");
  });

  test("S10: commands recalled from the history do not open the menu", async () => {
    screen = await ChatScreen.start([says("ok")], 80, 60);
    await screen.say("/keys");
    await screen.say("/info");
    await screen.press(UP, UP);
    await screen.shows("❯ /keys");
    expect(screen.text()).not.toContain("›");
  });

  test("S10: Tab completes a command, then its argument", async () => {
    screen = await ChatScreen.start();
    await screen.press("/mo", TAB);
    await screen.shows("❯ /model\n");
    await screen.shows("  acme/large\n  acme/small");
    await screen.press(TAB);
    await screen.shows("❯ /model acme/");
    await screen.press("s", TAB, ENTER);
    await screen.shows("Model: acme/small");
  });

  test("S10: Enter sends a command without an argument although the menu offers some", async () => {
    screen = await ChatScreen.start([says("ok")], 80, 40);
    await screen.press("/model ", ENTER);
    await screen.shows("acme/large (active)");
  });

  test("S10: Tab completes conversations with their titles, settings, and switches", async () => {
    screen = await ChatScreen.start([says("ok")], 80, 40);
    await screen.say("First question");
    await screen.shows("ok");
    await screen.say("/sessions new");
    await screen.hides("First question");
    await screen.press("/sessions ");
    await screen.shows("c1   First question");
    await screen.press("c", TAB, ENTER);
    await screen.shows("❯ First question");
    await screen.press("/config retry.en", TAB);
    await screen.shows("❯ /config retry.enabled\n");
    await screen.shows("  true");
    await screen.press("f", TAB);
    await screen.shows("❯ /config retry.enabled false");
  });

  test("S10: @ completes files of the folder that the agent reads, folder by folder", async () => {
    screen = new ChatScreen();
    screen.world.provider("acme", [says("ok")]);
    const file = (name: string) => ({ name, isFolder: false });
    screen.folders = {
      ".": [{ name: "docs", isFolder: true }, file("README.md"), file(".env")],
      "docs/": [file("store.md"), file("terminal.md")],
    };
    await screen.open();
    await screen.press("Read @");
    await screen.shows("  @docs/\n  @README.md\n❯ Read @");
    expect(screen.text()).not.toContain(".env");
    await screen.press("d", TAB);
    await screen.shows("@docs/store.md\n");
    await screen.press("ter", TAB, "now");
    await screen.shows("❯ Read @docs/terminal.md now");
    await screen.press(" @nowhere/");
    await screen.hides("@docs/store.md");
  });

  test("S10: Tab and Enter right after a letter use what is typed, not the menu of the text before", async () => {
    screen = new ChatScreen(80, 24);
    screen.world.provider("acme", [says("ok")]);
    const file = (name: string) => ({ name, isFolder: false });
    screen.folders = { ".": [file("apple.md"), file("banana.md")] };
    await screen.open();
    await screen.press("see @");
    await screen.shows("@apple.md");
    // One read: nothing can be looked up in between.
    screen.send(`b${TAB}`);
    await screen.shows("❯ see @banana.md");
    await screen.press("and @", DOWN_KEY);
    await screen.shows("› @apple.md");
    screen.send("b");
    screen.send(ENTER);
    await screen.shows("❯ see @banana.md and @b\n\nok");
  });

  test("S10: the menu fits into a small window", async () => {
    screen = await ChatScreen.start([says("ok")], 40, 8);
    await screen.press("/");
    await screen.shows("› /help");
    expect(screen.lines().length).toBeLessThan(8);
    expect(screen.lines().at(-1)).toContain("acme/large");
    expect(screen.lines().at(-2)).toBe("❯ /");
  });
});

test("S10: only the word before the cursor is completed", () => {
  expect(placeOf({ text: "/he", cursor: 3 })).toEqual({ kind: "command", from: 0, word: "/he" });
  expect(placeOf({ text: "/help", cursor: 2 })).toBeUndefined();
  expect(placeOf({ text: "/config  retry.enabled t", cursor: 24 })).toEqual({
    ...{ kind: "argument", from: 23, word: "t", name: "config", words: ["retry.enabled"] },
  });
  expect(placeOf({ text: "mail me@example", cursor: 15 })).toBeUndefined();
  expect(placeOf({ text: "a\n@b", cursor: 4 })).toEqual({ kind: "file", from: 2, word: "@b" });
  expect(placeOf({ text: "/a\nb", cursor: 4 })).toBeUndefined();
});

test("S7: commands can be added and removed, but not twice under the same name", async () => {
  screen = await ChatScreen.start([says("ok")], 80, 60);
  const hello = { name: "hello", parameters: "", description: "greet", run: () => screen.chat.fail("Hello there") };
  const remove = screen.chat.commands.add(hello);
  expect(() => screen.chat.commands.add(hello)).toThrow('name must be a name that no other command has; got "hello"');
  expect(() => new CommandTable([{ ...hello, name: "Hello World" }])).toThrow(
    "name must be 1 to 31 lower case letters",
  );
  await screen.press("/hel");
  await screen.shows("/hello  greet");
  await screen.press("lo", ENTER);
  await screen.shows("Hello there");
  await screen.say("/help");
  await screen.shows("/hello greet");
  remove();
  await screen.say("/hello");
  await screen.shows("Unknown command: /hello");
});
