import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Jobs } from "../../src/jobs/index.ts";
import { Alarms } from "../../src/jobs/redis/alarms.ts";
import { Bell } from "../../src/jobs/redis/bell.ts";
import { type Connections, connect } from "../../src/jobs/redis/connect.ts";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { RedisServer } from "../support/redis-server.ts";
import { ask, ended, saysBack, waitsUntil, wordsOf } from "./fixtures.ts";
import { KEYS } from "./taking.ts";

const HOUR_MS = 3_600_000;
const DELAYED = "{secondwind}:jobs:delayed";
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("B6: waits and rings in Redis", () => {
  let server: RedisServer;
  let jobs: Jobs;
  let redis: Connections;
  beforeEach(async () => {
    server = await RedisServer.start();
    jobs = await openRedisJobs(server.url);
    redis = await connect(server.url, KEYS, true, () => undefined);
  });
  afterEach(async () => {
    redis.close();
    await jobs.close();
    await server.remove();
  });
  const delayed = (): Promise<string[]> => redis.client.zrange(DELAYED, "0", "-1");

  test("B6: a wait is one delayed job of BullMQ, and work that never waits is none", async () => {
    jobs.work(async (delivery) =>
      wordsOf(delivery.request) === "waits" ? waitsUntil(delivery.job, Date.now() + HOUR_MS) : saysBack(delivery),
    );
    const [waits = "", quick = ""] = await jobs.submitAll([{ request: ask("waits") }, { request: ask("quick") }]);
    await ended(jobs, quick);
    await ended(jobs, waits, ["waiting"]);
    await expect.poll(delayed).toEqual([`${waits}~1`]);
    const bullJobs = await redis.client.keys("{secondwind}:jobs:*");
    expect(bullJobs.some((name) => name.includes(quick))).toBe(false);
    // Ended early it waits for the next hour, with an alarm of its own.
    await jobs.retryNow(waits);
    await expect.poll(delayed).toEqual([`${waits}~2`]);
    await jobs.cancel(waits);
    expect(await delayed()).toEqual([]);
  });

  test("B6: an alarm rings when its time has come, once, and not after it was unset", async () => {
    const alarms = new Alarms(redis, "{secondwind}");
    const rung: number[] = [];
    const stop = alarms.listen(async () => rung.push(Date.now()));
    const setAt = Date.now();
    await alarms.set("kept", 1, 400.5);
    await alarms.set("gone", 1, 400);
    await alarms.unset("gone", 1);
    await expect.poll(() => rung.length, { timeout: 5000 }).toBe(1);
    expect((rung[0] ?? 0) - setAt).toBeGreaterThanOrEqual(400);
    await pause(300);
    expect(rung).toHaveLength(1);
    expect(await redis.client.keys("{secondwind}:jobs:*~*")).toEqual([]);
    await stop();
    await alarms.close();
  });

  test("B6: a ring wakes one worker; without one it looks after a second, and also while Redis does not answer", async () => {
    const [one, other] = [new Bell(redis, `${KEYS}:bell`), new Bell(redis, `${KEYS}:bell`)];
    const heard: string[] = [];
    const both = [one.heard().then(() => heard.push("one")), other.heard().then(() => heard.push("other"))];
    await pause(100);
    await redis.run("ring");
    await Promise.race(both);
    expect(heard).toHaveLength(1);
    await Promise.all(both);
    // Woken here, although nobody rang.
    const woken = one.heard();
    one.wake();
    await woken;
    server.kill("SIGSTOP");
    await other.heard();
    server.kill("SIGCONT");
    one.close();
    other.close();
    await one.heard();
  }, 20_000);

  test("B6: two idle workers share what comes, though the first has no room for all of it", async () => {
    const elsewhere = await openRedisJobs(server.url);
    const finish: (() => void)[] = [];
    for (const place of [jobs, elsewhere]) {
      place.work(
        async (delivery) => {
          await new Promise<void>((resolve) => finish.push(resolve));
          return saysBack(delivery);
        },
        { concurrency: 1 },
      );
    }
    const ids = await jobs.submitAll(["a", "b", "c"].map((text) => ({ request: ask(text) })));
    await expect.poll(() => finish.length, { timeout: 5000 }).toBe(2);
    expect(await jobs.counts()).toMatchObject({ running: 2, accepted: 1 });
    for (let at = 0; at < 3; at++) {
      await expect.poll(() => finish.length, { timeout: 5000 }).toBeGreaterThan(at);
      finish[at]?.();
    }
    for (const id of ids) await ended(jobs, id);
    await elsewhere.close();
  });

  test("B6: an outage of Redis that is longer than the lease is no crash: each job runs once", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => openRedisJobs(server.url, { leaseMs: 1000 })));
    let runs = 0;
    for (const place of [first, second]) {
      place?.work(async (delivery) => {
        runs++;
        await pause(4000);
        return saysBack(delivery);
      });
    }
    const ids = await jobs.submitAll(["a", "b", "c"].map((text) => ({ request: ask(text) })));
    for (const id of ids) await ended(jobs, id, ["running"]);
    await server.stop();
    await pause(2500);
    await server.start();
    for (const id of ids) expect(await ended(jobs, id)).toMatchObject({ state: "done", attempts: 1 });
    expect(runs).toBe(3);
    await Promise.all([first?.close(), second?.close()]);
  }, 30_000);
});
