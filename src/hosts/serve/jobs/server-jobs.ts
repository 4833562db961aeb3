import { dirname, join } from "node:path";
import type { Activity, GenerationWatch } from "../../../activity/index.ts";
import { type OpenedAssembly, openJobsOf, runnerParts } from "../../../assembly/index.ts";
import { type Job, type Jobs, JobsError, type JobWatch, type JobWorker, jobRunner } from "../../../jobs/index.ts";
import type { GenerationHandle } from "../../../kernel/index.ts";
import { StoreError } from "../../../store/index.ts";
import { ApiProblem } from "../api/route.ts";

interface ServerJobsParts {
  readonly assembly: OpenedAssembly;
  readonly activity: Activity;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly storePath?: string;
  /** Jobs that the server itself runs at a time; 0: it only takes them. */
  readonly concurrency: number;
}

/** What `/health` says of the jobs. */
export type JobsHealth = { readonly ok: true } | { readonly ok: false; readonly problem: string };

const TRY_AGAIN_MS = 2000;
/** Jobs that wait when the server starts, as far as Activity shows them. */
const MOST_SHOWN = 1000;

/**
 * The jobs of the server. If Redis cannot be reached when the server starts, everything else works, and the jobs are tried again
 * until they can be opened.
 */
export class ServerJobs {
  readonly #parts: ServerJobsParts;
  /** Generations that wait: the next worker of this process goes on with the same record. */
  readonly #watches = new Map<string, GenerationWatch>();
  #jobs: Jobs | undefined;
  #worker: JobWorker | undefined;
  #problem = "The jobs are being opened";
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(parts: ServerJobsParts) {
    this.#parts = parts;
  }

  /** Throws if Redis is not set up to keep jobs: accepting them would be a false promise. */
  static async open(parts: ServerJobsParts): Promise<ServerJobs> {
    const jobs = new ServerJobs(parts);
    await jobs.#open();
    return jobs;
  }

  /** Throws an answer with status 503 if jobs cannot be used now. */
  get use(): Jobs {
    if (this.#jobs !== undefined) return this.#jobs;
    throw new ApiProblem(503, `Jobs cannot be used now. ${this.#problem}`);
  }

  async health(): Promise<JobsHealth> {
    return this.#jobs === undefined ? { ok: false, problem: this.#problem } : this.#jobs.check();
  }

  /** Undefined: they cannot be counted now. */
  async counts(): Promise<Awaited<ReturnType<Jobs["counts"]>> | undefined> {
    const jobs = this.#jobs;
    if (jobs === undefined || !(await jobs.check()).ok) return undefined;
    return jobs.counts().catch(() => undefined);
  }

  async close(drainMs: number): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.close({ drainMs });
    await this.#jobs?.close();
    this.#jobs = undefined;
  }

  async #open(): Promise<void> {
    const { assembly, env, storePath, concurrency } = this.#parts;
    if (!assembly.store.isPersistent && !env.REDIS_URL) {
      this.#problem = "They need a store that survives the process, or REDIS_URL.";
      return;
    }
    try {
      const path = storePath === undefined ? {} : { path: join(dirname(storePath), "jobs.db") };
      const jobs = await openJobsOf(assembly, env, path);
      this.#jobs = jobs;
      jobs.onChange((job) => this.#hear(job));
      const { jobs: waiting } = await jobs.list({ states: ["waiting"], limit: MOST_SHOWN });
      for (const job of waiting) this.#show(job);
      if (concurrency === 0) return;
      const run = jobRunner({ ...runnerParts(assembly, env), watch: (job, policy) => this.#watch(job, policy) });
      this.#worker = jobs.work(run, { concurrency });
    } catch (fault) {
      this.#tryLater(fault);
    }
  }

  #tryLater(fault: unknown): void {
    const isPassing = fault instanceof JobsError && fault.code === "unreachable";
    if (!isPassing && !(fault instanceof StoreError)) throw fault;
    // Once, not every two seconds.
    if (this.#problem !== fault.message) this.#parts.assembly.ports.reportFault(fault, "jobs");
    this.#problem = fault.message;
    if (isPassing) this.#timer = setTimeout(() => void this.#open(), TRY_AGAIN_MS);
  }

  #watch(job: Job, policy: string): JobWatch {
    const { activity } = this.#parts;
    const watch = this.#watches.get(job.id) ?? activity.watch({ door: "job", policy, asked: job.model });
    this.#watches.set(job.id, watch);
    const handle = this.#handleOf(job.id);
    return {
      on: (event) => {
        watch.on(event, handle);
        if (event.type === "generation-end") this.#watches.delete(job.id);
      },
      content: () => watch.content(),
      usage: (usage) => watch.usage(usage),
    };
  }

  /** B8: what a person does in Activity, done to the job: its generation may be waiting in no process at all. */
  #handleOf(id: string): GenerationHandle {
    const isTold = (change: Promise<boolean> | undefined): boolean => {
      change?.catch((fault) => this.#parts.assembly.ports.reportFault(fault, "jobs"));
      return change !== undefined;
    };
    return {
      id,
      isWaiting: true,
      retryNow: () => isTold(this.#jobs?.retryNow(id)),
      giveUp: () => isTold(this.#jobs?.cancel(id)),
    };
  }

  /** A job that waits, and that no generation of this process has shown: of the process before, or of a worker elsewhere. */
  #show(job: Job): void {
    const { id, model, policy, until, updatedAt, attempts, failure, receipt } = job;
    if (until === undefined || this.#watches.has(id)) return;
    const watch = this.#parts.activity.watch({ door: "job", policy, asked: model });
    this.#watches.set(id, watch);
    watch.on(
      {
        ...{ type: "wait-start", generationId: id, at: updatedAt, attempt: attempts, until },
        ...{ retry: Math.max(1, attempts), maxRetries: null, schedule: "", delayMs: Math.max(0, until - updatedAt) },
        ...{ waitedMs: receipt?.waitedMs ?? 0, patienceMs: receipt?.patienceMs ?? null, because: "waiting already" },
        failure: {
          ...{ kind: failure?.kind ?? "unknown", scope: "request", retryable: true, message: failure?.message ?? "" },
          ...{ status: failure?.status, code: undefined, hintMs: undefined, evidence: "", target: undefined },
          ...{ cause: undefined, confidence: "certain" },
        },
      },
      this.#handleOf(id),
    );
  }

  /** A job that was waiting here has ended elsewhere, or was cancelled. */
  #hear(job: Job): void {
    const { id, state, receipt } = job;
    if (state === "waiting") return this.#show(job);
    const watch = this.#watches.get(id);
    const isFinal = state === "done" || state === "failed" || state === "cancelled";
    if (watch === undefined || !isFinal || receipt === undefined) return;
    this.#watches.delete(id);
    const at = this.#parts.assembly.ports.wallNow();
    watch.on({ type: "generation-end", generationId: id, at, receipt }, this.#handleOf(id));
  }
}
