import { expect, test } from "vitest";
import type { ActivityRecord } from "../../src/wire/http/activity.ts";
import { answer, fails } from "../support/world.ts";
import { facts, newActivity } from "./activities.ts";

const query = { limit: 100 };
const quick = { schedules: { general: { type: "fixed", delayMs: 1000 } }, budget: null, breaker: null } as const;

test("B4: a generation is a record from its first event to its end", async () => {
  const { activity, world } = await newActivity();
  const generation = world.start(world.script(fails(503), answer()), { policy: quick, on: activity.watch(facts).on });
  await world.time.advance(10);
  expect(activity.running()).toMatchObject([{ id: generation.id, door: "chat", state: "waiting" }]);
  await world.time.until(generation.result);
  expect(activity.running()).toEqual([]);
  expect(await activity.list(query)).toEqual({ records: [activity.find(generation.id)] });
  expect(activity.find(generation.id)).toMatchObject({ outcome: "succeeded", attemptCount: 2, waitedMs: 1000 });
});

test("B8: retry-now ends a wait early, once", async () => {
  const { activity, world } = await newActivity();
  const generation = world.start(world.script(fails(503), answer()), { policy: quick, on: activity.watch(facts).on });
  await world.time.advance(10);
  expect(activity.retryNow("unknown")).toBe(false);
  expect(activity.retryNow(generation.id)).toBe(true);
  expect(activity.retryNow(generation.id)).toBe(false);
  await world.time.until(generation.result);
  expect(activity.find(generation.id)?.attempts[0]).toMatchObject({ waitEnded: "retry-now", waitedMs: 10 });
  expect(activity.giveUp(generation.id)).toBe(false);
});

test("B8: give-up ends a generation that waits, and one that attempts", async () => {
  const { activity, world } = await newActivity();
  const waiting = world.start(fails(503), { policy: quick, on: activity.watch(facts).on });
  const hanging = world.start(() => new Promise(() => undefined), { policy: quick, on: activity.watch(facts).on });
  await world.time.advance(10);
  expect([waiting, hanging].map(({ id }) => activity.giveUp(id))).toEqual([true, true]);
  expect([waiting, hanging].map(({ id }) => activity.find(id)?.outcome)).toEqual(["gave-up", "gave-up"]);
  expect([waiting, hanging].map(({ id }) => activity.giveUp(id))).toEqual([false, false]);
});

test("B4: the newest are remembered up to the limit, and all that are under way", async () => {
  const { activity, world } = await newActivity({ limit: 3 });
  const old = world.start(() => new Promise(() => undefined), { policy: quick, on: activity.watch(facts).on });
  const ids = [];
  for (let n = 0; n < 5; n++) {
    const { receipt } = await world.run(answer(), { on: activity.watch(facts).on });
    ids.push(receipt.generationId);
  }
  const { records } = await activity.list(query);
  expect(records.map(({ id }) => id)).toEqual([...ids.slice(2).reverse(), old.id]);
  old.giveUp();
});

test("B4: changes reach a listener in batches, each record once, as it stands", async () => {
  const { activity, world } = await newActivity();
  const batches: (readonly ActivityRecord[])[] = [];
  const end = activity.subscribe((records) => batches.push(records));
  const twenty = Array.from({ length: 20 }, () =>
    world.run(world.script(fails(503), answer()), { policy: quick, on: activity.watch(facts).on }),
  );
  await Promise.all(twenty);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(batches.length).toBeLessThan(5);
  expect(batches.every((records) => new Set(records.map(({ id }) => id)).size === records.length)).toBe(true);
  expect(batches.at(-1)?.every(({ outcome }) => outcome === "succeeded")).toBe(true);
  expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(20);
  end();
  await world.run(answer(), { on: activity.watch(facts).on });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(batches.flat().every(({ attemptCount }) => attemptCount <= 2)).toBe(true);
  expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(20);
});

test("B4: a listener that throws does not disturb the others or the generation", async () => {
  const faults: unknown[] = [];
  const { activity, world } = await newActivity();
  const { activity: other } = await newActivity({
    ports: { ...world.ports, reportFault: (fault) => void faults.push(fault) },
  });
  let heard = 0;
  other.subscribe(() => {
    throw new Error("broken");
  });
  other.subscribe(() => void heard++);
  await world.run(answer(), { on: other.watch(facts).on });
  await other.close();
  expect([faults.length, heard]).toEqual([1, 1]);
  expect((await activity.list(query)).records).toEqual([]);
});

test("B4: a secret in the name of a model does not get into a record", async () => {
  const redact = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("sk-canary", "[key]")) as T;
  const { activity, world } = await newActivity({ redact });
  const watch = activity.watch({ ...facts, asked: "first/sk-canary" });
  await world.run(answer(), { targets: [{ provider: "first", model: "sk-canary" }], on: watch.on });
  expect(JSON.stringify(await activity.list(query))).not.toContain("sk-canary");
});
