import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { often } from "../../../support/soak.ts";
import { chatOverHttp, type Exchange } from "./clients/ndjson-client.ts";

interface Stats {
  readonly mostRunning: number;
  readonly rssBytes: number;
  readonly peakBytes: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly cpuMs: number;
}

/** All 500 with `npm run soak`, or SECONDWIND_SOAK=1 before this test's own command: they take half a minute of a quiet machine. */
const CONVERSATIONS = often(100, 500);
/** The pace of each answer: so slow that all of them stream at the same time, and not faster than one process can carry. */
const TOKEN_MS = CONVERSATIONS / 2;
/** Alone on the machine, as with SECONDWIND_SOAK=1. Beside other tests every process is late, which the idle one shows. */
const MOST_DELAY_MS = 50;
const MOST_BYTES = 900_000_000;
/** Milliseconds between two that start: all are under way before the first has ended. */
const APART_MS = 8;

/** What the event loop of a process that does nothing is late by: how busy the machine is with other things. */
const IDLE = `
  const delays = require("node:perf_hooks").monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  process.stdin.on("end", () => process.stdout.write(String(delays.percentile(99) / 1e6))).resume();
`;

function start(args: readonly string[]): ChildProcess & { readonly stdout: Readable } {
  const child = spawn(process.execPath, ["--no-warnings", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child as ChildProcess & { readonly stdout: Readable };
}

test("K6: hundreds of conversations at once in drizzle: all are answered, memory is bounded, the event loop stays free", async () => {
  const folder = mkdtempSync(join(tmpdir(), "secondwind-crowd-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = start([
    "--import",
    "tsx",
    join(import.meta.dirname, "crowd-child.ts"),
    join(folder, "store.db"),
    String(TOKEN_MS),
  ]);
  const url = `http://127.0.0.1:${String((await once(server.stdout, "data"))[0]).trim()}`;
  const stats = async (): Promise<Stats> => (await (await fetch(`${url}/stats`)).json()) as Stats;
  await chatOverHttp(url, { message: "Hello", model: "sim/echo" });
  const before = await stats();
  const idle = start(["-e", IDLE]);

  const exchanges: Promise<Exchange>[] = [];
  for (let n = 0; n < CONVERSATIONS; n++) {
    exchanges.push(chatOverHttp(url, { conversationId: `c${n}`, message: `Question ${n}` }));
    await new Promise((resolve) => setTimeout(resolve, APART_MS));
  }
  const all = await Promise.all(exchanges);
  const after = await stats();
  idle.stdin?.end();
  const idleMs = Number(String((await once(idle.stdout, "data"))[0]));

  const retries = all.flatMap(({ events }) => events.filter(({ type }) => type === "provider-retry")).length;
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
  process.stdout.write(
    `${CONVERSATIONS} conversations, ${after.mostRunning} at once, ${retries} retries; event-loop delay p99 ${after.p99Ms.toFixed(1)} ms, ` +
      `max ${after.maxMs.toFixed(1)} ms (a process that does nothing: p99 ${idleMs.toFixed(1)} ms); memory ${megabytes(before.rssBytes)} ` +
      `before, ${megabytes(after.peakBytes)} at most; ${Math.round(after.cpuMs - before.cpuMs)} ms of CPU\n`,
  );
  expect(all.map(({ events }) => events.at(-1)?.status)).toEqual(Array(CONVERSATIONS).fill("done"));
  expect(retries).toBeGreaterThan(CONVERSATIONS / 20);
  expect(after.mostRunning).toBeGreaterThan(CONVERSATIONS * 0.9);
  const stored = (await (await fetch(`${url}/api/conversations?limit=1000`)).json()) as {
    readonly conversations: readonly { readonly state: string }[];
  };
  expect(stored.conversations.filter(({ state }) => state === "idle")).toHaveLength(CONVERSATIONS + 1);
  expect(after.peakBytes).toBeLessThan(MOST_BYTES);
  expect(after.p99Ms).toBeLessThanOrEqual(MOST_DELAY_MS + idleMs * often(10, 0));
}, 120_000);
