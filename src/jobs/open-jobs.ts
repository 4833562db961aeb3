import { dirname, join } from "node:path";
import { checkString, InvalidInput } from "../kernel/index.ts";
import { defaultStorePath } from "../store/index.ts";
import type { Jobs, JobsOptions } from "./jobs.ts";

export interface OpenJobsOptions extends JobsOptions {
  /** The SQLite file. Default: `jobs.db` in the folder of the store. Ignored with `redis`. */
  readonly path?: string;
  /** `redis://…` or `rediss://…`: jobs are kept there instead, for workers of many machines. */
  readonly redis?: string;
  /** With `redis`: separates the jobs of several installations that share one. Default `secondwind`. */
  readonly prefix?: string;
  /** With `redis`: true accepts a Redis that does not write to the disk, and so loses jobs when it restarts. Default false. */
  readonly mayForget?: boolean;
}

/** Opens the jobs: in a SQLite file, or in Redis. What is not used is not loaded. */
export async function openJobs({ path, redis, prefix, mayForget, ...options }: OpenJobsOptions = {}): Promise<Jobs> {
  if (redis === undefined) {
    const { openEmbeddedJobs } = await import("./embedded/embedded-jobs.ts");
    return openEmbeddedJobs(path ?? defaultJobsPath(), options);
  }
  if (!/^rediss?:\/\//.test(checkString("options.redis", redis)))
    // Not the value: it may have a password in it.
    throw new InvalidInput("options.redis", redis, "", "The address of Redis must begin with redis:// or rediss://");
  const { openRedisJobs } = await import("./redis/redis-jobs.ts");
  const named = prefix === undefined ? {} : { prefix };
  return openRedisJobs(redis, { ...named, ...options, isPersistenceNeeded: mayForget !== true });
}

/** Beside the store, in a file of its own: jobs are many and large, and writers of one file wait for each other. */
export function defaultJobsPath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return join(dirname(defaultStorePath(env)), "jobs.db");
}
