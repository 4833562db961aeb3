import type { Redis } from "ioredis";
import type { Job, JobPage } from "../job.ts";
import { type CheckedFilter, pageOf } from "../list-filter.ts";
import { type Fields, jobOf } from "./job-fields.ts";

interface Found {
  readonly job: Job;
  readonly seq: number;
}

/** The newest first. Reads the indexes that fit the filter, and leaves out what has changed since. */
export async function listJobs(
  client: Redis,
  key: (name: string) => string,
  { states, group, isPoison, limit, after }: CheckedFilter,
): Promise<JobPage> {
  const indexes = indexesFor(states, group, isPoison).map(key);
  const fits = ({ state, failure, group: own }: Job): boolean =>
    (states === undefined || states.includes(state)) &&
    (group === undefined || own === group) &&
    (isPoison === undefined || (failure?.reason === "poison") === isPoison);
  const found: Found[] = [];
  for (let before = after; found.length <= limit; ) {
    const ids = await newest(client, indexes, before, limit + 1);
    const last = ids.at(-1);
    if (last === undefined) break;
    before = last.seq;
    const jobs = await Promise.all(ids.map(async ({ id }) => jobOf((await client.hgetall(key(`j:${id}`))) as Fields)));
    for (const [at, job] of jobs.entries())
      if (job !== undefined && fits(job)) found.push({ job, seq: ids[at]?.seq ?? 0 });
  }
  return pageOf(found, limit);
}

function indexesFor(
  states: CheckedFilter["states"] | undefined,
  group: string | undefined,
  isPoison: boolean | undefined,
): string[] {
  if (isPoison === true) return ["poison"];
  if (group !== undefined) return [`g:${group}`];
  return states === undefined ? ["all"] : [...new Set(states)].map((state) => `s:${state}`);
}

async function newest(
  client: Redis,
  indexes: readonly string[],
  before: number | undefined,
  limit: number,
): Promise<readonly { readonly id: string; readonly seq: number }[]> {
  const top = before === undefined ? "+inf" : `(${before}`;
  const ranges = await Promise.all(
    indexes.map((index) => client.zrevrangebyscore(index, top, "-inf", "WITHSCORES", "LIMIT", 0, limit)),
  );
  return ranges
    .flatMap((flat) => flat.flatMap((id, at) => (at % 2 === 0 ? [{ id, seq: Number(flat[at + 1]) }] : [])))
    .sort((a, b) => b.seq - a.seq)
    .slice(0, limit);
}
