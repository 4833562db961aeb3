import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Jobs } from "../../src/jobs/index.ts";
import { type Connections, connect } from "../../src/jobs/redis/connect.ts";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { systemPorts } from "../../src/system/index.ts";
import { RedisServer } from "../support/redis-server.ts";
import { ask } from "./fixtures.ts";
import { commit, KEYS, lapse, take } from "./taking.ts";

describe("B6: scripts that Redis runs for many jobs at once", () => {
  let server: RedisServer;
  let jobs: Jobs;
  let scripts: Connections;
  beforeEach(async () => {
    server = await RedisServer.start();
    jobs = await openRedisJobs(server.url);
    scripts = await connect(server.url, KEYS, true, () => undefined);
  });
  afterEach(async () => {
    scripts.close();
    await jobs.close();
    await server.remove();
  });

  const submitted = (count: number, size = 1): Promise<readonly string[]> =>
    jobs.submitAll(Array.from({ length: count }, (_, n) => ({ request: ask(`${n} ${"x".repeat(size)}`) })));
  const statesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => jobs.get(id)));

  test("B6: takes the oldest first, as many as there is room for, and each once", async () => {
    const ids = await submitted(5);
    expect((await take(scripts, { limit: 2 })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect((await take(scripts, { limit: 9, worker: "other" })).map(({ id }) => id)).toEqual(ids.slice(2));
    expect(await take(scripts)).toEqual([]);
    expect(await jobs.counts()).toMatchObject({ accepted: 0, running: 5, stalled: 0 });
  });

  test("B6: a take whose answer was lost returns the same jobs when it is made again, and counts no crash", async () => {
    const ids = await submitted(5);
    const first = await take(scripts, { nonce: "one", limit: 3 });
    await lapse(scripts, ...ids);
    expect(await take(scripts, { nonce: "one", limit: 3 })).toEqual(first);
    // Asking again renewed the leases, so nobody else counts them as lost.
    expect((await take(scripts, { worker: "other", limit: 3 })).map(({ id }) => id)).toEqual(ids.slice(3));
    expect(await take(scripts, { nonce: "two" })).toEqual([]);
    expect(await statesOf(ids)).toMatchObject(ids.map(() => ({ state: "running", crashes: 0 })));
  });

  test("B6: a take that is made again leaves out what another worker has by now, and what was cancelled", async () => {
    const [a = "", b = "", c = ""] = await submitted(3);
    await take(scripts, { nonce: "one" });
    await lapse(scripts, a);
    expect(await take(scripts, { worker: "other" })).toMatchObject([{ id: a, epoch: 3 }]);
    await jobs.cancel(b);
    expect((await take(scripts, { nonce: "one" })).map(({ id }) => id)).toEqual([c]);
  });

  test("B6: the job of a lost worker comes before new ones, and what the lost one commits is refused", async () => {
    const [lost = "", ...others] = await submitted(5);
    await take(scripts, { limit: 1 });
    await lapse(scripts, lost);
    expect(await jobs.counts()).toMatchObject({ running: 1, stalled: 1 });
    const [again] = await take(scripts, { worker: "other", limit: 1 });
    expect(again).toMatchObject({ id: lost, how: "run" });
    expect(await commit(scripts, lost, 1, "old")).toBe(0);
    expect(await commit(scripts, lost, again?.epoch ?? 0, "new")).toBe(1);
    expect(await jobs.result(lost)).toEqual({ text: "new" });
    expect((await take(scripts)).map(({ id }) => id)).toEqual(others);
  });

  test("B6: leases that ended while Redis was away do not count until their workers had time to renew them", async () => {
    const [id = ""] = await submitted(1);
    const [held] = await take(scripts);
    await lapse(scripts, id);
    const pulse = `${KEYS}:pulse`;
    await scripts.client.hset(pulse, "at", Date.now() - 6000);
    expect(await take(scripts, { worker: "other" })).toEqual([]);
    expect(Number(await scripts.client.hget(pulse, "since"))).toBeGreaterThan(Date.now() - 1000);
    expect(await scripts.run("renew", 10_000, id, held?.epoch ?? 0)).toEqual([]);
    await scripts.client.hset(pulse, "since", Date.now() - 3400);
    expect(await take(scripts, { worker: "other" })).toEqual([]);
    await scripts.client.zadd(`${KEYS}:leases`, "XX", 1, id);
    expect(await take(scripts, { worker: "other" })).toMatchObject([{ id }]);
    await jobs.cancel(id);
    expect(await scripts.run("renew", 10_000, id, held?.epoch ?? 0)).toEqual([id]);
  });

  test("B6: a whole call of commits that is made twice, because its answer was lost, changes nothing the second time", async () => {
    const ids = await submitted(5);
    await take(scripts);
    const all = () => Promise.all(ids.map((id) => commit(scripts, id, 1, id)));
    expect(await all()).toEqual(ids.map(() => 1));
    const before = await statesOf(ids);
    expect(await all()).toEqual(ids.map(() => 1));
    expect(await statesOf(ids)).toEqual(before);
    expect(await jobs.counts()).toMatchObject({ running: 0, done: 5 });
    expect(await scripts.client.zcard(`${KEYS}:leases`)).toBe(0);
  });

  test("B6: one commit that fails leaves the others alone, and is whole when it is made again", async () => {
    const [a = "", broken = "", c = ""] = await submitted(3);
    await take(scripts);
    await scripts.client.rename(`${KEYS}:b:${broken}`, "kept");
    await scripts.client.set(`${KEYS}:b:${broken}`, "no hash");
    const all = await Promise.allSettled([a, broken, c].map((id) => commit(scripts, id, 1, id)));
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await jobs.get(broken)).toMatchObject({ state: "running" });
    await scripts.client.rename("kept", `${KEYS}:b:${broken}`);
    expect(await commit(scripts, broken, 1, "whole")).toBe(1);
    expect(await jobs.result(broken)).toEqual({ text: "whole" });
    expect(await jobs.counts()).toMatchObject({ running: 0, done: 3 });
  });

  test("B6: two deliveries of one job in the same call: only the later one commits", async () => {
    const [id = ""] = await submitted(1);
    await take(scripts);
    await lapse(scripts, id);
    const [second] = await take(scripts);
    const epochs = [1, second?.epoch ?? 0, 1];
    expect(await Promise.all(epochs.map((epoch) => commit(scripts, id, epoch, `of ${epoch}`)))).toEqual([0, 1, 0]);
    expect(await jobs.result(id)).toEqual({ text: `of ${second?.epoch}` });
  });

  test("B6: a job that is cancelled between its taking and its commit stays cancelled, and those beside it are done", async () => {
    const [a = "", b = ""] = await submitted(2);
    await take(scripts);
    expect(await jobs.cancel(a)).toBe(true);
    expect(await Promise.all([commit(scripts, a, 1, "a"), commit(scripts, b, 1, "b")])).toEqual([0, 1]);
    expect(await jobs.get(a)).toMatchObject({ state: "cancelled" });
    expect(await jobs.result(a)).toBeUndefined();
    expect(await jobs.get(b)).toMatchObject({ state: "done" });
  });

  test("B6: large jobs are taken a few in a call, and each once", async () => {
    const ids = await submitted(12, 400_000);
    const calls: number[] = [];
    const taken: string[] = [];
    for (let some = await take(scripts); some.length > 0; some = await take(scripts)) {
      calls.push(some.length);
      taken.push(...some.map(({ id }) => id));
    }
    // Three of 400 kB make a call.
    expect(calls).toEqual([3, 3, 3, 3]);
    expect(taken).toEqual(ids);
  });

  test("B6: entries that are gone, final or unreadable do not stand in front of the others", async () => {
    const [broken = "", done = "", ...others] = await submitted(6);
    await scripts.client.del(`${KEYS}:j:${broken}`);
    await scripts.client.set(`${KEYS}:j:${broken}`, "no hash");
    await jobs.cancel(done);
    await scripts.client.zadd(`${KEYS}:due`, 1, "gone", 1, done);
    await scripts.client.zadd(`${KEYS}:leases`, 1, "gone", 1, done, 1, broken);
    const taken: string[] = [];
    for (let look = 0; look < 8; look++) taken.push(...(await take(scripts, { limit: 1 })).map(({ id }) => id));
    expect(taken).toEqual(others);
    expect(await scripts.client.zrange(`${KEYS}:due`, "0", "-1")).toEqual([broken]);
  });

  test("B6: a call leaves the bell rung if there is more to take, and not otherwise", async () => {
    const bell = `${KEYS}:bell`;
    await submitted(3);
    expect(await scripts.client.lpop(bell)).toBe("1");
    expect(await scripts.client.llen(bell)).toBe(0);
    await take(scripts, { limit: 1 });
    expect(await scripts.client.lpop(bell)).toBe("1");
    await take(scripts);
    expect(await scripts.client.llen(bell)).toBe(0);
  });

  test("B6: new and retried jobs are due at once for every worker, also if the clocks of machines differ", async () => {
    const fast = systemPorts({ wallNow: () => Date.now() + 300_000 });
    const ahead = await openRedisJobs(server.url, { ports: fast });
    const behind = { now: Date.now() - 300_000 };
    const id = await ahead.submit(ask("x"));
    expect(await take(scripts, behind)).toMatchObject([{ id, epoch: 1 }]);
    // A wait ends by the clock of the worker.
    await waits(id, 1, Date.now() - 60_000);
    expect(await take(scripts, behind)).toEqual([]);
    await ahead.retryNow(id);
    expect(await take(scripts, behind)).toMatchObject([{ id, epoch: 2 }]);
    await ahead.cancel(id);
    await ahead.retryNow(id);
    expect(await take(scripts, behind)).toMatchObject([{ id }]);
    await ahead.close();
  });

  test("B6: a cancellation whose answer was lost succeeds when it is made again, and one of a final job does not", async () => {
    const [id = "", done = ""] = await submitted(2);
    await take(scripts);
    await commit(scripts, done, 1, "x");
    const cancel = (one: string) => scripts.run("cancel", one, "running", "1", Date.now(), "{}");
    expect([await cancel(id), await cancel(id), await cancel(done)]).toEqual([1, 1, 0]);
    expect(await jobs.cancel(id)).toBe(false);
  });

  const waits = (id: string, epoch: number, until: number) =>
    scripts.run("commit", id, epoch, "waiting", Date.now(), 1, "{}", "{}", "", "{}", until, 0, 0);
});
