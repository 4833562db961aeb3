import { createServer, type Server } from "node:net";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SharedHealthHandle, sharedHealth } from "../../src/shared-health/public.ts";
import { RedisServer } from "../support/redis-server.ts";
import { until } from "../support/until.ts";

let redis: RedisServer;
let client: Redis;
const TARGET = { provider: "p", model: "m", credential: "key" };
const opened: SharedHealthHandle[] = [];
const said: string[] = [];

function open(url: string, prefix: string): SharedHealthHandle {
  const health = sharedHealth({ url, prefix, onChange: (line) => void said.push(line) });
  opened.push(health);
  return health;
}

beforeAll(async () => {
  redis = await RedisServer.start();
  client = new Redis(redis.url);
});

afterAll(async () => {
  for (const health of opened) health.close();
  client.disconnect();
  await redis.remove();
});

describe("B5: a Redis that answers nonsense", () => {
  test("B5: facts and messages that mean nothing are ignored, and those after them are heard", async () => {
    await client.hset("odd:health:facts", { a: "no JSON", b: "[1,2]", c: '["c",0,9e99,9e99,""]' });
    const [a, b] = [open(redis.url, "odd"), open(redis.url, "odd")];
    await until(() => a.status.processes === 2 && b.status.processes === 2);
    for (const text of ["", "nonsense", "{}", '{"v":1,"from":"x","facts":[[]],"calls":[["p"]]}', "[".repeat(10_000)]) {
      await client.publish("odd:health:news", text);
    }
    b.started?.(TARGET);
    a.coolDown(TARGET, "credential", performance.now() + 60_000);
    await until(() => b.blockedForMs(TARGET, null, performance.now()) > 0);
    expect(JSON.stringify(await client.hgetall("odd:health:facts"))).not.toContain("no JSON");
    // One who comes later knows it from the start.
    const late = open(redis.url, "odd");
    await until(() => late.status.state === "connected");
    late.started?.(TARGET);
    expect(late.blockedForMs(TARGET, null, performance.now())).toBeGreaterThan(50_000);
  });

  test("B5: a key of another kind and a server that is no Redis leave health local, with one line each", async () => {
    await client.set("taken:health:facts", "a string");
    const server: Server = createServer((socket) => {
      socket.on("error", () => undefined).on("data", () => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    said.length = 0;
    const both = [open(redis.url, "taken"), open(`redis://user:hunter2@127.0.0.1:${port}`, "other")];
    await until(() => both.every(({ status }) => status.state === "away"));
    for (const health of both) {
      health.started?.(TARGET);
      health.coolDown(TARGET, "credential", performance.now() + 1000);
      expect(health.blockedForMs(TARGET, null, performance.now())).toBeGreaterThan(0);
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(said).toHaveLength(2);
    expect(said.join()).toContain("WRONGTYPE");
    expect(said.join()).not.toContain("hunter2");
    server.close();
    // The key is free again: so is the way.
    await client.del("taken:health:facts");
    await until(() => both[0]?.status.state === "connected");
    expect(said.at(-1)).toMatch(/is back after \d+ s\. Health is shared again\.$/);
  });
});
