import { afterEach, expect, test } from "vitest";
import { unansweredIn } from "../../src/hosts/chat/state/unanswered.ts";
import type { Message } from "../../src/wire/index.ts";
import { ChatScreen, ENTER } from "../hosts/chat/chat-screen.ts";
import { says } from "../support/scripted-provider.ts";

let screen: ChatScreen | undefined;
afterEach(() => screen?.close());

const user: Message = { role: "user", content: "Why is the sky blue?" };
const answer = (stopReason: "end" | "tool-use" | "error" | "aborted"): Message => ({
  ...{ role: "assistant", parts: [{ type: "text", text: "Because" }], model: "acme/large", stopReason },
});
const result: Message = { role: "tool", toolCallId: "t1", toolName: "read", content: "x", isError: false };
const entries = (...messages: readonly Message[]) => messages.map((data) => ({ type: "message", data }) as const);

test("S6: a message is unanswered until its last answer is complete", () => {
  expect(unansweredIn([])).toBeUndefined();
  expect(unansweredIn(entries(user))).toBe("Why is the sky blue?");
  expect(unansweredIn(entries(user, answer("tool-use")))).toBe("Why is the sky blue?");
  expect(unansweredIn(entries(user, answer("tool-use"), result))).toBe("Why is the sky blue?");
  expect(unansweredIn(entries(user, answer("error")))).toBe("Why is the sky blue?");
  expect(unansweredIn(entries(user, answer("end")))).toBeUndefined();
  expect(unansweredIn(entries(user, answer("aborted")))).toBeUndefined();
});

test("S6: a resumed conversation offers the message that a crash left without an answer", async () => {
  screen = new ChatScreen();
  screen.world.provider("acme", [[{ type: "hang" }], says("Because of the air.")]);
  await screen.open({ conversationId: "crashed" });
  await screen.say("Why is the sky blue?");
  await screen.shows("Working…");
  // As after kill -9: the entries stay as they are, and the next process reads them.
  const second = new ChatScreen();
  await second.world.conversations.create({ id: "crashed", title: "Why" });
  await second.world.conversations.append("crashed", await screen.world.conversations.read("crashed"));
  second.world.provider("acme", [says("Because of the air.")]);
  await screen.close();
  screen = second;
  await second.open({ conversationId: "crashed" });
  await second.shows("· Your last message has no answer yet. Press Enter to send it again.");
  await second.shows("\n❯ Why is the sky blue?\nacme/large");
  await second.press(ENTER);
  await second.pass(1);
  await second.shows("Because of the air.");
});

test("S6: what is typed already stays when such a conversation is opened", async () => {
  screen = await ChatScreen.start([[{ type: "hang" }]]);
  await screen.say("Unanswered");
  await screen.shows("Working…");
  const { chat } = screen;
  const away = chat.go("other");
  await screen.world.time.until(away);
  await screen.press("half a thought");
  await screen.shows("❯ half a thought");
  await screen.world.time.until(chat.go("c1"));
  await screen.shows("❯ half a thought");
});
