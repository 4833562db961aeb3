import { parseArgs } from "node:util";
import { startSimulator } from "../../src/simulator/http/index.ts";
import type { Usage } from "./children.ts";
import { prepare, start, Unavailable } from "./contestants.ts";
import { growthOf, type Point } from "./slope.ts";
import { startTraffic } from "./soak-traffic.ts";

const USAGE = `Usage: npm run soak:gateway -- [--minutes N] [--gateway name]

Steady traffic through a gateway to the simulator in drizzle: streams, JSON, and clients that leave. Prints heap, memory, sockets
and timers of the gateway's process.

  --minutes N      0.5 to 1440 (default 60)
  --gateway name   secondwind (default), prototype, pipe or hono

Exit code 1 if the heap grows, if nothing is answered, or if sockets or timers are left at the end.`;

const GATEWAYS = ["secondwind", "prototype", "pipe", "hono"] as const;
const SAMPLES = 60;
/** The compiler and the caches fill up first. */
const SETTLED = 0.25;
/** Idle connections to the upstream may stay as long as their keep-alive time. */
const LEFTOVER_PATIENCE_MS = 30_000;
const MB = 2 ** 20;

const { minutes, gateway } = readArguments();
const simulator = await startSimulator({ weather: "drizzle", timeScale: 0.5 });
const contestant = await prepared();
const child = contestant.child;
if (child === undefined) throw new Error(`${gateway} has no process`);
const usage = (): Promise<Usage> => child.ask<Usage>("collect");
const count = ({ resources }: Usage, kind: string): number => resources.filter((name) => name === kind).length;

const idle = await usage();
const traffic = startTraffic(contestant.target.port);
const heap: Point[] = [];
const rss: Point[] = [];
console.log("minute   heap MB   RSS MB   sockets   timers   answers   errors   disconnects");
for (let sample = 1; sample <= SAMPLES; sample++) {
  await sleep((minutes * 60_000) / SAMPLES);
  const now = await usage();
  const minute = (minutes * sample) / SAMPLES;
  heap.push({ minute, value: now.heapUsed });
  rss.push({ minute, value: now.rss });
  if (sample % 5 === 0) show(minute, now);
}
await traffic.stop();
const last = await settled();
await child.stop();
await simulator.close();
verdict(last);

function show(minute: number, now: Usage): void {
  const { answers, errors, disconnects } = traffic.counts;
  const memory = [minute.toFixed(1).padStart(6), mb(now.heapUsed).padStart(10), mb(now.rss).padStart(9)];
  const held = [String(count(now, "TCPSocketWrap")).padStart(10), String(count(now, "Timeout")).padStart(9)];
  console.log(
    [
      ...memory,
      ...held,
      String(answers).padStart(10),
      String(errors).padStart(9),
      String(disconnects).padStart(14),
    ].join(""),
  );
}

/** Without traffic the process returns to what it held before the first request. */
async function settled(): Promise<Usage> {
  const untilMs = performance.now() + LEFTOVER_PATIENCE_MS;
  let now = await usage();
  while (leftOf(now).length > 0 && performance.now() < untilMs) {
    await sleep(500);
    now = await usage();
  }
  return now;
}

function leftOf(now: Usage): string[] {
  return ["TCPSocketWrap", "Timeout"].filter((kind) => count(now, kind) > count(idle, kind));
}

function verdict(now: Usage): void {
  const from = Math.floor(SAMPLES * SETTLED);
  const grown = growthOf(heap.slice(from));
  const grownRss = growthOf(rss.slice(from));
  const isFlat = grown.inAll <= Math.max(MB, 0.05 * grown.middle);
  const left = leftOf(now).map((kind) => `${count(now, kind) - count(idle, kind)} ${kind}`);
  const isAnswered = traffic.counts.answers > 0;
  console.log(
    `\nheap slope  ${mb(grown.perMinute)} MB a minute, ${mb(grown.inAll)} MB in all: ${isFlat ? "flat" : "GROWS"}`,
  );
  console.log(`RSS slope   ${mb(grownRss.perMinute)} MB a minute, ${mb(grownRss.inAll)} MB in all`);
  console.log(`left behind ${left.length === 0 ? "nothing" : left.join(", ")}`);
  if (!isAnswered) console.log("No request was answered with 200");
  process.exit(isFlat && left.length === 0 && isAnswered ? 0 : 1);
}

function mb(bytes: number): string {
  return (bytes / MB).toFixed(2);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function prepared() {
  try {
    await prepare(gateway);
    return await start(gateway, simulator.port);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    console.error(`${gateway} is missing: ${error.message}`);
    return process.exit(2);
  }
}

function readArguments(): { minutes: number; gateway: (typeof GATEWAYS)[number] } {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "60" },
      gateway: { type: "string", default: "secondwind" },
      help: { type: "boolean" },
    },
  });
  const minutes = Number(values.minutes);
  const gateway = GATEWAYS.find((name) => name === values.gateway);
  if (values.help === true || gateway === undefined || !(minutes >= 0.5 && minutes <= 1440)) {
    (values.help === true ? console.log : console.error)(USAGE);
    process.exit(values.help === true ? 0 : 2);
  }
  return { minutes, gateway };
}
