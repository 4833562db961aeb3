import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chooseForChat } from "../../../src/hosts/chat/build-chat.ts";
import type { ChatParts } from "../../../src/hosts/chat/chat-parts.ts";
import { writeNew } from "../../../src/hosts/chat/write-new.ts";
import { InvalidInput } from "../../../src/kernel/index.ts";
import { shortId } from "../../../src/session/record/choose-conversation.ts";
import { createIdSource } from "../../../src/system/new-id.ts";
import { MapConversations } from "../../support/map-store.ts";

async function keeping(...ids: readonly string[]): Promise<ChatParts> {
  const conversations = new MapConversations();
  for (const id of ids) await conversations.create({ id, title: `About ${id.slice(-1)}` });
  return { conversations } as unknown as ChatParts;
}

describe("choosing the conversation", () => {
  test("S6: --session takes an id or its beginning, and rejects an empty or overlong one", async () => {
    const parts = await keeping("abc-1");
    expect(await chooseForChat(parts, { session: "abc" })).toEqual({ conversationId: "abc-1" });
    const allowed = /^--session must be a text of 1 to 500 characters.*; got ".{0,61}"$/;
    await expect(chooseForChat(parts, { session: "" })).rejects.toThrow(allowed);
    await expect(chooseForChat(parts, { session: "x".repeat(501) })).rejects.toThrow(allowed);
  });

  test("S6: --session rejects an ambiguous beginning and lists the matches", async () => {
    const newId = createIdSource();
    const ids = [newId(), newId(), newId()];
    const parts = await keeping(...ids);
    const [one = "", two = "", three = ""] = ids.map(shortId);
    expect(new Set([one, two, three]).size).toBe(3);
    const refused = chooseForChat(parts, { session: one.slice(0, 8) });
    await expect(refused).rejects.toThrow(InvalidInput);
    await expect(refused).rejects.toThrow(
      `this begins 3: ${one} ("About 1"), ${two} ("About 2"), ${three} ("About 3"); got`,
    );
    for (const [at, id] of ids.entries()) {
      const conversationId = id;
      expect(await chooseForChat(parts, { session: id })).toEqual({ conversationId });
      expect(await chooseForChat(parts, { session: [one, two, three][at] as string })).toEqual({ conversationId });
    }
    await expect(chooseForChat(parts, { session: "nobody" })).rejects.toThrow("an existing conversation");
  });

  test("S6: a full id wins over a longer id that begins with it", async () => {
    const parts = await keeping("talk", "talk-2");
    expect(await chooseForChat(parts, { session: "talk" })).toEqual({ conversationId: "talk" });
  });

  test("S6: --continue takes the newest conversation, if any, and keeps --model", async () => {
    expect(await chooseForChat(await keeping("a", "b"), { continue: true })).toEqual({ conversationId: "a" });
    expect(await chooseForChat(await keeping(), { continue: true, model: "x/y" })).toEqual({ model: "x/y" });
    expect(await chooseForChat(await keeping("a"), {})).toEqual({});
  });
});

describe("the export file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "secondwind-export-"));
    vi.stubEnv("HOME", folder);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  });

  test("S10: expands ~, never overwrites a file, and explains what is wrong with the path", async () => {
    const path = join(folder, "x.md");
    expect(await writeNew("~/x.md", "text")).toBe(path);
    expect(await readFile(path, "utf8")).toBe("text");
    const messageFor = (name: string): Promise<string> => writeNew(name, "").catch((fault: Error) => fault.message);
    expect(await messageFor(path)).toBe(`${path} already exists`);
    expect(await messageFor("~/no/x.md")).toBe(`Folder not found: ${join(folder, "no")}`);
    expect(await messageFor(join(path, "y.md"))).toBe(`Not a folder: ${path}`);
    expect(await readFile(path, "utf8")).toBe("text");
  });
});
