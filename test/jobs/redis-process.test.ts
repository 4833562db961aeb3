import { afterAll, beforeAll } from "vitest";
import { openRedisJobs } from "../../src/jobs/redis/redis-jobs.ts";
import { RedisServer } from "../support/redis-server.ts";
import { describeJobs } from "./contract.ts";

let server: RedisServer;
let places = 0;

beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.remove());

describeJobs("Redis", async () => {
  const prefix = `place-${++places}`;
  return {
    open: (options) => openRedisJobs(server.url, { prefix, ...options }),
    remove: async () => undefined,
  };
});
