import { expect, test } from "vitest";
import { chooseConversation } from "../../../src/hosts/chat/build-chat.ts";
import type { ChatParts } from "../../../src/hosts/chat/chat-parts.ts";
import { MapConversations } from "../../support/map-store.ts";

test("S6: --session takes the id of a kept conversation or its beginning; nothing, and too much, are refused", async () => {
  const conversations = new MapConversations();
  await conversations.create({ id: "abc-1", title: "" });
  const parts = { conversations } as unknown as ChatParts;
  expect(await chooseConversation(parts, { session: "abc" })).toEqual({ conversationId: "abc-1" });
  const allowed = /^--session must be a text of 1 to 500 characters.*; got ".{0,61}"$/;
  await expect(chooseConversation(parts, { session: "" })).rejects.toThrow(allowed);
  await expect(chooseConversation(parts, { session: "x".repeat(501) })).rejects.toThrow(allowed);
});
