import { afterAll, beforeAll, expect, test } from "vitest";
import { RedisServer } from "../../support/redis-server.ts";
import { newFolder, startServer, type TestServer } from "./support/test-server.ts";

let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.start();
});

afterAll(() => redis.remove());

interface Redis {
  readonly state: string;
  readonly since: string;
  readonly processes: number;
}

test("B5: /health and the metrics say what Redis does, and the server takes work without it", async () => {
  const start = (url: string): Promise<TestServer> => startServer({ env: { HOME: newFolder(), REDIS_URL: url } });
  const server = await start(redis.url);
  await start(redis.url);
  const redisOf = async (): Promise<Redis> => ((await server.ask("/health")).json as { redis: Redis }).redis;
  await expect.poll(redisOf).toMatchObject({ state: "connected", processes: 2 });
  expect((await server.ask("/metrics")).text).toContain("secondwind_redis_connected 1\n");
  await redis.stop();
  await expect.poll(redisOf).toMatchObject({ state: "away", processes: 1 });
  const health = await server.ask("/health");
  expect(health).toMatchObject({ status: 200, json: { live: true, ready: true } });
  expect((await server.ask("/metrics")).text).toContain("secondwind_redis_connected 0\n");
  await redis.start();
  await expect.poll(redisOf, { timeout: 4000 }).toMatchObject({ state: "connected", processes: 2 });
  // A wrong password is no reason to stop either, and is nowhere to be seen.
  const locked = await start(`redis://nobody:hunter2@127.0.0.1:${redis.port}`);
  await expect.poll(async () => ((await locked.ask("/health")).json as { redis: Redis }).redis.state).toBe("away");
  expect((await locked.ask("/health")).text).not.toContain("hunter2");
});
