import { OPEN_STATES } from "../endings.ts";
import { JOB_STATES, type JobCounts, type JobState } from "../job.ts";
import type { Connections } from "./connect.ts";

export async function countJobs(
  { client, run }: Connections,
  key: (name: string) => string,
  queueKey: string,
): Promise<JobCounts> {
  const [sizes, poison, stalled, oldest] = await Promise.all([
    Promise.all(JOB_STATES.map(async (state) => [state, await client.zcard(key(`s:${state}`))] as const)),
    client.zcard(key("poison")),
    run("stalled", "", queueKey),
    Promise.all(OPEN_STATES.map((state) => client.zrange(key(`s:${state}`), "0", "0"))),
  ]);
  const times = await Promise.all(oldest.flat().map((id) => client.hget(key(`j:${id}`), "createdAt")));
  const known = times.filter((at) => at !== null).map(Number);
  return {
    ...(Object.fromEntries(sizes) as Record<JobState, number>),
    poison,
    stalled: Number(stalled),
    ...(known.length > 0 && { oldestAt: Math.min(...known) }),
  };
}
