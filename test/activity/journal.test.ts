import { expect, test } from "vitest";
import type { Activity } from "../../src/activity/index.ts";
import { readRecord } from "../../src/activity/read-record.ts";
import { type GenerationStore, memoryStore, type Store } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { newFiles } from "../store/folders.ts";
import { answer, fails, hangs, World } from "../support/world.ts";
import { facts, newActivity } from "./activities.ts";

const newFile = newFiles();
const query = { limit: 100 };
const quick = { schedules: { general: { type: "fixed", delayMs: 60_000 } }, budget: null, breaker: null } as const;

test("B4: generations that have ended are listed after a restart, those that had not as interrupted", async () => {
  const path = newFile();
  const store = await openSqliteStore(path);
  const { activity, world } = await newActivity({ store });
  const watched = { policy: quick, on: activity.watch({ ...facts, conversationId: "c" }).on };
  const { receipt } = await world.run(answer(), { policy: quick, on: activity.watch(facts).on });
  const waiting = world.start(fails(503), watched);
  const hanging = world.start(hangs, { policy: quick, on: activity.watch(facts).on });
  await world.time.advance(1000);
  const before = await activity.list(query);
  await activity.close();
  await store.close();

  const again = await openSqliteStore(path);
  const { activity: next } = await newActivity({ store: again });
  const { records } = await next.list(query);
  expect(records.map(({ id }) => id).sort()).toEqual([receipt.generationId, waiting.id, hanging.id].sort());
  expect(records.find(({ id }) => id === receipt.generationId)).toEqual(before.records.at(-1));
  expect(next.find(waiting.id)).toMatchObject({ state: "ended", interrupted: true, conversationId: "c" });
  expect(next.find(waiting.id)).not.toHaveProperty("wait");
  expect(next.find(hanging.id)).toMatchObject({ interrupted: true, attemptCount: 1 });
  expect(next.running()).toEqual([]);
  expect(next.retryNow(waiting.id)).toBe(false);
  expect((await next.list({ limit: 100, outcome: "aborted" })).records).toHaveLength(2);
  await again.close();
});

test("B4: a wait is in the journal soon after it starts, without a clean end of the process", async () => {
  const store = await openSqliteStore(newFile());
  const { activity, world } = await newActivity({ store });
  const waiting = world.start(fails(503), { policy: quick, on: activity.watch(facts).on });
  await world.time.advance(1);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(await store.generations.list({ limit: 9 })).toMatchObject([{ id: waiting.id, record: { state: "waiting" } }]);
  await store.close();
});

test("B4: a short generation costs one row and one write", async () => {
  const puts: (readonly { readonly id: string }[])[] = [];
  const { activity, world } = await newActivity({ store: persistent({ put: async (rows) => void puts.push(rows) }) });
  for (let n = 0; n < 50; n++) await world.run(answer(), { on: activity.watch(facts).on });
  await activity.close();
  expect(puts.flat()).toHaveLength(50);
  expect(puts.length).toBeLessThan(5);
});

test("B4: a store that fails is reported once, and generations continue", async () => {
  const faults: string[] = [];
  const world = new World();
  const put = async (): Promise<void> => {
    throw new Error("the disk is full");
  };
  const ports = { ...world.ports, reportFault: (_: unknown, where: string) => void faults.push(where) };
  const { activity } = await newActivity({ store: persistent({ put }), ports }, world);
  for (let round = 0; round < 3; round++) {
    await world.run(answer(), { on: activity.watch(facts).on });
    await activity.close();
  }
  expect(faults).toEqual(["journal"]);
  expect((await activity.list(query)).records).toHaveLength(3);
});

test("B4: rows of another version are ignored", () => {
  const good = { id: "g", ...facts, startedAt: 1, state: "ended", attempts: [], attemptCount: 0, waitedMs: 0 };
  expect(readRecord(good)).toEqual(good);
  const target = { provider: "a", model: "b", credential: "" };
  const bad = [
    undefined,
    null,
    7,
    [],
    { ...good, id: 7 },
    { ...good, startedAt: "now" },
    { ...good, state: "asleep" },
    { ...good, attempts: [{}] },
    { ...good, attempts: [{ attempt: 1, target, startedAt: 1, kind: "new" }] },
  ];
  expect(bad.map(readRecord)).toEqual(bad.map(() => undefined));
});

test("B4: a window that is restored while generations run keeps the order and the limit", async () => {
  const path = newFile();
  await fill(path, 300);
  const store = await openSqliteStore(path);
  const { activity, world }: { activity: Activity; world: World } = await newActivity({ store, limit: 250 });
  const { receipt } = await world.run(answer(), { on: activity.watch(facts).on });
  const { records, next } = await activity.list({ limit: 100 });
  expect(records.slice(0, 2).map(({ id }) => id)).toEqual([receipt.generationId, "old299"]);
  const second = await activity.list({ limit: 1000, before: next as string });
  expect(records.length + second.records.length).toBeGreaterThanOrEqual(250);
  // A twentieth more may gather before the oldest are removed.
  expect(records.length + second.records.length).toBeLessThanOrEqual(262);
  expect(second.next).toBeUndefined();
  await store.close();
});

async function fill(path: string, count: number): Promise<void> {
  const store = await openSqliteStore(path);
  const record = { ...facts, state: "ended", outcome: "succeeded", attempts: [], attemptCount: 1, waitedMs: 0 };
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `old${n}`,
    record: { ...record, id: `old${n}`, startedAt: n },
  }));
  await store.generations.put(rows);
  await store.close();
}

function persistent(generations: Partial<GenerationStore>): Store {
  const store = memoryStore();
  const { put, list } = store.generations;
  return { ...store, isPersistent: true, generations: { put, list, ...generations } };
}
