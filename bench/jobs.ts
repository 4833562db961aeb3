import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { type Jobs, jobRunner, openJobs } from "../src/jobs/index.ts";
import type { Provider } from "../src/providers/provider.ts";
import { systemPorts } from "../src/system/index.ts";
import { median } from "./measure.ts";

/**
 * Jobs with everything (the engine, leases, one commit for each result) beside plain BullMQ, whose processor does nothing. Both get all
 * jobs first and then work them off. Rounds are interleaved; only ratios mean anything.
 */
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, jobs: { type: "string", default: "5000" } },
});
const COUNT = Number(values.jobs);
const CONCURRENCY = 50;
const PORT = 16_379;

const folder = mkdtempSync(join(tmpdir(), "secondwind-bench-"));
const redis = spawn(
  "redis-server",
  [
    "--port",
    String(PORT),
    "--dir",
    folder,
    "--save",
    "",
    "--appendonly",
    "yes",
    "--appendfsync",
    "everysec",
    "--auto-aof-rewrite-percentage",
    "0",
  ],
  { stdio: "ignore" },
);
const url = `redis://127.0.0.1:${PORT}`;
const connection = new Redis(url, { maxRetriesPerRequest: null });
connection.on("error", () => undefined);
await connection.ping();

const request = { model: "bench/any", messages: [{ role: "user" as const, content: "x".repeat(400) }] };
const provider: Provider = {
  name: "bench",
  async *stream() {
    yield { type: "text", text: "fine" };
    yield { type: "finish", reason: "end" };
  },
};
const run = jobRunner({
  providerOf: () => provider,
  targetsFor: () => [{ provider: "bench", model: "any" }],
  ports: systemPorts(),
});

/** Jobs per second. */
async function plainBullMq(): Promise<number> {
  const name = `plain-${performance.now()}`;
  const queue = new Queue(name, { connection });
  const start = performance.now();
  for (let at = 0; at < COUNT; at += 500) {
    const size = Math.min(500, COUNT - at);
    const opts = { removeOnComplete: true };
    await queue.addBulk(Array.from({ length: size }, () => ({ name: "job", data: { request }, opts })));
  }
  let done = 0;
  let worker: Worker | undefined;
  await new Promise<void>((resolve) => {
    worker = new Worker(name, async () => ({ text: "fine" }), { connection, concurrency: CONCURRENCY });
    worker.on("completed", () => {
      if (++done === COUNT) resolve();
    });
  });
  const rate = perSecond(start);
  await worker?.close();
  await queue.close();
  return rate;
}

/** Until the last result is committed. */
async function jobsIn(jobs: Jobs): Promise<number> {
  const start = performance.now();
  await jobs.submitAll(Array.from({ length: COUNT }, () => ({ request })));
  const worker = jobs.work(run, { concurrency: CONCURRENCY });
  while ((await jobs.counts()).done < COUNT) await new Promise((resolve) => setTimeout(resolve, 50));
  const rate = perSecond(start);
  await worker.close();
  await jobs.close();
  return rate;
}

function perSecond(start: number): number {
  return (COUNT / (performance.now() - start)) * 1000;
}

const contenders = {
  "plain BullMQ, no engine": plainBullMq,
  "jobs in Redis": async () => jobsIn(await openJobs({ redis: url, prefix: `bench-${performance.now()}` })),
  "jobs in SQLite": async () => jobsIn(await openJobs({ path: join(folder, `${performance.now()}.db`) })),
} as const;
const rates = Object.fromEntries(Object.keys(contenders).map((name) => [name, [] as number[]]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, measure] of Object.entries(contenders)) rates[name]?.push(await measure());
}
const floor = median(rates["plain BullMQ, no engine"] ?? []);
for (const [name, all] of Object.entries(rates)) {
  const rate = median(all);
  process.stdout.write(`${name.padEnd(26)} ${Math.round(rate)} jobs/s  ${(rate / floor).toFixed(2)}x\n`);
}
connection.disconnect();
redis.kill("SIGKILL");
rmSync(folder, { recursive: true, force: true });
