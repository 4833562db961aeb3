import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Jobs } from "../../src/jobs/index.ts";
import { type Connections, connect } from "../../src/jobs/redis/connect.ts";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { RedisServer } from "../support/redis-server.ts";
import { ask } from "./fixtures.ts";

const KEYS = "{secondwind}:sw";

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

  const take = async (id: string, nonce = "n"): Promise<readonly unknown[]> =>
    (await scripts.run("take", id, id, nonce, Date.now(), 25, 0, 3, "0")) as readonly unknown[];
  const commit = (id: string, epoch: unknown, text: string): Promise<unknown> =>
    scripts.run("commit", id, Number(epoch), "done", Date.now(), 1, "", "{}", JSON.stringify({ text }), "", "", 0, 0);
  const submitted = (count: number, size = 1): Promise<readonly string[]> =>
    jobs.submitAll(Array.from({ length: count }, (_, n) => ({ request: ask(`${n} ${"x".repeat(size)}`) })));

  test("B6: one entry that fails leaves the others alone, and is whole when it is made again", async () => {
    const [a = "", broken = "", c = ""] = await submitted(3);
    await scripts.client.rename(`${KEYS}:j:${broken}`, "kept");
    await scripts.client.set(`${KEYS}:j:${broken}`, "no hash");
    const all = await Promise.allSettled([take(a), take(broken), take(c)]);
    expect(all.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await scripts.client.rename("kept", `${KEYS}:j:${broken}`);
    expect((await take(broken)).slice(0, 2)).toEqual(["run", 1]);
    expect(await jobs.counts()).toMatchObject({ accepted: 0, running: 3 });
  });

  test("B6: a whole call that is made twice, because its answer was lost, changes nothing the second time", async () => {
    const ids = await submitted(5);
    const twice = async <T>(make: () => Promise<T>): Promise<T> => {
      const first = await make();
      const before = await Promise.all(ids.map((id) => jobs.get(id)));
      expect(await make()).toEqual(first);
      expect(await Promise.all(ids.map((id) => jobs.get(id)))).toEqual(before);
      return first;
    };
    const taken = await twice(() => Promise.all(ids.map((id) => take(id))));
    expect(taken.map(([how, epoch]) => [how, epoch])).toEqual(ids.map(() => ["run", 1]));
    expect(await twice(() => Promise.all(ids.map((id) => commit(id, 1, id))))).toEqual(ids.map(() => 1));
    expect(await jobs.counts()).toMatchObject({ running: 0, done: 5 });
  });

  test("B6: two deliveries of one job in the same call: the later one has the job, and the earlier one commits nothing", async () => {
    const [id = ""] = await submitted(1);
    const [first, second] = await Promise.all([take(id, "one"), take(id, "two")]);
    expect([first?.[1], second?.[1]]).toEqual([1, 2]);
    expect(await Promise.all([commit(id, 1, "old"), commit(id, 2, "new"), commit(id, 1, "older")])).toEqual([0, 1, 0]);
    expect(await jobs.result(id)).toEqual({ text: "new" });
  });

  test("B6: a job that is cancelled between its taking and its commit stays cancelled, and those beside it are done", async () => {
    const [a = "", b = ""] = await submitted(2);
    await Promise.all([take(a), take(b)]);
    expect(await jobs.cancel(a)).toBe(true);
    expect(await Promise.all([commit(a, 1, "a"), commit(b, 1, "b")])).toEqual([0, 1]);
    expect(await jobs.get(a)).toMatchObject({ state: "cancelled" });
    expect(await jobs.result(a)).toBeUndefined();
    expect(await jobs.get(b)).toMatchObject({ state: "done" });
  });

  test("B6: large jobs are taken a few in a call, and each once", async () => {
    const ids = await submitted(12, 400_000);
    const before = Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await scripts.client.info("commandstats"))?.[1] ?? 0);
    const taken = await Promise.all(ids.map((id) => take(id)));
    expect(taken.map(([how, epoch]) => [how, epoch])).toEqual(ids.map(() => ["run", 1]));
    const after = Number(/^cmdstat_evalsha:calls=(\d+)/m.exec(await scripts.client.info("commandstats"))?.[1] ?? 0);
    // Three of 400 kB make a call.
    expect(after - before).toBeGreaterThanOrEqual(3);
    expect(await jobs.counts()).toMatchObject({ accepted: 0, running: 12 });
  });
});
