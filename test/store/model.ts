import fc from "fast-check";
import { expect } from "vitest";
import type { ConversationStore } from "../../src/store/store.ts";

/** What the store should know, as plain lists. */
export interface World {
  clock: number;
  readonly talks: Map<string, { title: string; changedAt: number; readonly entries: unknown[] }>;
}

type Command = (store: ConversationStore, world: World) => Promise<void>;

const someId = fc.constantFrom("a", "b", "c");
const someEntries = fc.array(fc.record({ type: fc.constantFrom("message", "model_change"), data: fc.jsonValue() }), {
  maxLength: 4,
});

const create = fc.tuple(someId, fc.string()).map<Command>(([id, title]) => async (store, world) => {
  if (world.talks.has(id)) return expect(store.create({ id, title })).rejects.toThrow("already");
  await store.create({ id, title });
  world.talks.set(id, { title: title.replaceAll("\0", "\uFFFD"), changedAt: world.clock, entries: [] });
});

const append = fc.tuple(someId, someEntries).map<Command>(([id, entries]) => async (store, world) => {
  const talk = world.talks.get(id);
  if (talk === undefined) return expect(store.append(id, entries)).rejects.toThrow("no conversation");
  // As it comes back from JSON: there, -0 is 0.
  for (const { type, data } of entries) {
    talk.entries.push({ seq: talk.entries.length + 1, at: world.clock, type, data: JSON.parse(JSON.stringify(data)) });
  }
  if (entries.length > 0) talk.changedAt = world.clock;
  expect(await store.append(id, entries)).toBe(talk.entries.length);
});

const read = someId.map<Command>((id) => async (store, world) => {
  const talk = world.talks.get(id);
  if (talk === undefined) return expect(store.read(id)).rejects.toThrow("no conversation");
  expect(await store.read(id)).toEqual(talk.entries);
});

const list = fc.constant<Command>(async (store, world) => {
  const listed = await store.list();
  const known = [...world.talks].map(([id, talk]) => ({ id, title: talk.title, entries: talk.entries.length }));
  expect(new Set(listed.map(({ id, title, entries }) => ({ id, title, entries })))).toEqual(new Set(known));
  const changes = listed.map(({ updatedAt }) => updatedAt);
  expect(changes).toEqual([...changes].sort((a, b) => b - a));
  for (const { id, updatedAt } of listed) expect(updatedAt).toBe(world.talks.get(id)?.changedAt);
});

const pass = fc.nat(1000).map<Command>((ms) => async (_store, world) => {
  world.clock += ms;
});

/** Something that may be done to conversations, and the look at whether the store and the lists still agree. */
export const someCommand = fc.oneof(create, append, append, read, list, pass);

/** The moments of what a journal of that size keeps of records at 0, 1, 2 …, newest first. */
export function journalModel(count: number, limit: number): readonly number[] {
  return Array.from({ length: Math.min(count, limit) }, (_, n) => count - 1 - n);
}
