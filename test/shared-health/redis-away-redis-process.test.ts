import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RedisServer } from "../support/redis-server.ts";
import { often } from "../support/soak.ts";
import { type LoadReport, Provider, pause, percentile, Replica, SlowProxy } from "./fleet.ts";

const PROCESSES = 4;
const MOST_ADDED_MS = 5;
const IN_STEP_MS = 2000;

let redis: RedisServer;
let proxy: SlowProxy;
let provider: Provider;
let replicas: readonly Replica[];

beforeAll(async () => {
  redis = await RedisServer.start();
  proxy = new SlowProxy(redis.port);
  provider = new Provider();
  const redisUrl = `redis://127.0.0.1:${await proxy.listen()}`;
  const url = await provider.listen();
  replicas = await Promise.all(Array.from({ length: PROCESSES }, () => Replica.start(redisUrl, "away", url)));
  await allConnected();
  for (const replica of replicas) await replica.ask({ type: "load", clients: 10, thinkMs: 100 });
  // The engine and the sockets warm up.
  await pause(2000);
}, 60_000);

afterAll(async () => {
  for (const replica of replicas) replica.end();
  proxy.close();
  provider.close();
  await redis.remove();
});

/** Returns how long it took until all were connected and knew of each other. */
async function allConnected(): Promise<number> {
  const fromMs = performance.now();
  for (;;) {
    const all = await Promise.all(replicas.map((replica) => replica.status()));
    if (all.every(({ state, processes }) => state === "connected" && processes === PROCESSES)) {
      return performance.now() - fromMs;
    }
    if (performance.now() - fromMs > 10_000) throw new Error(`Not connected: ${JSON.stringify(all)}`);
    await pause(10);
  }
}

async function reports(): Promise<{ readonly failed: readonly string[]; readonly took: readonly number[] }> {
  const all = await Promise.all(replicas.map((replica) => replica.ask<LoadReport>({ type: "report" })));
  return { failed: all.flatMap(({ failed }) => failed), took: all.flatMap(({ took }) => took) };
}

/** What goes wrong, and how it ends. */
const TROUBLES: readonly [string, () => void | Promise<void>, () => void | Promise<void>][] = [
  ["is killed and starts again", () => redis.stop(), () => redis.start()],
  ["stops (SIGSTOP) and goes on", () => redis.kill("SIGSTOP"), () => redis.kill("SIGCONT")],
  [
    "answers 2 s late for a while",
    () => {
      proxy.delayMs = 2000;
    },
    () => {
      proxy.delayMs = 0;
    },
  ],
];

describe("B5: while Redis is away, requests go on with local health", () => {
  test.each(TROUBLES)(
    "B5: no request fails or waits when Redis %s; all are in step again within 2 s",
    async (what, begin, end) => {
      const seconds = often(3, 15);
      await reports();
      await pause(seconds * 1000);
      const before = await reports();
      const saidBefore = (await Promise.all(replicas.map((replica) => replica.status()))).map(
        ({ said }) => said.length,
      );
      await begin();
      await pause(seconds * 1000);
      const during = await reports();
      const away = await Promise.all(replicas.map((replica) => replica.status()));
      // Learned while Redis is away; obeyed by the others once it is back.
      await end();
      const backMs = performance.now();
      await replicas[0]?.ask({ type: "cool-down", ms: 200_000 });
      const others = replicas.slice(1);
      await Promise.all(others.map((replica) => replica.ask({ type: "wait-held-back", limitMs: 10_000 })));
      const inStepMs = performance.now() - backMs;
      await allConnected();
      await replicas[0]?.ask({ type: "end-cooldown" });
      const after = await Promise.all(replicas.map((replica) => replica.status()));
      const addedMs = percentile(during.took, 0.99) - percentile(before.took, 0.99);
      process.stdout.write(
        `${what}: ${during.took.length} requests, ${during.failed.length} failed, p99 beyond the call ${percentile(before.took, 0.99).toFixed(1)} → ` +
          `${percentile(during.took, 0.99).toFixed(1)} ms, in step after ${Math.round(inStepMs)} ms\n`,
      );
      expect(during.failed).toEqual([]);
      expect(during.took.length).toBeGreaterThan(100);
      expect(addedMs).toBeLessThan(MOST_ADDED_MS);
      expect(away.map(({ state }) => state)).toEqual(away.map(() => "away"));
      expect(inStepMs).toBeLessThan(IN_STEP_MS);
      // One line when it goes, one when it is back.
      expect(after.map(({ said }, n) => said.length - (saidBefore[n] ?? 0))).toEqual(after.map(() => 2));
      await pause(1000);
    },
    120_000,
  );
});
