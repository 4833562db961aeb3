import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Jobs, Verdict } from "../../src/jobs/index.ts";
import { type Connections, connect } from "../../src/jobs/redis/connect.ts";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { RedisServer } from "../support/redis-server.ts";
import { ask, ended, saysBack, wordsOf } from "./fixtures.ts";
import { KEYS, lapse, take } from "./taking.ts";

const POISON_AFTER = 5;
const SUSPECT_FROM = 3;

describe("B6: suspects in Redis", () => {
  let server: RedisServer;
  let jobs: Jobs;
  let scripts: Connections;
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

  /** A worker takes what is there, and is lost. */
  const lose = async (takesSuspect: boolean): Promise<readonly string[]> => {
    const taken = await take(scripts, { takesSuspect, poisonAfter: POISON_AFTER });
    await lapse(scripts, ...taken.map(({ id }) => id));
    return taken.map(({ how, id }) => `${how} ${id}`);
  };
  /** Jobs whose next taking counts a crash that makes them suspect. */
  const suspects = async (...words: readonly string[]): Promise<readonly string[]> => {
    const ids = await jobs.submitAll(words.map((text) => ({ request: ask(text) })));
    for (let taken = 0; taken < SUSPECT_FROM; taken++) expect(await lose(true)).toHaveLength(ids.length);
    return ids;
  };

  test("B6: a suspect whose worker dies before it runs as the worker's one suspect counts no crash", async () => {
    const [id = ""] = await suspects("bystander");
    expect(await lose(false)).toEqual([]);
    expect(await jobs.get(id)).toMatchObject({ state: "accepted", crashes: SUSPECT_FROM });
    const before = await scripts.client.hgetall(`${KEYS}:j:${id}`);
    for (let worker = 0; worker < 3 * POISON_AFTER; worker++) expect(await lose(false)).toEqual([]);
    expect(await scripts.client.hgetall(`${KEYS}:j:${id}`)).toEqual(before);
    for (let asked = 0; asked < 2; asked++) {
      // The answer was lost, and the worker asks again.
      expect(await take(scripts, { nonce: "one" })).toMatchObject([{ how: "run", id }]);
      expect(await jobs.get(id)).toMatchObject({ state: "running", crashes: SUSPECT_FROM });
    }
  });

  test("B6: a worker that is lost with one suspect harms no other", async () => {
    const ids = await suspects("guilty", "bystander");
    const [guilty = ""] = await lose(true);
    const bystander = ids.find((id) => !guilty.endsWith(id)) ?? "";
    expect(await jobs.get(bystander)).toMatchObject({ state: "accepted", crashes: SUSPECT_FROM });
    expect(await take(scripts, { takesSuspect: false, poisonAfter: POISON_AFTER })).toEqual([]);
    expect(await jobs.get(guilty.replace("run ", ""))).toMatchObject({ crashes: SUSPECT_FROM + 1 });
    expect(await jobs.get(bystander)).toMatchObject({ state: "accepted", crashes: SUSPECT_FROM });
  });

  test("B6: a suspect that kills its worker each time it runs alone becomes poison", async () => {
    const [id = ""] = await suspects("guilty");
    for (let crashes = SUSPECT_FROM; crashes < POISON_AFTER; crashes++) {
      expect(await lose(true)).toEqual([`run ${id}`]);
      expect(await jobs.get(id)).toMatchObject({ state: "running", crashes });
    }
    // Its end needs no room, and is told again if the worker that should commit it is lost too.
    expect(await lose(false)).toEqual([`poison ${id}`]);
    expect(await lose(false)).toEqual([`poison ${id}`]);
    jobs.work(saysBack);
    expect(await ended(jobs, id)).toMatchObject({
      ...{ state: "failed", crashes: POISON_AFTER, failure: { reason: "poison" } },
    });
  });

  test("B6: a worker leaves a second suspect untouched until the end of the first one is committed", async () => {
    const ids = await suspects("first", "second");
    await take(scripts, { takesSuspect: false, poisonAfter: POISON_AFTER });
    const finish: (() => void)[] = [];
    const started: string[] = [];
    jobs.work(async (delivery): Promise<Verdict> => {
      started.push(wordsOf(delivery.request));
      if (wordsOf(delivery.request) !== "innocent") await new Promise<void>((resolve) => finish.push(resolve));
      return saysBack(delivery);
    });
    await expect.poll(() => finish.length, { timeout: 10_000 }).toBe(1);
    const other = ids[started[0] === "first" ? 1 : 0] ?? "";
    const before = await scripts.client.hgetall(`${KEYS}:j:${other}`);
    // The worker looks more than once meanwhile, and takes what is no suspect.
    for (let round = 0; round < 3; round++) await ended(jobs, await jobs.submit(ask("innocent")));
    expect(await scripts.client.hgetall(`${KEYS}:j:${other}`)).toEqual(before);
    expect(before).toMatchObject({ state: "accepted", crashes: String(SUSPECT_FROM) });
    finish[0]?.();
    await expect.poll(() => finish.length, { timeout: 10_000 }).toBe(2);
    expect(await jobs.get(ids.find((id) => id !== other) ?? "")).toMatchObject({ state: "done" });
    finish[1]?.();
    for (const id of ids) expect(await ended(jobs, id)).toMatchObject({ state: "done", crashes: 0 });
  });
});
