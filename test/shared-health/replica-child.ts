/** One process of a fleet: calls a provider through the engine, with a health that it shares. The test tells it what to do. */
import { Agent, request } from "node:http";
import { definePolicy } from "../../src/kernel/index.ts";
import { run } from "../../src/library/run.ts";
import { defaultPolicy } from "../../src/presets/index.ts";
import { sharedHealth } from "../../src/shared-health/public.ts";
import type { LoadReport, Order } from "./fleet.ts";

const [redisUrl = "", prefix = "", providerUrl = ""] = process.argv.slice(2);
const said: string[] = [];
const health = sharedHealth({ url: redisUrl, prefix, onChange: (line) => void said.push(line) });
const target = { provider: "provider", model: "model", credential: "key" };
let policy = definePolicy({ patienceMs: 600_000 }, defaultPolicy());
const options = { health, targets: [{ provider: "provider", model: "model", credentials: ["key"] }] };
const agent = new Agent({ keepAlive: true, maxSockets: 2000 });
/** The same clock in all processes of a machine. */
const nowMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function call(): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(providerUrl, { agent, method: "POST" }, (response) => {
      response.resume().once("end", () => {
        if (response.statusCode === 200) return resolve("answer");
        reject(Object.assign(new Error(`HTTP ${response.statusCode}`), { status: response.statusCode }));
      });
    });
    sent.once("error", reject).end();
  });
}

let isLoaded = false;
let started = 0;
let failed: string[] = [];
let took: number[] = [];
let ending = new AbortController();

async function client(thinkMs: number): Promise<void> {
  const { signal } = ending;
  while (isLoaded) {
    await pause(Math.random() * 2 * thinkMs);
    if (!isLoaded) return;
    started++;
    const fromMs = performance.now();
    let inCallMs = 0;
    const timed = async (): Promise<string> => {
      const calledMs = performance.now();
      return call().finally(() => {
        inCallMs += performance.now() - calledMs;
      });
    };
    const result = await run(timed, { policy, ...options, signal });
    // What the engine and its health add to the calls: the machine's own noise is in the calls.
    took.push(performance.now() - fromMs - inCallMs);
    if (!result.ok && !signal.aborted) failed.push(result.failure?.message ?? String(result.reason));
  }
}

function report(): LoadReport {
  const made = { started, failed, took };
  started = 0;
  failed = [];
  took = [];
  return made;
}

/** Resolves once the health holds calls to the target back. */
async function heldBack(limitMs: number): Promise<number> {
  const untilMs = nowMs() + limitMs;
  while (health.blockedForMs(target, null, performance.now()) === 0 && nowMs() < untilMs) {
    // Not without a pause: it would take the core that Redis and the other process need.
    await pause(1);
  }
  return nowMs();
}

async function obey(order: Order): Promise<unknown> {
  switch (order.type) {
    case "status":
      return { ...health.status, said, breakers: health.snapshot(performance.now()).breakers };
    case "meet":
      health.started?.(target);
      health.countAnswer?.(target, { roughNow: () => performance.now() });
      return undefined;
    case "cool-down": {
      const atMs = nowMs();
      health.coolDown(target, "credential", performance.now() + order.ms);
      return atMs;
    }
    case "end-cooldown":
      return health.endCooldown(target, "credential");
    case "wait-held-back":
      return heldBack(order.limitMs);
    case "load":
      isLoaded = true;
      if (order.cooldownMs !== undefined) {
        policy = definePolicy({ breaker: { cooldownMs: order.cooldownMs, maxCooldownMs: order.cooldownMs } }, policy);
      }
      ending = new AbortController();
      for (let n = 0; n < order.clients; n++) void client(order.thinkMs);
      return undefined;
    case "report":
      return report();
    case "unload":
      isLoaded = false;
      ending.abort();
      return undefined;
    default:
      return order satisfies never;
  }
}

process.on("message", (order: Order & { readonly n: number }) => {
  void obey(order).then((value) => process.send?.({ n: order.n, value }));
});
process.on("disconnect", () => process.exit(0));
process.send?.({ n: 0 });
