import type { Child, Usage } from "./children.ts";
import { type Contestant, type Name, start } from "./contestants.ts";

/** What one round finds for one contestant. `direct` has no process of its own, so nothing that a process uses. */
export interface Sample {
  readonly requestsPerSecond: number;
  readonly cpuPerRequestUs: number;
  readonly coreShare: number;
  readonly cpuPerTokenUs: number;
  readonly firstTokenMs: number;
  readonly p50Ms: number;
  readonly rssMb: number;
}

/** The two processes that every contestant stands between. */
export interface Bench {
  readonly load: Child;
  readonly upstream: Child;
}

export const OPEN_STREAMS = 1000;
/** A server runs for days: what counts is the code after its last compilation, which takes thousands of requests of either kind. */
const WARM_UP_MS = 2500;
const STREAMS = { count: 50, tokens: 200, everyMs: 5 };
const FIRST = { count: 60 };
const PACED = { perSecond: 200, ms: 600 };

/**
 * A fresh process for each round: how the compiler lays the code out is settled once for each process. Memory has one of its own: the
 * heap is what the streams alone have made it, and their remains do not weigh on the rest.
 */
export async function measureRound(bench: Bench, name: Name): Promise<Sample> {
  const rssMb = await withFresh(bench, name, (contestant) => openStreams(bench, contestant));
  return withFresh(bench, name, async (contestant) => {
    const requests = await requestsOf(bench, contestant);
    const cpuPerTokenUs = await tokensOf(bench, contestant);
    const { target } = contestant;
    const first = await bench.load.ask<{ p50Ms: number }>("first", { target, ...FIRST });
    const paced = await bench.load.ask<{ p50Ms: number }>("paced", { target, ...PACED });
    return { ...requests, cpuPerTokenUs, firstTokenMs: first.p50Ms, p50Ms: paced.p50Ms, rssMb };
  });
}

async function withFresh<T>(bench: Bench, name: Name, act: (contestant: Contestant) => Promise<T>): Promise<T> {
  const contestant = await start(name, bench.upstream.port);
  try {
    return await act(contestant);
  } finally {
    await contestant.child?.stop();
  }
}

async function openStreams({ load }: Bench, { child, target }: Contestant): Promise<number> {
  if (child === undefined) return Number.NaN;
  await load.ask("hold", { target, count: OPEN_STREAMS });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const { rss } = await child.ask<Usage>("usage");
  await load.ask("release");
  return rss / 2 ** 20;
}

/** As many requests as it takes on 64 connections, after enough of them that the hot path is compiled. */
async function requestsOf(
  { load }: Bench,
  contestant: Contestant,
): Promise<Pick<Sample, "requestsPerSecond" | "cpuPerRequestUs" | "coreShare">> {
  const burst = (ms: number): Promise<{ requests: number; elapsedMs: number }> =>
    load.ask("burst", { target: contestant.target, connections: 64, ms });
  await burst(WARM_UP_MS);
  const beforeUs = await cpuUs(contestant);
  const { requests, elapsedMs } = await burst(700);
  const usedUs = (await cpuUs(contestant)) - beforeUs;
  return {
    requestsPerSecond: (requests / elapsedMs) * 1000,
    cpuPerRequestUs: usedUs / requests,
    coreShare: usedUs / elapsedMs / 1000,
  };
}

async function tokensOf({ load }: Bench, contestant: Contestant): Promise<number> {
  const { target } = contestant;
  await load.ask("burst", { target, connections: 32, ms: WARM_UP_MS, stream: true });
  await load.ask("streams", { target, ...STREAMS });
  const beforeUs = await cpuUs(contestant);
  const { tokens } = await load.ask<{ tokens: number }>("streams", { target, ...STREAMS });
  return ((await cpuUs(contestant)) - beforeUs) / tokens;
}

async function cpuUs({ child }: Contestant): Promise<number> {
  return child === undefined ? Number.NaN : (await child.ask<Usage>("usage")).cpuUs;
}
