import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JournalRecord } from "../../src/store/store.ts";
import { journalModel } from "./model.ts";
import type { NewStore } from "./store-contract.ts";

const record = (change: Partial<JournalRecord> = {}): JournalRecord => ({
  at: 1000,
  generationId: "g1",
  attempt: 1,
  provider: "openai",
  model: "gpt",
  credential: "",
  ok: true,
  durationMs: 12.5,
  waitedMs: 0,
  ...change,
});

export function factsContract(name: string, open: NewStore): void {
  describe(`${name}: journal`, () => {
    test("C7: records are listed newest first, with all their fields", async () => {
      const { journal } = await open();
      const failed = record({
        ok: false,
        kind: "overloaded",
        status: 529,
        message: "Overloaded\0",
        conversationId: "c",
      });
      await journal.add(failed);
      await journal.add(record({ attempt: 2, at: 2000 }));
      await journal.add(record({ generationId: "g2", at: 1 }));
      expect(await journal.list()).toEqual([
        record({ generationId: "g2", at: 1 }),
        record({ attempt: 2, at: 2000 }),
        { ...failed, message: "Overloaded\uFFFD" },
      ]);
    });

    test("C7: the journal holds the newest records up to its limit", async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.nat(12), async (journalLimit, count) => {
          const store = await open({ journalLimit });
          for (let at = 0; at < count; at++) await store.journal.add(record({ at }));
          expect((await store.journal.list()).map(({ at }) => at)).toEqual(journalModel(count, journalLimit));
          await store.close();
        }),
        { numRuns: 15 },
      );
    });
  });

  describe(`${name}: generations`, () => {
    test("B4: generations are listed by the order in which they were added, the newest first, a page at a time", async () => {
      const { generations } = await open();
      await generations.put([
        { id: "a", record: { n: 1, text: "\0\uD800" } },
        { id: "b", record: [2] },
      ]);
      await generations.put([{ id: "c", record: null }]);
      const page = await generations.list({ limit: 2 });
      expect(page).toMatchObject([
        { id: "c", record: null },
        { id: "b", record: [2] },
      ]);
      const rest = await generations.list({ limit: 2, before: page[1]?.number ?? 0 });
      expect(rest).toMatchObject([{ id: "a", record: { n: 1, text: "\0\uD800" } }]);
      expect(await generations.list({ limit: 2, before: rest[0]?.number ?? 0 })).toEqual([]);
    });

    test("B4: a generation that is written again replaces its record and stays at its place", async () => {
      const { generations } = await open();
      await generations.put([{ id: "a", record: "waiting" }]);
      await generations.put([{ id: "b", record: "ended" }]);
      await generations.put([
        { id: "a", record: "answering" },
        { id: "a", record: "ended" },
      ]);
      expect(await generations.list({ limit: 9 })).toMatchObject([
        { id: "b", record: "ended" },
        { id: "a", record: "ended" },
      ]);
    });

    test("B4: generations are bounded: the newest replace the oldest", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 5 }),
          fc.array(fc.array(fc.nat(9), { maxLength: 7 }), { maxLength: 5 }),
          async (journalLimit, puts) => {
            const store = await open({ journalLimit });
            const added: number[] = [];
            for (const ids of puts) {
              await store.generations.put(ids.map((id) => ({ id: `g${id}`, record: id })));
              for (const id of ids) if (!added.includes(id)) added.push(id);
              added.splice(0, Math.max(0, added.length - journalLimit));
            }
            const listed = await store.generations.list({ limit: 100 });
            expect(listed.map(({ record }) => record)).toEqual(added.toReversed());
            await store.close();
          },
        ),
        { numRuns: 25 },
      );
    });

    test("B4: one record that has no form in JSON rejects all of them, and nothing is written", async () => {
      const { generations } = await open();
      const bad = generations.put([
        { id: "a", record: 1 },
        { id: "b", record: undefined },
      ]);
      await expect(bad).rejects.toThrow(/generation\.record.*JSON/);
      await expect(generations.put([{ id: "", record: 1 }])).rejects.toThrow(/generation\.id/);
      expect(await generations.list({ limit: 9 })).toEqual([]);
    });
  });

  describe(`${name}: cooldowns`, () => {
    test("E17: a second report keeps the later deadline", async () => {
      const { cooldowns } = await open();
      await cooldowns.set("k", 1000.5);
      await cooldowns.set("k", 800);
      expect(await cooldowns.list(0)).toEqual([{ key: "k", until: 1000.5 }]);
      await Promise.all([cooldowns.set("k", 3000), cooldowns.set("k", 2000)]);
      expect(await cooldowns.list(0)).toEqual([{ key: "k", until: 3000 }]);
    });

    test("E17: a cooldown ends at its deadline, not before, and does not come back", async () => {
      const { cooldowns } = await open();
      await cooldowns.set("a", 1000);
      await cooldowns.set("b", 2000);
      expect(await cooldowns.list(999)).toHaveLength(2);
      expect(await cooldowns.list(1000)).toEqual([{ key: "b", until: 2000 }]);
      expect(await cooldowns.list(0)).toEqual([{ key: "b", until: 2000 }]);
      await cooldowns.set("a", 500);
      expect(await cooldowns.list(0)).toContainEqual({ key: "a", until: 500 });
    });

    test("E17: the time of the report is stored with the deadline that wins", async () => {
      const { cooldowns } = await open();
      await cooldowns.set("k", 1000, 500);
      await cooldowns.set("k", 900, 600);
      expect(await cooldowns.list(0)).toEqual([{ key: "k", until: 1000, since: 500 }]);
      await cooldowns.set("k", 2000, 700);
      expect(await cooldowns.list(0)).toEqual([{ key: "k", until: 2000, since: 700 }]);
      await cooldowns.set("k", 3000);
      expect(await cooldowns.list(0)).toEqual([{ key: "k", until: 3000 }]);
    });

    test("E17: remove deletes a cooldown whatever its deadline", async () => {
      const { cooldowns } = await open();
      await cooldowns.set("a", 1e15);
      await cooldowns.set("b", 1000);
      await cooldowns.remove("a");
      await cooldowns.remove("never there");
      expect(await cooldowns.list(0)).toEqual([{ key: "b", until: 1000 }]);
      await cooldowns.set("a", 2000);
      expect(await cooldowns.list(0)).toContainEqual({ key: "a", until: 2000 });
    });

    test("E17: the salt of a store never changes, differs from other stores, and is not a setting", async () => {
      const { cooldowns, config } = await open();
      const [salt, again] = await Promise.all([cooldowns.salt(), cooldowns.salt()]);
      expect(salt).toMatch(/^[0-9a-f-]{32,}$/);
      expect(again).toBe(salt);
      expect(await (await open()).cooldowns.salt()).not.toBe(salt);
      expect((await config.list()).every(({ isDefault }) => isDefault)).toBe(true);
    });
  });

  describe(`${name}: experience`, () => {
    test("C10: successes and failures are counted per provider, endpoint and status, with the mean wait of those that worked", async () => {
      const { experience } = await open();
      const key = { provider: "openai", endpoint: "chat", status: "429" };
      await experience.add({ ...key, ok: true, waitedMs: 1000 });
      await experience.add({ ...key, ok: false, waitedMs: 90_000 });
      await experience.add({ ...key, ok: true, waitedMs: 2000 });
      await experience.add({ ...key, endpoint: "embeddings", ok: false, waitedMs: 1 });
      const learned = [...(await experience.list())].sort((a, b) => a.endpoint.localeCompare(b.endpoint));
      expect(learned).toEqual([
        { ...key, successes: 2, failures: 1, meanWaitMs: 1500 },
        { ...key, endpoint: "embeddings", successes: 0, failures: 1, meanWaitMs: 0 },
      ]);
    });

    test("C10: recent outcomes outweigh old ones", async () => {
      const { experience } = await open();
      const outcome = { provider: "a", endpoint: "chat", status: "503", waitedMs: 7 };
      const tell = (count: number, ok: boolean) =>
        Promise.all(Array.from({ length: count }, () => experience.add({ ...outcome, ok })));
      await tell(250, false);
      await tell(100, true);
      const [learned] = await experience.list();
      expect(learned?.meanWaitMs).toBe(7);
      expect(learned?.successes).toBeGreaterThan(2 * (learned?.failures ?? 0));
    });

    test("C10: outcomes added concurrently are all counted", async () => {
      const { experience } = await open();
      const outcome = { provider: "a", endpoint: "chat", status: "network", waitedMs: 3 };
      await Promise.all(Array.from({ length: 50 }, (_, n) => experience.add({ ...outcome, ok: n % 2 === 0 })));
      expect(await experience.list()).toMatchObject([{ successes: 25, failures: 25, meanWaitMs: 3 }]);
    });
  });
}
