import { type Call, ENGINES, type Engine } from "./engines.ts";
import { interleaved, median } from "./measure.ts";

const AT_ONCE = 500;
const BATCHES = 6;

/** The same error every time: what the engine costs, not what `new Error` costs. */
const OVERLOADED = Object.assign(new Error("Overloaded"), { status: 503 });

/** A call whose first `callers` calls fail and whose next `callers` calls do not, and so on: each of so many callers fails once. */
function failingOnce(callers = 1): Call {
  let calls = 0;
  return async () => {
    if (calls++ % (2 * callers) < callers) throw OVERLOADED;
    return 1;
  };
}

const retrying = ENGINES.filter((engine) => engine.retries);

/** One failure, one retry after the shortest delay that the engine can do, one after another: CPU microseconds, beyond two plain calls. */
export async function measureOneRetry(
  rounds: number,
  onRound: (round: number) => void,
): Promise<Record<string, number>> {
  const floor = failingOnce();
  const entries = new Map<string, Call>([["plain calls", () => twoCalls(floor)]]);
  for (const engine of retrying) {
    await warmUp(engine);
    const wrapped = engine.prepare(failingOnce(), 0);
    entries.set(engine.name, wrapped);
  }
  return beyondFloor(await interleaved(entries, rounds, onRound));
}

/**
 * The same with 1 ms of delay, where everyone needs a timer, for many callers of one wrapper, as in an application: what a
 * retry costs apart from the timer.
 */
export async function measureDelayedRetry(
  rounds: number,
  onRound: (round: number) => void,
): Promise<Record<string, number>> {
  const floor = failingOnce(AT_ONCE);
  const entries = new Map([["plain calls", () => atOnce(() => twoCalls(floor))]]);
  for (const engine of retrying) {
    const wrapped = engine.prepare(failingOnce(AT_ONCE), 1);
    entries.set(engine.name, () => atOnce(wrapped));
  }
  const perBatch = await interleaved(entries, rounds, onRound);
  return beyondFloor(new Map([...perBatch].map(([name, ns]) => [name, ns / AT_ONCE])));
}

function beyondFloor(perCall: Map<string, number>): Record<string, number> {
  const floor = perCall.get("plain calls") ?? 0;
  perCall.delete("plain calls");
  return Object.fromEntries([...perCall].map(([name, ns]) => [name, Math.max(0.01, (ns - floor) / 1000)]));
}

async function twoCalls(call: Call): Promise<number> {
  try {
    return await call();
  } catch {
    return await call();
  }
}

/** Many at a time, because most engines sleep a millisecond: everyone's code is compiled before it is measured. */
async function warmUp(engine: Engine): Promise<void> {
  const wrapped = engine.prepare(failingOnce(AT_ONCE), 0);
  for (let i = 0; i < 5; i++) await inBatches(wrapped);
}

function atOnce(generate: Call): Promise<unknown> {
  return Promise.all(Array.from({ length: AT_ONCE }, () => generate()));
}

async function inBatches(generate: Call): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) await atOnce(generate);
}

/** A retry without delay: wall-clock microseconds that the caller waits, median. */
export async function measureZeroDelay(samples: number): Promise<Record<string, number>> {
  const waits: Record<string, number> = {};
  for (const engine of retrying) {
    const wrapped = engine.prepare(failingOnce(), 0);
    const times: number[] = [];
    for (let i = 0; i < samples; i++) {
      const before = performance.now();
      await wrapped();
      times.push((performance.now() - before) * 1000);
    }
    waits[engine.name] = median(times);
  }
  return waits;
}
