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

const HELP = `Jobs with everything (the engine, leases, one commit for each result) beside plain BullMQ, whose processor does nothing.
Each gets the same requests in bulk first and then works them off in one process, 50 at a time. Rounds are interleaved; only ratios
mean anything.

  --rounds N   default 5
  --jobs N     in each round; default 5000

Exit code 1 if a figure that we promise is not reached.
`;
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    jobs: { type: "string", default: "5000" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
/** Jobs a second in Redis, of those of plain BullMQ. */
const AT_LEAST = 0.7;
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
  let ran = 0;
  const worker = jobs.work(
    async (delivery) => {
      const verdict = await run(delivery);
      ran++;
      return verdict;
    },
    { concurrency: CONCURRENCY },
  );
  // Counting costs something, so it begins when nothing is left but the last commits.
  while (ran < COUNT || (await jobs.counts()).done < COUNT) await new Promise((resolve) => setTimeout(resolve, 1));
  const rate = perSecond(start);
  await worker.close();
  await jobs.close();
  return rate;
}

function perSecond(start: number): number {
  return (COUNT / (performance.now() - start)) * 1000;
}

const PLAIN = "plain BullMQ, no engine";
const OURS = "jobs in Redis";
const contenders: readonly (readonly [name: string, measure: () => Promise<number>])[] = [
  [PLAIN, plainBullMq],
  [OURS, async () => jobsIn(await openJobs({ redis: url, prefix: `bench-${performance.now()}` }))],
  ["jobs in SQLite", async () => jobsIn(await openJobs({ path: join(folder, `${performance.now()}.db`) }))],
];
const rates = new Map(contenders.map(([name]) => [name, [] as number[]]));
// The first round warms up. Another one begins each further round: each pays for the garbage of the one before.
for (let round = 0; round <= Number(values.rounds); round++) {
  const first = round % contenders.length;
  for (const [name, measure] of [...contenders.slice(first), ...contenders.slice(0, first)]) {
    const rate = await measure();
    if (round > 0) rates.get(name)?.push(rate);
    await connection.flushall();
  }
}
const rateOf = (name: string): number => median(rates.get(name) ?? []);
for (const [name] of contenders) {
  const ratio = (rateOf(name) / rateOf(PLAIN)).toFixed(2);
  process.stdout.write(`${name.padEnd(26)} ${Math.round(rateOf(name))} jobs/s  ${ratio}x\n`);
}
const isReached = rateOf(OURS) / rateOf(PLAIN) >= AT_LEAST;
process.stdout.write(`  ${isReached ? "reached" : "MISSED"}: at least ${AT_LEAST}x plain BullMQ\n`);
connection.disconnect();
redis.kill("SIGKILL");
rmSync(folder, { recursive: true, force: true });
process.exitCode = isReached ? 0 : 1;
