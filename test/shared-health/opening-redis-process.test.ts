import { connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SharedHealthHandle, sharedHealth } from "../../src/shared-health/public.ts";
import { RedisServer } from "../support/redis-server.ts";
import { pause } from "./fleet.ts";

const TARGET = { provider: "provider", model: "model", credential: "key" };

/** Keeps the reply to the reading of facts back until it is released, while published messages pass. */
class HoldingProxy {
  readonly #held: (() => void)[] = [];
  #isHolding = false;
  #isReleased = false;
  #published = 0;
  readonly #sockets = new Set<Socket>();
  readonly #server;

  constructor(port: number) {
    this.#server = createServer((socket) => {
      const redis = connect(port, "127.0.0.1");
      let isListener = false;
      socket.on("data", (data) => {
        isListener ||= data.includes("subscribe");
        redis.write(data);
      });
      redis.on("data", (data) => {
        if (this.#isHolding && !isListener) return void this.#held.push(() => socket.write(data));
        if (isListener && data.includes("subscribe")) this.#isHolding = !this.#isReleased;
        if (isListener && data.includes("credential")) this.#published++;
        socket.write(data);
      });
      for (const each of [socket, redis]) this.#sockets.add(each.setNoDelay().on("error", () => undefined));
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    return `redis://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  }

  /** Resolves when Redis has returned its facts. */
  async holdsFacts(): Promise<void> {
    while (this.#held.length === 0) await pause(1);
  }

  async passedNews(): Promise<void> {
    while (this.#published === 0) await pause(1);
  }

  release(): void {
    this.#isReleased = true;
    this.#isHolding = false;
    for (const send of this.#held.splice(0)) send();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }
}

let redis: RedisServer;
let proxy: HoldingProxy;
const open: SharedHealthHandle[] = [];

function join(url: string): SharedHealthHandle {
  const health = sharedHealth({ url, prefix: "opening", onChange: () => undefined });
  open.push(health);
  return health;
}

beforeAll(async () => {
  redis = await RedisServer.start();
  proxy = new HoldingProxy(redis.port);
}, 30_000);

afterAll(async () => {
  for (const health of open) health.close();
  proxy.close();
  await redis.remove();
});

test("B5: what others announce between a process's reading of the facts and its joining is heard", async () => {
  const speaker = join(redis.url);
  while (speaker.status.state !== "connected") await pause(5);
  const hearer = join(await proxy.listen());
  hearer.started?.(TARGET);
  await proxy.holdsFacts();
  speaker.coolDown(TARGET, "credential", performance.now() + 60_000);
  await proxy.passedNews();
  await pause(20);
  proxy.release();
  const untilMs = performance.now() + 3000;
  while (hearer.status.state !== "connected") await pause(5);
  while (hearer.blockedForMs(TARGET, null, performance.now()) === 0 && performance.now() < untilMs) await pause(5);
  expect(hearer.status.outages).toBe(0);
  expect(hearer.blockedForMs(TARGET, null, performance.now())).toBeGreaterThan(50_000);
}, 30_000);
