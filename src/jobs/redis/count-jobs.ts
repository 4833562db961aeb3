import type { Redis } from "ioredis";
import { OPEN_STATES } from "../endings.ts";
import { JOB_STATES, type JobCounts, type JobState } from "../job.ts";

export async function countJobs(client: Redis, key: (name: string) => string): Promise<JobCounts> {
  // Leases end by the clock of Redis.
  const [seconds] = await client.time();
  const [sizes, poison, stalled, oldest] = await Promise.all([
    Promise.all(JOB_STATES.map(async (state) => [state, await client.zcard(key(`s:${state}`))] as const)),
    client.zcard(key("poison")),
    client.zcount(key("leases"), "-inf", Number(seconds) * 1000),
    Promise.all(OPEN_STATES.map((state) => client.zrange(key(`s:${state}`), "0", "0"))),
  ]);
  const times = await Promise.all(oldest.flat().map((id) => client.hget(key(`j:${id}`), "createdAt")));
  const known = times.filter((at) => at !== null).map(Number);
  return {
    ...(Object.fromEntries(sizes) as Record<JobState, number>),
    poison,
    stalled,
    ...(known.length > 0 && { oldestAt: Math.min(...known) }),
  };
}
