import { afterEach, expect, test } from "vitest";
import { ChatScreen, ESC } from "../hosts/chat/chat-screen.ts";
import { says } from "../support/scripted-provider.ts";

const WHEEL_UP = `${ESC}[<64;10;5M`;
const WHEEL_DOWN = `${ESC}[<65;10;5M`;
const PRESS = `${ESC}[<0;10;5M`;
const RELEASE = `${ESC}[<0;10;5m`;
const [MOUSE_ON, MOUSE_OFF] = [`${ESC}[?1000h${ESC}[?1006h`, `${ESC}[?1006l${ESC}[?1000l`];

let screen: ChatScreen;
afterEach(() => screen.close());

async function withLongAnswer(): Promise<void> {
  const lines = Array.from({ length: 60 }, (_, at) => `- line ${at + 1}`).join("\n");
  screen = await ChatScreen.start([says(lines)], 60, 20);
  await screen.say("Go");
  await screen.shows("line 60");
}

test("S10: the mouse wheel scrolls the conversation by three lines, and down to its end again", async () => {
  await withLongAnswer();
  expect(screen.bytes).toContain(MOUSE_ON);
  await screen.press(WHEEL_UP);
  await screen.hides("line 60");
  await screen.shows("line 57\n");
  screen.send(WHEEL_UP.repeat(5));
  await screen.hides("line 45");
  screen.send(WHEEL_DOWN.repeat(10));
  await screen.shows("line 60");
  await screen.hides("PgDn scrolls down.");
});

test("S10: the wheel does not touch the input", async () => {
  await withLongAnswer();
  await screen.press("typed", WHEEL_UP, WHEEL_DOWN, RELEASE);
  await screen.shows("❯ typed\n");
});

test("S10: a click leaves the mouse to the terminal for selecting text, until the next key", async () => {
  await withLongAnswer();
  screen.bytes = "";
  await screen.press(PRESS, RELEASE);
  await screen.shows("Drag to select text. The wheel scrolls again after the next");
  expect(screen.bytes).toContain(MOUSE_OFF);
  screen.bytes = "";
  await screen.press("a");
  await screen.hides("Drag to select text");
  await screen.shows("❯ a");
  expect(screen.bytes).toContain(MOUSE_ON);
});

test("S10: arrow keys that a terminal sends for its wheel scroll, and leave the history alone", async () => {
  await withLongAnswer();
  await screen.press(PRESS, `${ESC}[A`);
  await screen.shows("line 57\n");
  expect(screen.text()).not.toContain("❯ Go");
});

test("S10: /mouse off leaves the mouse to the terminal, and so does the end of the chat", async () => {
  await withLongAnswer();
  screen.bytes = "";
  await screen.say("/mouse off");
  await screen.shows("The terminal has the mouse");
  expect(screen.bytes).toContain(MOUSE_OFF);
  await screen.press("x");
  await screen.shows("❯ x");
  expect(screen.bytes).not.toContain(MOUSE_ON);
  screen.bytes = "";
  screen.chat.leave();
  await screen.left;
  expect(screen.bytes).toContain(MOUSE_OFF);
});
