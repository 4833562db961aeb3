import type { Assembly } from "../../../assembly/index.ts";
import type { JobsHealth } from "../jobs/server-jobs.ts";
import { type AnyRoute, defineRoute } from "./route.ts";

interface LivenessParts extends Pick<Assembly, "redisStatus"> {
  readonly isReady: () => boolean;
  /** Whether jobs can be accepted; Redis or the disk may be away while everything else works. */
  readonly jobs: () => Promise<JobsHealth>;
}

/** For load balancers and supervisors: is the process alive, and does it take new work. Without Redis it does, too. */
export function livenessRoutes({ isReady, jobs, redisStatus }: LivenessParts): readonly AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/health",
      summary: "Check whether the server is alive and takes new work",
      answer:
        "`{live, ready, jobs}`, with `REDIS_URL` also `redis: {state, since, processes}`; status 503 while the server shuts down. `jobs` has `ok`, and `problem` if jobs cannot be used now",
      run: async () => {
        const ready = isReady();
        const redis = redisStatus === undefined ? {} : { redis: redisView(redisStatus()) };
        return Response.json(
          { live: true, ready, jobs: await jobs(), ...redis },
          { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
        );
      },
    }),
  ];
}

/** Open to all: no address, and no reason that could contain one. */
function redisView({
  state,
  since,
  processes,
}: ReturnType<NonNullable<LivenessParts["redisStatus"]>>): Readonly<Record<string, unknown>> {
  return { state, since: new Date(since).toISOString(), processes };
}
