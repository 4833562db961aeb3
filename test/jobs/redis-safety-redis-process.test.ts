import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import { afterEach, describe, expect, test } from "vitest";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { systemPorts } from "../../src/system/index.ts";
import { RedisServer } from "../support/redis-server.ts";
import { ask, ended, saysBack, waitsUntil, wordsOf } from "./fixtures.ts";

const CANCELLED = "{secondwind}:sw:cancelled";
const servers: RedisServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.remove())));

async function start(...more: readonly string[]): Promise<RedisServer> {
  const server = await RedisServer.start("everysec", more);
  servers.push(server);
  return server;
}

/** A way to Redis. Frozen, the connections of until then carry nothing any more; new ones work. */
async function freezable(port: number) {
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.pipe(far).pipe(near);
    sockets.push(near, far);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    opened: () => sockets.length / 2,
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe("B6: jobs in Redis", () => {
  test("B6: a Redis that evicts keys or does not persist is refused, with what to set", async () => {
    const evicting = await start("--maxmemory-policy", "allkeys-lru");
    await expect(openRedisJobs(evicting.url)).rejects.toMatchObject({
      code: "unsafe-redis",
      message: expect.stringContaining("maxmemory-policy is allkeys-lru"),
    });
    const forgetful = await start("--appendonly", "no");
    await expect(openRedisJobs(forgetful.url)).rejects.toMatchObject({
      code: "unsafe-redis",
      message: expect.stringContaining('Set "appendonly yes"'),
    });
    const jobs = await openRedisJobs(forgetful.url, { isPersistenceNeeded: false });
    await jobs.close();
  });

  test("B6: waits whose alarms were lost, because BullMQ's queue was emptied, end all the same", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url);
    const accepted = await jobs.submit(ask("accepted"));
    const worker = jobs.work(async (delivery) => waitsUntil(delivery.job, Date.now() + 3000));
    const waiting = await jobs.submit(ask("waiting"));
    await ended(jobs, waiting, ["waiting"]);
    await ended(jobs, accepted, ["waiting"]);
    await worker.close();
    const client = new Redis(server.url);
    const alarms = await client.keys("{secondwind}:jobs*");
    expect(alarms.length).toBeGreaterThan(0);
    await client.del(...alarms);
    client.disconnect();
    jobs.work(saysBack);
    for (const id of [accepted, waiting]) expect(await ended(jobs, id)).toMatchObject({ state: "done" });
    await jobs.close();
  }, 40_000);

  test("B6: final jobs leave no key behind once they were kept long enough", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url, { keepMs: 60_000 });
    const worker = jobs.work(saysBack);
    const ids = await jobs.submitAll(
      Array.from({ length: 5 }, (_, n) => ({ request: ask(`${n}`), options: { key: `k${n}`, group: "g" } })),
    );
    for (const id of ids) await ended(jobs, id);
    const client = new Redis(server.url);
    // As if they had ended long ago.
    for (const id of ids) await client.zadd("{secondwind}:sw:ended", 1, id);
    await expect
      .poll(async () => (await client.keys("{secondwind}:sw:*")).sort(), { timeout: 15_000 })
      .toEqual(["{secondwind}:sw:pulse", "{secondwind}:sw:seq"]);
    expect(await jobs.get(ids[0] as string)).toBeUndefined();
    expect((await jobs.list()).jobs).toEqual([]);
    client.disconnect();
    await worker.close();
    await jobs.close();
  }, 30_000);

  test("B6: a submit while Redis is away fails in time, and the same key works afterwards", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url);
    await server.stop();
    expect(await jobs.check()).toMatchObject({ ok: false, problem: expect.stringContaining("Redis does not answer") });
    await expect(jobs.submit(ask("x"), { key: "one" })).rejects.toMatchObject({ code: "unreachable" });
    await server.start();
    const id = await jobs.submit(ask("x"), { key: "one" });
    expect(await jobs.submit(ask("x"), { key: "one" })).toBe(id);
    expect(await jobs.check()).toEqual({ ok: true });
    await jobs.close();
  }, 60_000);

  test("B6: a submit that failed while Redis was away is not sent later", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url);
    await server.stop();
    await expect.poll(() => jobs.check().then(({ ok }) => ok)).toBe(false);
    await expect(jobs.submit(ask("x"))).rejects.toMatchObject({ code: "unreachable" });
    await server.start();
    await expect.poll(() => jobs.check().then(({ ok }) => ok), { timeout: 10_000 }).toBe(true);
    expect((await jobs.list()).jobs).toEqual([]);
    await jobs.close();
  }, 30_000);

  test("B6: what is asked while Redis is away fails in words, and is answered when it is back", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url);
    const id = await jobs.submit(ask("x"));
    const asks = (): Promise<unknown>[] => [
      jobs.get(id),
      jobs.list(),
      jobs.request(id),
      jobs.result(id),
      jobs.counts(),
      jobs.cancel(id),
    ];
    await server.stop();
    await expect.poll(() => jobs.check().then(({ ok }) => ok)).toBe(false);
    for (const answer of await Promise.allSettled(asks())) {
      expect(answer).toMatchObject({
        reason: { code: "unreachable", message: expect.stringMatching(/^Redis cannot be reached\./) },
      });
    }
    await server.start();
    await expect.poll(() => jobs.check().then(({ ok }) => ok), { timeout: 10_000 }).toBe(true);
    await Promise.all(asks());
    await jobs.close();
  }, 30_000);

  test("B6: a connection that is half open is replaced", async () => {
    const server = await start();
    const wire = await freezable(server.port);
    const jobs = await openRedisJobs(wire.url);
    await jobs.submit(ask("before"));
    // Longer than a silence that would count as one, without a command.
    await new Promise((resolve) => setTimeout(resolve, 6500));
    expect(wire.opened()).toBe(2);
    wire.freeze();
    const read = expect(jobs.list()).rejects.toMatchObject({
      code: "unreachable",
      message: "Redis does not answer.",
    });
    await expect(jobs.submit(ask("x"))).rejects.toMatchObject({ code: "unreachable" });
    await read;
    await expect
      .poll(
        () =>
          jobs.submit(ask("after")).then(
            () => "accepted",
            () => "failed",
          ),
        { timeout: 15_000 },
      )
      .toBe("accepted");
    await jobs.close();
    wire.close();
  }, 60_000);

  test("B6: a runner that returns a wait without an end fails its job, and no other", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url);
    const ids = await jobs.submitAll([{ request: ask("broken") }, { request: ask("whole") }]);
    jobs.work(async (delivery) =>
      wordsOf(delivery.request) === "broken" ? waitsUntil(delivery.job, Number.NaN) : saysBack(delivery),
    );
    expect(await ended(jobs, ids[0] ?? "", undefined, 5000)).toMatchObject({
      state: "failed",
      failure: { reason: "engine-fault", message: expect.stringContaining("NaN") },
    });
    expect(await ended(jobs, ids[1] ?? "", undefined, 5000)).toMatchObject({ state: "done" });
    await jobs.close();
  }, 20_000);

  test("B6: the message of an earlier cancellation leaves a later delivery alone", async () => {
    const server = await start();
    const jobs = await openRedisJobs(server.url);
    const client = new Redis(server.url);
    const signals: AbortSignal[] = [];
    const worker = jobs.work(({ signal }) => {
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ type: "released" })));
    });
    const told: string[] = [];
    const listener = client.duplicate();
    listener.on("message", (_, message) => told.push(message));
    await listener.subscribe(CANCELLED);
    const id = await jobs.submit(ask("x"));
    await expect.poll(() => signals.length).toBe(1);
    await jobs.cancel(id);
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    await jobs.retryNow(id);
    await expect.poll(() => signals.length, { timeout: 3000 }).toBe(2);
    await client.publish(CANCELLED, told[0] ?? "");
    await expect.poll(() => told.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(signals[1]?.aborted).toBe(false);
    listener.disconnect();
    client.disconnect();
    await worker.close();
    await jobs.close();
  }, 20_000);

  test("B6: a Redis whose memory is full is reported once; results are kept and committed when there is room again", async () => {
    const server = await start();
    const reported: unknown[] = [];
    const ports = systemPorts({ reportFault: (fault) => reported.push(fault) });
    const jobs = await openRedisJobs(server.url, { ports });
    const client = new Redis(server.url);
    let finish: (() => void) | undefined;
    let runs = 0;
    jobs.work(async (delivery) => {
      runs++;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return saysBack(delivery);
    });
    const id = await jobs.submit(ask("x"));
    await ended(jobs, id, ["running"]);
    await client.config("SET", "maxmemory", "1");
    finish?.();
    await expect(jobs.submit(ask("y"))).rejects.toThrow("OOM");
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(reported).toHaveLength(1);
    expect(String(reported[0])).toContain("OOM");
    await client.config("SET", "maxmemory", "0");
    expect(await ended(jobs, id)).toMatchObject({ state: "done", crashes: 0 });
    expect(runs).toBe(1);
    client.disconnect();
    await jobs.close();
  }, 20_000);
});
