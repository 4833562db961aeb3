import { getEventListeners } from "node:events";
import { fileURLToPath } from "node:url";
import { resilient } from "secondwind";
import { cpuNs, median } from "./measure.ts";

export interface Leftovers {
  /** Per-call cost with 10,000 calls on one signal against 1,000: 1 is linear, 10 would be quadratic. */
  readonly sharedSignalGrowth: number;
  readonly listenersLeft: number;
  readonly timersLeft: number;
}

const OVERLOADED = Object.assign(new Error("Overloaded"), { status: 503 });

/** Many calls that share one AbortSignal, as in a server that shuts down: the cost must grow with their number, not faster. */
async function measureLeftovers(): Promise<Leftovers> {
  const { signal } = new AbortController();
  const few: number[] = [];
  const many: number[] = [];
  for (let round = 0; round < 7; round++) {
    few.push(await perCall(signal, 1000));
    many.push(await perCall(signal, 10_000));
  }
  return {
    sharedSignalGrowth: median(many) / median(few),
    listenersLeft: getEventListeners(signal, "abort").length,
    timersLeft: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
  };
}

async function perCall(signal: AbortSignal, calls: number): Promise<number> {
  const attempts = new Map<number, number>();
  const ask = resilient(
    async (_context, index: number) => {
      const attempt = (attempts.get(index) ?? 0) + 1;
      attempts.set(index, attempt);
      if (attempt === 1) throw OVERLOADED;
      return index;
    },
    {
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } },
      breaker: { failures: 1_000_000 },
      budget: { capacity: 1_000_000 },
    },
  ).with({ signal });
  const before = cpuNs();
  await Promise.all(Array.from({ length: calls }, (_, index) => ask(index)));
  return (cpuNs() - before) / calls;
}

/** Runs in its own process, where nothing else has left anything behind. */
if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(JSON.stringify(await measureLeftovers()));
