import { hash } from "node:crypto";
import type { Job, JobRequest, Jobs, SubmitOptions } from "../../../jobs/index.ts";
import type { TargetEntry } from "../../../kernel/index.ts";
import type { BatchLine } from "../input/batch-line.ts";
import { answerLine, errorLine, troubleOf } from "../output/result-line.ts";
import type { AskedLine } from "./ask-line.ts";
import { FOR_ALL } from "./for-all.ts";

interface WorkersSetup {
  readonly jobs: Jobs;
  /** The real path of the output: the same batch finds its jobs again. */
  readonly output: string;
  readonly policy: SubmitOptions["policy"];
  /** A job that failed is asked again. */
  readonly isRetryingFailed: boolean;
}

/** In case a change was missed while the connection was away. */
const LOOK_EVERY_MS = 5000;
const FINAL: ReadonlySet<Job["state"]> = new Set(["done", "failed", "cancelled"]);

/**
 * Lines as durable jobs, which workers on any machine run (`secondwind work`). A job has the line as its key: a run that was killed
 * finds it again, under way or done. A run that is stopped leaves its jobs to the workers.
 */
export class WorkersAsker {
  readonly #setup: WorkersSetup;
  readonly #group: string;
  readonly #waiting = new Map<string, () => void>();
  readonly #states = new Map<string, Job>();
  readonly #off: () => void;

  constructor(setup: WorkersSetup) {
    this.#setup = setup;
    this.#group = `batch-${hash("sha256", setup.output).slice(0, 16)}`;
    this.#off = setup.jobs.onChange((job) => {
      if (this.#waiting.has(job.id)) this.#states.set(job.id, job);
      if (FINAL.has(job.state)) this.#waiting.get(job.id)?.();
    });
  }

  /** Jobs of this run that wait between two attempts. */
  get waiting(): readonly Job[] {
    return [...this.#states.values()].filter(({ state }) => state === "waiting");
  }

  close(): void {
    this.#off();
  }

  async ask(line: BatchLine, { provider, model }: TargetEntry, signal: AbortSignal): Promise<AskedLine | undefined> {
    const selector = `${provider}/${model}`;
    const unable = unsupported(line);
    if (unable !== undefined) {
      const error = `line ${line.number}: ${unable} is not supported with Redis workers`;
      return { result: errorLine(line, { error, kind: "bad_line" }), tokens: 0 };
    }
    const { jobs, policy, isRetryingFailed } = this.#setup;
    const key = `${this.#group}:${line.number}:${line.hash}:${selector}`;
    const id = await jobs.submit(requestOf(line, selector), {
      key,
      group: this.#group,
      ...(policy !== undefined && { policy }),
    });
    const before = await jobs.get(id);
    // Of an earlier run. What stopped that one has been cured, or it would not have been started again.
    const isFailed = before?.state === "failed" && (isRetryingFailed || FOR_ALL.has(before.failure?.kind ?? "unknown"));
    if (isFailed || before?.state === "cancelled") await jobs.retryNow(id);
    const job = await this.#final(id, signal);
    if (job === undefined) return undefined;
    return this.#resultOf(line, job, selector);
  }

  /** Undefined: aborted. */
  async #final(id: string, signal: AbortSignal): Promise<Job | undefined> {
    try {
      for (;;) {
        // Listening before looking: no change is missed in between.
        let timer: NodeJS.Timeout | undefined;
        const changed = new Promise<void>((resolve) => {
          this.#waiting.set(id, resolve);
          signal.addEventListener("abort", () => resolve(), { once: true });
          timer = setTimeout(resolve, LOOK_EVERY_MS);
        });
        const job = await this.#setup.jobs.get(id);
        if (job === undefined) throw new Error(`The job ${id} is gone: was Redis emptied?`);
        if (FINAL.has(job.state)) {
          clearTimeout(timer);
          return job;
        }
        this.#states.set(id, job);
        if (!signal.aborted) await changed;
        clearTimeout(timer);
        if (signal.aborted) return undefined;
      }
    } finally {
      this.#waiting.delete(id);
      this.#states.delete(id);
    }
  }

  async #resultOf(line: BatchLine, job: Job, selector: string): Promise<AskedLine> {
    const receipt = job.receipt === undefined ? {} : { receipt: job.receipt };
    const answer = job.state === "done" ? await this.#setup.jobs.result(job.id) : undefined;
    if (answer !== undefined) {
      const { text, stopReason, model, usage } = answer;
      const known = { model, ...(usage !== undefined && { usage }), ...receipt };
      const tokens = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
      return { result: answerLine(line, { text, finish: stopReason, ...known }), tokens };
    }
    const { failure } = job;
    const trouble =
      failure === undefined
        ? { error: job.state === "cancelled" ? "The job was cancelled" : "The job has no result", kind: "aborted" }
        : troubleOf({ kind: failure.kind, status: failure.status, code: undefined, message: failure.message });
    const said = failure && { kind: failure.kind, message: failure.message, status: failure.status, code: undefined };
    const result = errorLine(line, { ...trouble, model: selector, ...receipt });
    return { result, tokens: 0, ...(said !== undefined && { failure: said }) };
  }
}

function requestOf({ request }: BatchLine, model: string): JobRequest {
  const { system, messages, maxTokens, reasoning } = request;
  return {
    model,
    messages,
    ...(system !== undefined && { system }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** Fields that a job does not have. */
function unsupported({ request }: BatchLine): string | undefined {
  if (request.json !== undefined) return "response_format";
  return request.sampling === undefined ? undefined : Object.keys(request.sampling).join(", ");
}
