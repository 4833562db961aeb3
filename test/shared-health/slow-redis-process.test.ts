import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SharedHealthHandle, sharedHealth } from "../../src/shared-health/public.ts";
import { RedisServer } from "../support/redis-server.ts";
import { pause, percentile, SlowProxy } from "./fleet.ts";

/** More messages than may be without an answer, one every few ms, through a Redis that answers after 30 ms. */
const MESSAGES = 12;
const EVERY_MS = 3;
const ONE_WAY_MS = 15;

let redis: RedisServer;
let proxy: SlowProxy;
let speaker: SharedHealthHandle;
let hearer: SharedHealthHandle;

const targetOf = (n: number) => ({ provider: "provider", model: `model ${n}`, credential: "key" });

beforeAll(async () => {
  redis = await RedisServer.start();
  proxy = new SlowProxy(redis.port);
  const onChange = (): void => undefined;
  speaker = sharedHealth({ url: `redis://127.0.0.1:${await proxy.listen()}`, prefix: "slow", onChange });
  hearer = sharedHealth({ url: redis.url, prefix: "slow", onChange });
  while (speaker.status.processes !== 2 || hearer.status.processes !== 2) await pause(20);
  proxy.delayMs = ONE_WAY_MS;
}, 30_000);

afterAll(async () => {
  speaker.close();
  hearer.close();
  proxy.close();
  await redis.remove();
});

describe("B5: a Redis that answers slowly", () => {
  test("B5: news that waits for an answer to earlier messages goes out with that answer, not at the usual pace", async () => {
    const took: number[] = [];
    for (let round = 0; round < 9; round++) {
      for (let n = 0; n < MESSAGES; n++) {
        const target = targetOf(round * MESSAGES + n);
        // Only what a process calls is held back there.
        hearer.started?.(target);
        speaker.coolDown(target, "model", performance.now() + 60_000);
        await pause(EVERY_MS);
      }
      const fromMs = performance.now();
      const last = targetOf(round * MESSAGES + MESSAGES - 1);
      while (hearer.blockedForMs(last, null, performance.now()) === 0) await pause(1);
      took.push(performance.now() - fromMs);
      await pause(200);
    }
    // At the usual pace it would be 75 to 125 ms, less what has passed since the first message that waited.
    expect(percentile(took, 0.5)).toBeLessThan(40);
  }, 30_000);
});
