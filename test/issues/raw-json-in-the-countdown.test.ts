import { afterEach, expect, test } from "vitest";
import { ChatScreen } from "../hosts/chat/chat-screen.ts";
import { emits, says, throws } from "../support/scripted-provider.ts";

let screen: ChatScreen;
afterEach(() => screen.close());

const CTRL_O = "\u000f";
const OVERLOADED =
  'HTTP 529: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}';

test("S10: the countdown shows the reason in words, as the console does, and no JSON", async () => {
  screen = await ChatScreen.start([emits(529, OVERLOADED)]);
  await screen.say("Hello");
  await screen.shows("Retrying (1/3) in 2s… (esc to cancel)\n  enter: now · 529 Overloaded\n");
  expect(screen.text()).not.toContain("{");
});

test("S10: Ctrl-O shows the provider's message during the countdown, and hides it again", async () => {
  screen = await ChatScreen.start([emits(529, OVERLOADED)], 60, 20);
  await screen.say("Hello");
  await screen.shows("enter: now · 529 Overloaded");
  await screen.press(CTRL_O);
  await screen.shows('HTTP 529:\n  {"type":"error","error":{"type":"overloaded_error"');
  expect(screen.lines().filter((line) => line.includes("req_1"))).toHaveLength(1);
  await screen.press(CTRL_O);
  await screen.hides("req_1");
});

test("S10: the final error has the provider's message verbatim", async () => {
  screen = await ChatScreen.start([emits(529, OVERLOADED)], 200);
  await screen.say("Hello");
  await screen.pass(20_000);
  await screen.shows(`✗ Retry failed after 3 attempts: ${OVERLOADED}`);
});

test("S10: the countdown names a connection failure and its code", async () => {
  const reset = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  screen = await ChatScreen.start([throws(reset), says("there")]);
  await screen.say("Hello");
  await screen.shows("enter: now · Connection failed, ECONNRESET");
});

test("S10: the line about another key has the reason in words; Ctrl-O adds the provider's message", async () => {
  screen = new ChatScreen(80, 20);
  const limited = 'HTTP 429: {"error":{"message":"Rate limit reached for requests","type":"requests"}}';
  screen.world.provider("acme", [emits(429, limited), says("there")], ["key-1", "key-2"]);
  await screen.open();
  await screen.say("Hello");
  await screen.shows("there");
  await screen.shows("↻ Trying another key of acme (1/3): 429 Too Many Requests");
  expect(screen.text()).not.toContain("{");
  await screen.press(CTRL_O);
  await screen.shows('  HTTP 429: {"error":{"message":"Rate limit reached for\n  requests","type":"requests"}}');
});
