import { MemoryHealth, type Policy } from "../../kernel/index.ts";
import { createRandom, VirtualWorld } from "../../simulator/world/index.ts";
import type { ActivityRecord } from "../../wire/http/activity.ts";
import type { Estimate, EstimateFigures } from "../../wire/http/server.ts";
import { outcomeOf } from "../list-records.ts";
import { type Replayed, recognising, replay } from "./replay.ts";

/** How many recorded generations are replayed. */
const MOST_RECORDS = 1000;
/** No wait of a policy is longer in all: generations that have not ended by then count as not answered. */
const LONGEST_MS = 24 * 3_600_000;
const SEED = 1;
/** An event takes up to 50 µs: the server gets its turn about every 10 ms. */
const EVENTS_PER_BREAK = 200;

/**
 * What a policy would have done with the generations that were recorded last: the real engine, in virtual time, from the times at
 * which they really started, with one health for all. How the targets answer is described at `RecordedTarget`. An estimate: a call
 * that was not made may have ended in another way, and only targets that were tried are known.
 *
 * Left out are generations that a person or a client ended, those that are under way or were interrupted, and those that ended before
 * any attempt.
 */
export async function estimatePolicy(
  newestFirst: readonly ActivityRecord[],
  policy: Policy,
  signal?: AbortSignal,
): Promise<Estimate> {
  const records = newestFirst.filter(isUsable).slice(0, MOST_RECORDS);
  const recorded = records.map(({ outcome, attemptCount, waitedMs }) => ({
    ok: outcome === "succeeded",
    attempts: attemptCount,
    waitedMs,
  }));
  const estimated = await replayAll(records, policy, signal);
  return { recorded: figuresOf(recorded), estimated: figuresOf(estimated) };
}

function isUsable(record: ActivityRecord): boolean {
  const outcome = outcomeOf(record);
  return outcome !== "running" && outcome !== "aborted" && record.attempts.length > 0;
}

async function replayAll(
  records: readonly ActivityRecord[],
  policy: Policy,
  signal: AbortSignal | undefined,
): Promise<readonly Replayed[]> {
  const world = new VirtualWorld({ seed: SEED, eventsPerBreak: EVENTS_PER_BREAK });
  const health = new MemoryHealth();
  const random = createRandom(SEED, 1);
  const made = recognising(policy);
  const firstAt = Math.min(...records.map(({ startedAt }) => startedAt));
  const looks = new Map<ActivityRecord, () => Replayed>();
  let lastMs = 0;
  for (const record of records) {
    const chance = random();
    const atMs = record.startedAt - firstAt;
    lastMs = Math.max(lastMs, atMs);
    world.after(atMs, () => void looks.set(record, replay(record, { world, policy: made, health, chance })));
  }
  const stop = (): void => {
    world.isStopped = true;
  };
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted === true) stop();
  await world.runUntil(lastMs + LONGEST_MS);
  signal?.removeEventListener("abort", stop);
  signal?.throwIfAborted();
  return records.flatMap((record) => looks.get(record)?.() ?? []);
}

function figuresOf(ended: readonly Replayed[]): EstimateFigures {
  const waitedMs = ended.reduce((sum, one) => sum + one.waitedMs, 0);
  return {
    generations: ended.length,
    answered: ended.filter(({ ok }) => ok).length,
    retried: ended.filter(({ ok, attempts }) => ok && attempts > 1).length,
    calls: ended.reduce((sum, { attempts }) => sum + attempts, 0),
    meanWaitMs: ended.length === 0 ? 0 : waitedMs / ended.length,
  };
}
