import type { Delivery, Job, JobRequest, JobRunner, Jobs, Verdict } from "../../src/jobs/index.ts";
import type { Receipt, SavedGeneration } from "../../src/kernel/index.ts";

export const ask = (text: string): JobRequest => ({
  model: "sim/ok",
  messages: [{ role: "user", content: text }],
});

export const receipt = (id: string, outcome: Receipt["outcome"], attempts = 1): Receipt => ({
  generationId: id,
  complete: outcome === "succeeded",
  truncated: false,
  outcome,
  ...{ attempts, calls: attempts, waitedMs: 0, patienceMs: null, elapsedMs: 5 },
  ...{ targets: [], history: [], warnings: [] },
});

/** The words of the request, said back. */
export const saysBack = async ({ job, request }: Delivery): Promise<Verdict> => ({
  type: "done",
  result: { text: wordsOf(request), model: request.model, stopReason: "end" },
  receipt: receipt(job.id, "succeeded"),
});

export const wordsOf = (request: JobRequest): string =>
  String(request.messages[0]?.role === "user" && request.messages[0].content);

export const failsWith =
  (message: string): JobRunner =>
  async ({ job }) => ({
    type: "failed",
    failure: { reason: "not-retryable", kind: "bad_request", message },
    receipt: receipt(job.id, "not-retryable"),
  });

/** Parks until a moment. */
export const waitsUntil = (job: Job, until: number, attempts = 1): Verdict => ({
  type: "waiting",
  saved: savedUntil(until, attempts),
  failure: { reason: "waiting", kind: "overloaded", message: "HTTP 503" },
  receipt: receipt(job.id, "running", attempts),
});

export function savedUntil(until: number, attempts: number): SavedGeneration {
  const target = { provider: "sim", model: "ok", credential: "" };
  return {
    version: 1,
    ...{ attempts, startedAt: 0, until, target, next: target, failure: null },
    ...{ used: {}, leftSinceWait: [], spent: [] },
    trail: {
      ...{ previousMs: 0, waitedMs: 0, waitMs: 0, triesHere: 1, sameErrorRun: 0 },
      ...{ blockedWaits: 0, blockedMs: 0, limitWaits: 0, failedAttempt: attempts, waitedAfter: null },
      rare: { earlier: [], inLineMs: 0, forgivenMs: 0, enteredAtMs: 0, moreCalls: 0, guesses: 0, warnings: [] },
    },
  };
}

export const FINAL = ["done", "failed", "cancelled"] as const;

/** The job once it is final, or in one of the given states. */
export async function ended(jobs: Jobs, id: string, states: readonly string[] = FINAL, limitMs = 30_000): Promise<Job> {
  const limit = AbortSignal.timeout(limitMs);
  for await (const job of jobs.watch(id, { signal: limit })) if (states.includes(job.state)) return job;
  const job = await jobs.get(id);
  if (job !== undefined && states.includes(job.state)) return job;
  throw new Error(`The job is ${job?.state}, not ${states.join(" or ")}`);
}
