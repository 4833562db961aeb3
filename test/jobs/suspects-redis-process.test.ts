import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Jobs, Verdict } from "../../src/jobs/index.ts";
import { type Connections, connect } from "../../src/jobs/redis/connect.ts";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { RedisServer } from "../support/redis-server.ts";
import { ask, ended, saysBack, wordsOf } from "./fixtures.ts";

const KEYS = "{secondwind}:sw";
const POISON_AFTER = 5;
const SUSPECT_FROM = 3;

describe("B6: suspects in Redis", () => {
  let server: RedisServer;
  let jobs: Jobs;
  let scripts: Connections;
  let nonces = 0;
  beforeEach(async () => {
    server = await RedisServer.start();
    jobs = await openRedisJobs(server.url, { crashDelayMs: 0, poisonAfter: POISON_AFTER });
    scripts = await connect(server.url, KEYS, true, () => undefined);
  });
  afterEach(async () => {
    scripts.close();
    await jobs.close();
    await server.remove();
  });

  /** A delivery to a worker that is lost before it does anything more. */
  const take = async (id: string, isOneSuspect: "0" | "1", nonce = `nonce ${++nonces}`): Promise<string> => {
    const bounds = [POISON_AFTER, 0, SUSPECT_FROM];
    const answer = await scripts.run("take", id, id, nonce, Date.now(), ...bounds, isOneSuspect);
    return (answer as readonly string[])[0] ?? "";
  };
  const suspect = async (words: string): Promise<string> => {
    const id = await jobs.submit(ask(words));
    for (let taken = 0; taken < SUSPECT_FROM; taken++) expect(await take(id, "0")).toBe("run");
    return id;
  };
  const epochOf = (id: string): Promise<string | null> => scripts.client.hget(`${KEYS}:j:${id}`, "epoch");

  test("B6: a suspect whose worker dies before it runs as the worker's one suspect counts no crash", async () => {
    const id = await suspect("bystander");
    const before = await scripts.client.hgetall(`${KEYS}:j:${id}`);
    for (let delivery = 0; delivery < 3 * POISON_AFTER; delivery++) expect(await take(id, "0")).toBe("suspect");
    expect(await scripts.client.hgetall(`${KEYS}:j:${id}`)).toEqual(before);
    expect(await take(id, "1", "one")).toBe("run");
    expect(await jobs.get(id)).toMatchObject({ state: "running", crashes: SUSPECT_FROM });
    // The answer was lost, and the worker asks again.
    expect(await take(id, "1", "one")).toBe("run");
    expect(await jobs.get(id)).toMatchObject({ crashes: SUSPECT_FROM });
  });

  test("B6: a suspect that kills its worker each time it runs alone becomes poison", async () => {
    const id = await suspect("guilty");
    for (let crashes = SUSPECT_FROM; crashes < POISON_AFTER; crashes++) {
      expect(await take(id, "0")).toBe("suspect");
      expect(await take(id, "1")).toBe("run");
      expect(await jobs.get(id)).toMatchObject({ state: "running", crashes });
    }
    // Its last delivery needs no room, and may be asked for twice.
    expect(await take(id, "0")).toBe("poison");
    expect(await take(id, "0")).toBe("poison");
    jobs.work(saysBack);
    expect(await ended(jobs, id)).toMatchObject({
      ...{ state: "failed", crashes: POISON_AFTER, failure: { reason: "poison" } },
    });
  });

  test("B6: a worker leaves a second suspect untouched until the end of the first one is committed", async () => {
    const ids = [await suspect("first"), await suspect("second")];
    const epochs = await Promise.all(ids.map(epochOf));
    const finish: (() => void)[] = [];
    const started: string[] = [];
    jobs.work(async (delivery): Promise<Verdict> => {
      started.push(wordsOf(delivery.request));
      await new Promise<void>((resolve) => finish.push(resolve));
      return saysBack(delivery);
    });
    await expect.poll(() => finish.length, { timeout: 10_000 }).toBe(1);
    const other = started[0] === "first" ? 1 : 0;
    const postponedUntil = (): Promise<string | null> =>
      scripts.client.zscore("{secondwind}:jobs:delayed", ids[other] as string);
    await expect.poll(postponedUntil, { timeout: 10_000 }).not.toBeNull();
    const first = await postponedUntil();
    // It comes again, and is put off again.
    await expect.poll(async () => [null, first].includes(await postponedUntil()), { timeout: 10_000 }).toBe(false);
    expect(await epochOf(ids[other] as string)).toBe(epochs[other]);
    expect(await jobs.get(ids[other] as string)).toMatchObject({ crashes: SUSPECT_FROM - 1 });
    finish[0]?.();
    await expect.poll(() => finish.length, { timeout: 10_000 }).toBe(2);
    expect(await jobs.get(ids[1 - other] as string)).toMatchObject({ state: "done" });
    finish[1]?.();
    for (const id of ids) expect(await ended(jobs, id)).toMatchObject({ state: "done", crashes: 0 });
  });
});
