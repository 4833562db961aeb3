import { RedisServer } from "../support/redis-server.ts";
import { describeDeaths } from "./deaths.ts";

describeDeaths("Redis", async () => {
  const server = await RedisServer.start("always");
  return {
    address: server.url,
    options: { redis: server.url },
    env: { REDIS_URL: server.url },
    restart: async () => {
      await server.stop();
      await server.start();
    },
    remove: () => server.remove(),
  };
});
