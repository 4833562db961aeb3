import type { Job, JobRequest, Jobs, SubmitOptions } from "../../../jobs/index.ts";
import { type ListJobs, listJobsSchema, type SubmitJob, submitJobSchema } from "../../../wire/http/jobs.ts";
import { jobEvents } from "./job-events.ts";
import { type AnyRoute, ApiProblem, defineRoute, notFound } from "./route.ts";

/** As large as a request of a job may be. */
const MAX_BODY = 16 * 1024 * 1024;

/** B6: generations that are accepted now and finished later, whatever happens to the process. */
export function jobRoutes(jobs: { readonly use: Jobs }, stopping?: AbortSignal): readonly AnyRoute[] {
  return [
    defineRoute<undefined, SubmitJob>({
      method: "POST",
      path: "/jobs",
      summary: "Accept a generation that survives restarts",
      body: submitJobSchema,
      maxBody: MAX_BODY,
      answer:
        "the job, with status 202 and its path in `Location`, once it is on the disk. With the header `Idempotency-Key` a second request returns the first job; another request with the same key is status 409",
      run: async ({ body, idempotencyKey }) => {
        const { policy, deadline, group, ...request } = body;
        const options: SubmitOptions = {
          ...(policy !== undefined && { policy }),
          ...(deadline !== undefined && { deadline }),
          ...(group !== undefined && { group }),
          ...(idempotencyKey !== undefined && { key: idempotencyKey }),
        };
        const id = await jobs.use.submit(withoutUndefined(request) as JobRequest, options);
        const job = (await jobs.use.get(id)) ?? { id };
        const headers = { location: `/jobs/${encodeURIComponent(id)}`, "cache-control": "no-store" };
        return Response.json(job, { status: 202, headers });
      },
    }),
    defineRoute<ListJobs>({
      method: "GET",
      path: "/jobs",
      summary: "List jobs, the newest first",
      query: listJobsSchema,
      answer: "`{jobs, next}`; `next` goes into `after` for the next page and is absent on the last one",
      run: ({ query: { state, group, poison, limit, after } }) =>
        jobs.use.list({
          limit,
          ...(state !== undefined && { states: [state] }),
          ...(group !== undefined && { group }),
          ...(poison !== undefined && { isPoison: poison === "true" }),
          ...(after !== undefined && { after }),
        }),
    }),
    defineRoute({
      method: "GET",
      path: "/jobs/:id",
      summary: "Get a job, with its result once it is done",
      answer: "the job; `result` has `{text, reasoning, model, stopReason, usage}`",
      run: async ({ params: { id = "" } }) => {
        const job = await find(jobs.use, id);
        const result = job.state === "done" ? await jobs.use.result(id) : undefined;
        return { ...job, ...(result !== undefined && { result }) };
      },
    }),
    defineRoute({
      method: "GET",
      path: "/jobs/:id/events",
      summary: "Follow a job until it is final",
      answer: "server-sent events `job`: the job as it stands, then each change. The stream ends when the job is final",
      run: async ({ params: { id = "" }, signal }) => {
        await find(jobs.use, id);
        return new Response(jobEvents(jobs.use, id, signal, stopping), {
          headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
        });
      },
    }),
    defineRoute({
      method: "DELETE",
      path: "/jobs/:id",
      summary: "Cancel a job; a call that is running is aborted",
      answer: "nothing; status 404 for an unknown job, 409 if it is final",
      run: async ({ params: { id = "" } }) => {
        if (await jobs.use.cancel(id)) return;
        const { state } = await find(jobs.use, id);
        if (state !== "cancelled") throw new ApiProblem(409, `The job is ${state}`);
      },
    }),
    defineRoute({
      method: "POST",
      path: "/jobs/:id/retry-now",
      summary: "End the wait of a job, or start a failed or cancelled one anew",
      answer: "nothing; status 404 for an unknown job, 409 if it is done",
      run: async ({ params: { id = "" } }) => {
        if (await jobs.use.retryNow(id)) return;
        const { state } = await find(jobs.use, id);
        // It is being tried, or is about to be: what was wanted has happened.
        if (state === "done") throw new ApiProblem(409, "The job is done");
      },
    }),
  ];
}

async function find(jobs: Jobs, id: string): Promise<Job> {
  const job = await jobs.get(id);
  if (job === undefined) throw notFound("job");
  return job;
}

function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined));
}
