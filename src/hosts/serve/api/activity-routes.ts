import type { Activity } from "../../../activity/activity.ts";
import { type JobFigures, jobMetrics } from "../../../activity/metrics/job-metrics.ts";
import { type ActivityQuery, type ActivityRecord, activityQuerySchema } from "../../../wire/http/activity.ts";
import { activityLines } from "./activity-lines.ts";
import { type AnyRoute, ApiProblem, defineRoute, notFound } from "./route.ts";

/** What happened and is happening: records, totals, health, and what a person can do about a generation. */
export function activityRoutes(
  activity: Activity,
  stopping?: AbortSignal,
  countJobs: () => Promise<JobFigures | undefined> = async () => undefined,
  moreMetrics: () => string = () => "",
): readonly AnyRoute[] {
  return [
    defineRoute<ActivityQuery>({
      method: "GET",
      path: "/api/activity",
      summary: "List generations, the newest first",
      query: activityQuerySchema,
      answer: "`{records, next}`; `next` goes into `before` for the next page and is absent on the last one",
      run: ({ query }) => activity.list(query),
    }),
    defineRoute({
      method: "GET",
      path: "/api/activity/summary",
      summary: "Sum up the recorded generations",
      answer: "counts by outcome, waits, failures by kind and provider, calls saved",
      run: () => activity.summary(),
    }),
    defineRoute({
      method: "GET",
      path: "/api/activity/stream",
      summary: "Follow generations as they change",
      answer: "one JSON object per line: first the generations under way, then every change, several in one line",
      run: ({ signal }) =>
        new Response(activityLines(activity, signal, stopping), {
          headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
        }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/health",
      summary: "List cooldowns, breakers and retry budgets",
      answer: "`{items, fine, budgets}`",
      run: () => activity.health(),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/health/:id",
      summary: "End a cooldown or close a breaker",
      answer: "nothing; status 404 if there is no such item",
      run: async ({ params }) => {
        if (!(await activity.clear(params.id ?? ""))) throw notFound("cooldown or breaker: it may be over");
      },
    }),
    defineRoute({
      method: "POST",
      path: "/api/generations/:id/retry-now",
      summary: "End the wait of a generation and try again",
      answer:
        "nothing, also if the attempt after the wait is under way; status 404 for an unknown generation, 409 if it is not waiting",
      run: ({ params }) => act(activity, params.id, "retryNow", "is not waiting"),
    }),
    defineRoute({
      method: "POST",
      path: "/api/generations/:id/give-up",
      summary: "End a generation for good",
      answer: "nothing; status 404 for an unknown generation, 409 if it has ended",
      run: ({ params }) => act(activity, params.id, "giveUp", "has ended"),
    }),
    defineRoute({
      method: "GET",
      path: "/metrics",
      summary: "Get figures for Prometheus",
      answer: "text in the Prometheus format",
      run: async () => {
        const figures = await countJobs();
        const ofJobs = figures === undefined ? "" : jobMetrics(figures, Date.now());
        return new Response(activity.metrics() + ofJobs + moreMetrics(), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8", "cache-control": "no-store" },
        });
      },
    }),
  ];
}

function act(activity: Activity, id = "", what: "retryNow" | "giveUp", why: string): undefined {
  if (activity[what](id)) return undefined;
  const record = activity.find(id);
  if (record === undefined) throw notFound("generation");
  // Another tab was faster, or the wait was over when the request arrived: what was wanted has happened.
  if (what === "retryNow" && isTryingAgain(record)) return undefined;
  throw new ApiProblem(409, `The generation ${record.state === "ended" ? "has ended" : why}`);
}

function isTryingAgain({ state, waitedMs }: ActivityRecord): boolean {
  return state === "attempting" && waitedMs > 0;
}
