import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { someCommand, type World } from "./model.ts";
import type { NewStore } from "./store-contract.ts";

const message = (text: string) => ({ type: "message", data: { role: "user", content: text } });

export function conversationsContract(name: string, open: NewStore): void {
  describe(`${name}: conversations`, () => {
    test("S6: entries are read back in their order, numbered from 1, with model changes among them", async () => {
      let now = 1000;
      const { conversations } = await open({ wallNow: () => now });
      await conversations.create({ id: "c", title: "A talk" });
      expect(await conversations.append("c", [message("hello")])).toBe(1);
      now = 2000;
      const failed = { role: "assistant", parts: [], model: "a/b", stopReason: "error", errorMessage: "overloaded" };
      const change = { type: "model_change", data: { from: "a/b", to: "c/d" } };
      expect(await conversations.append("c", [{ type: "message", data: failed }, change])).toBe(3);
      expect(await conversations.read("c")).toEqual([
        { seq: 1, at: 1000, ...message("hello") },
        { seq: 2, at: 2000, type: "message", data: failed },
        { seq: 3, at: 2000, ...change },
      ]);
      expect(await conversations.get("c")).toEqual({
        id: "c",
        title: "A talk",
        createdAt: 1000,
        updatedAt: 2000,
        entries: 3,
      });
    });

    test("S6: concurrent appends to several conversations leave no gap", async () => {
      const { conversations } = await open();
      const ids = ["a", "b"];
      for (const id of ids) await conversations.create({ id, title: id });
      const seqs = await Promise.all(
        Array.from({ length: 600 }, (_, n) => conversations.append(ids[n % 2] as string, [message(`${n}`)])),
      );
      expect(seqs).toEqual(Array.from({ length: 600 }, (_, n) => Math.floor(n / 2) + 1));
      for (const id of ids)
        expect((await conversations.read(id)).map(({ seq }) => seq)).toEqual(
          Array.from({ length: 300 }, (_, n) => n + 1),
        );
    });

    test("S6: one bad append among others fails without them", async () => {
      const { conversations } = await open();
      await conversations.create({ id: "c", title: "" });
      const results = await Promise.allSettled([
        conversations.append("c", [message("one")]),
        conversations.append("nobody", [message("lost")]),
        conversations.create({ id: "c", title: "again" }),
        conversations.append("c", [message("two")]),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
      expect(results[1]).toMatchObject({ reason: { name: "StoreError", code: "unknown-conversation" } });
      expect(results[2]).toMatchObject({ reason: { name: "StoreError", code: "conversation-exists" } });
      expect(await conversations.read("c")).toHaveLength(2);
    });

    test("S6: an append stores all its entries or none", async () => {
      const { conversations } = await open();
      await conversations.create({ id: "c", title: "" });
      const cyclic: Record<string, unknown> = {};
      cyclic.self = cyclic;
      for (const data of [cyclic, undefined, 1n, () => 1]) {
        await expect(conversations.append("c", [message("fine"), { type: "message", data }])).rejects.toThrow(
          /entries\[1\]\.data must be a JSON value/,
        );
      }
      await expect(conversations.append("c", [message("fine"), { type: "", data: 1 }])).rejects.toThrow(
        "entries[1].type",
      );
      expect(await conversations.read("c")).toEqual([]);
      expect(await conversations.append("c", [])).toBe(0);
      expect((await conversations.get("c"))?.entries).toBe(0);
    });

    test("S6: changing an object after its append, or after reading it, changes nothing in the store", async () => {
      const { conversations } = await open();
      await conversations.create({ id: "c", title: "" });
      const data = { content: "as it was" };
      const appended = conversations.append("c", [{ type: "message", data }]);
      data.content = "changed";
      await appended;
      const [entry] = await conversations.read("c");
      (entry?.data as { content: string }).content = "changed";
      expect((await conversations.read("c"))[0]?.data).toEqual({ content: "as it was" });
    });

    test("S6: any JSON survives: NUL, half characters, emoji, a megabyte, 2000 levels", async () => {
      const { conversations } = await open();
      await conversations.create({ id: "c", title: "" });
      let deep: unknown = 1;
      for (let level = 0; level < 2000; level++) deep = [deep];
      const values = ["a\0b", "\ud800", "👩‍🚀", "x".repeat(1_000_000), deep, null, 0.1, { "": [] }];
      await conversations.append(
        "c",
        values.map((data) => ({ type: "message", data })),
      );
      expect((await conversations.read("c")).map(({ data }) => data)).toEqual(values);
    });

    test("S6: the list starts with the latest change and respects its limit", async () => {
      let now = 0;
      const { conversations } = await open({ wallNow: () => ++now });
      for (const id of ["a", "b", "c"]) await conversations.create({ id, title: `title of ${id}` });
      await conversations.append("a", [message("hi")]);
      await conversations.rename("b", "renamed");
      expect((await conversations.list()).map(({ id, title }) => [id, title])).toEqual([
        ["b", "renamed"],
        ["a", "title of a"],
        ["c", "title of c"],
      ]);
      expect(await conversations.list({ limit: 2 })).toHaveLength(2);
    });

    test("S6: of two conversations changed in the same millisecond, the later one comes first", async () => {
      const { conversations } = await open({ wallNow: () => 5 });
      for (const id of ["a", "b", "c"]) await conversations.create({ id, title: "" });
      expect((await conversations.list()).map(({ id }) => id)).toEqual(["c", "b", "a"]);
    });

    test("K6: a removed conversation is gone with its entries, others stay, and its id can be used again", async () => {
      const { conversations } = await open();
      for (const id of ["a", "b"]) {
        await conversations.create({ id, title: id });
        await conversations.append(id, [message(`hello ${id}`), message("again")]);
      }
      await conversations.remove("a");
      expect(await conversations.get("a")).toBeUndefined();
      expect((await conversations.list()).map(({ id }) => id)).toEqual(["b"]);
      await expect(conversations.append("a", [message("late")])).rejects.toMatchObject({
        code: "unknown-conversation",
      });
      expect(await conversations.read("b")).toHaveLength(2);
      await conversations.create({ id: "a", title: "new" });
      expect(await conversations.read("a")).toEqual([]);
      expect(await conversations.append("a", [message("first")])).toBe(1);
    });

    test("K6: the last entries can be read alone, with their own numbers", async () => {
      const { conversations } = await open();
      await conversations.create({ id: "c", title: "" });
      await conversations.append("c", ["one", "two", "three"].map(message));
      const seqs = async (last: number) => (await conversations.read("c", { last })).map(({ seq }) => seq);
      expect(await seqs(2)).toEqual([2, 3]);
      expect(await seqs(3)).toEqual([1, 2, 3]);
      expect(await seqs(10)).toEqual([1, 2, 3]);
      expect(await seqs(0)).toEqual([]);
    });

    test("S6: for an unknown conversation get returns undefined and the other methods reject", async () => {
      const { conversations } = await open();
      expect(await conversations.get("nobody")).toBeUndefined();
      const refusal = 'There is no conversation "nobody" in this store.';
      await expect(conversations.read("nobody")).rejects.toThrow(refusal);
      await expect(conversations.append("nobody", [])).rejects.toThrow(refusal);
      await expect(conversations.append("nobody", [message("")])).rejects.toThrow(refusal);
      await expect(conversations.rename("nobody", "")).rejects.toThrow(refusal);
      await expect(conversations.remove("nobody")).rejects.toThrow(refusal);
    });

    test("S6: ids that could not be looked up again are rejected; titles are cleaned", async () => {
      const { conversations } = await open();
      for (const id of ["", "a\0b", "\ud800", "x".repeat(501)]) {
        await expect(conversations.create({ id, title: "" })).rejects.toThrow(
          "conversation.id must be a text of 1 to 500",
        );
      }
      await conversations.create({ id: "c", title: "a\0b\ud800" });
      expect((await conversations.get("c"))?.title).toBe("a\uFFFDb\uFFFD");
    });

    test("S6: any sequence of commands gives the same result as plain lists", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(someCommand, { maxLength: 30 }), async (commands) => {
          const world: World = { clock: 0, talks: new Map() };
          const store = await open({ wallNow: () => world.clock });
          for (const command of commands) await command(store.conversations, world);
          await store.close();
        }),
        { numRuns: 40 },
      );
    });
  });

  describe(`${name}: closing`, () => {
    test("S6: close finishes earlier writes and rejects later ones", async () => {
      const store = await open();
      await store.conversations.create({ id: "c", title: "" });
      const last = store.conversations.append("c", [message("last words")]);
      await store.close();
      expect(await last).toBe(1);
      const refusal = { name: "StoreError", code: "closed" };
      await expect(store.conversations.append("c", [message("too late")])).rejects.toMatchObject(refusal);
      await expect(store.conversations.read("c")).rejects.toMatchObject(refusal);
      await expect(store.config.get("retry.enabled")).rejects.toMatchObject(refusal);
      await expect(store.journal.list()).rejects.toMatchObject(refusal);
      await store.close();
    });
  });
}
