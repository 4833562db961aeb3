import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chooseConversation } from "../../../src/hosts/chat/build-chat.ts";
import type { ChatParts } from "../../../src/hosts/chat/chat-parts.ts";
import { writeNew } from "../../../src/hosts/chat/write-new.ts";
import { InvalidInput } from "../../../src/kernel/index.ts";
import { shortId } from "../../../src/session/find-conversation.ts";
import { createIdSource } from "../../../src/system/new-id.ts";
import { MapConversations } from "../../support/map-store.ts";

async function keeping(...ids: readonly string[]): Promise<ChatParts> {
  const conversations = new MapConversations();
  for (const id of ids) await conversations.create({ id, title: `About ${id.slice(-1)}` });
  return { conversations } as unknown as ChatParts;
}

describe("the conversation that is asked for", () => {
  test("S6: --session takes the id of a kept conversation or its beginning; nothing, and too much, are refused", async () => {
    const parts = await keeping("abc-1");
    expect(await chooseConversation(parts, { session: "abc" })).toEqual({ conversationId: "abc-1" });
    const allowed = /^--session must be a text of 1 to 500 characters.*; got ".{0,61}"$/;
    await expect(chooseConversation(parts, { session: "" })).rejects.toThrow(allowed);
    await expect(chooseConversation(parts, { session: "x".repeat(501) })).rejects.toThrow(allowed);
  });

  test("S6: a beginning that fits several is refused, with those that it fits", async () => {
    const newId = createIdSource();
    const ids = [newId(), newId(), newId()];
    const parts = await keeping(...ids);
    const [one = "", two = "", three = ""] = ids.map(shortId);
    expect(new Set([one, two, three]).size).toBe(3);
    const refused = chooseConversation(parts, { session: one.slice(0, 8) });
    await expect(refused).rejects.toThrow(InvalidInput);
    await expect(refused).rejects.toThrow(
      `this begins 3: ${one} ("About 1"), ${two} ("About 2"), ${three} ("About 3"); got`,
    );
    for (const [at, id] of ids.entries()) {
      const conversationId = id;
      expect(await chooseConversation(parts, { session: id })).toEqual({ conversationId });
      expect(await chooseConversation(parts, { session: [one, two, three][at] as string })).toEqual({ conversationId });
    }
    await expect(chooseConversation(parts, { session: "nobody" })).rejects.toThrow("a conversation that is kept");
  });

  test("S6: an id that is the beginning of another one is itself", async () => {
    const parts = await keeping("talk", "talk-2");
    expect(await chooseConversation(parts, { session: "talk" })).toEqual({ conversationId: "talk" });
  });

  test("S6: --continue takes the newest, or none if there is none; a model goes along", async () => {
    expect(await chooseConversation(await keeping("a", "b"), { continue: true })).toEqual({ conversationId: "a" });
    expect(await chooseConversation(await keeping(), { continue: true, model: "x/y" })).toEqual({ model: "x/y" });
    expect(await chooseConversation(await keeping("a"), {})).toEqual({});
  });
});

describe("the file of an export", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "secondwind-export-"));
    vi.stubEnv("HOME", folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  test("S10: ~ is the home folder, and what is in the way is said in a sentence", async () => {
    const path = join(folder, "x.md");
    expect(await writeNew("~/x.md", "text")).toBe(path);
    expect(await readFile(path, "utf8")).toBe("text");
    const refusal = (name: string): Promise<string> => writeNew(name, "").catch((fault: Error) => fault.message);
    expect(await refusal(path)).toBe(`${path} is there already and is not written over; give another name`);
    expect(await refusal("~/no/x.md")).toBe(`There is no folder ${join(folder, "no")}`);
    expect(await refusal(join(path, "y.md"))).toBe(`${path} is not a folder`);
    expect(await readFile(path, "utf8")).toBe("text");
  });
});
