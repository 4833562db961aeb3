import {
  definePolicy,
  type Failure,
  type Health,
  isPolicy,
  type Listener,
  type Policy,
  type PolicyInput,
  type Ports,
  preparePolicy,
  type Receipt,
  type SavedGeneration,
  type TargetEntry,
} from "../kernel/index.ts";
import { PRESETS, patientPolicy } from "../presets/index.ts";
import { openModelCall } from "../providers/open-model-call.ts";
import type { Provider } from "../providers/provider.ts";
import type { Redact, Usage } from "../wire/index.ts";
import { endedReceipt } from "./endings.ts";
import type { Delivery, Job, JobFailure, JobRequest, JobResult, JobRunner, Verdict } from "./job.ts";

/** What a worker needs to run jobs. */
export interface RunnerParts {
  readonly providerOf: (name: string) => Provider | undefined;
  /** The chain for a request: its model and fallbacks with their credentials. Throws what makes the job fail. */
  readonly targetsFor: (request: JobRequest) => readonly TargetEntry[];
  readonly health?: Health;
  readonly ports: Ports;
  readonly redact?: Redact;
  /** Limits for a stream that stays silent. Default: those of the policy. */
  readonly watchdog?: Policy["watchdog"];
  /** Watches the generation of a job, each time it goes on. */
  readonly watch?: (job: Job, policy: string) => JobWatch;
}

export interface JobWatch {
  readonly on: Listener;
  content?(): void;
  usage?(usage: Usage): void;
}

/** A shorter wait is not worth a commit: the worker sleeps. */
const SHORTEST_PARKED_MS = 1000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const DEADLINE = "deadline";

/** Runs a job's generation until it ends, or until a wait: then the worker is free, and any worker goes on with it. */
export function jobRunner(parts: RunnerParts): JobRunner {
  return async (delivery) => {
    const verdict = await runOnce(parts, delivery);
    return parts.redact === undefined ? verdict : parts.redact(verdict);
  };
}

async function runOnce(parts: RunnerParts, delivery: Delivery): Promise<Verdict> {
  const { job, request, signal } = delivery;
  const { ports } = parts;
  const leftMs = job.deadline === undefined ? undefined : job.deadline - ports.wallNow();
  if (leftMs !== undefined && leftMs <= 0) return tooLate(job);
  const targets = targetsOf(parts, request);
  if (targets instanceof Error) return refused(job, targets);
  const policy = preparedPolicy(delivery.policy, parts.watchdog);
  // No call lasts until a later deadline than a timer can have.
  if (leftMs === undefined || leftMs > LONGEST_TIMER_MS) {
    return new JobRun(parts, delivery, { targets, policy, signal }).verdict();
  }
  const stop = new AbortController();
  const leave = (): void => stop.abort(signal.reason);
  const run = new JobRun(parts, delivery, { targets, policy, signal: stop.signal });
  const timer = setTimeout(() => {
    run.expire();
    stop.abort(new Error("The deadline of the job has come"));
  }, leftMs);
  signal.addEventListener("abort", leave);
  try {
    if (signal.aborted) leave();
    return await run.verdict();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
  }
}

interface Call {
  readonly targets: readonly TargetEntry[];
  readonly policy: ReturnType<typeof preparePolicy>;
  /** Ends the generation: the job is no longer this worker's, or its deadline has come. */
  readonly signal: AbortSignal;
}

class JobRun {
  readonly #delivery: Delivery;
  readonly #parts: RunnerParts;
  readonly #generation: ReturnType<typeof openModelCall>;
  readonly #watch: JobWatch | undefined;
  #saved: SavedGeneration | undefined;
  #isTooLate = false;

  constructor(parts: RunnerParts, delivery: Delivery, { targets, policy, signal }: Call) {
    const { job, request, saved, isRetriedNow } = delivery;
    const { model: _, fallbacks: __, ...call } = request;
    this.#parts = parts;
    this.#delivery = delivery;
    this.#watch = parts.watch?.(job, policy.policy.name);
    this.#generation = openModelCall({
      ...{ providerOf: parts.providerOf, request: call, targets, policy, ports: parts.ports },
      ...(parts.health !== undefined && { health: parts.health }),
      ...(this.#watch !== undefined && { on: this.#watch.on }),
      ...(saved?.version === 1 && { resume: { saved, by: isRetriedNow ? "retry-now" : "elapsed" } as const }),
      sink: "buffered",
      signal,
      id: job.id,
      park: (one) => this.#park(one),
    });
  }

  /** The deadline has come. */
  expire(): void {
    this.#isTooLate = true;
  }

  /** E18: a wait beyond the deadline is pointless. */
  #park(saved: SavedGeneration): boolean {
    const { deadline } = this.#delivery.job;
    if (deadline !== undefined && saved.until >= deadline) {
      this.#isTooLate = true;
      queueMicrotask(() => this.#generation.giveUp());
      return false;
    }
    if (saved.until - this.#parts.ports.wallNow() < SHORTEST_PARKED_MS) return false;
    this.#saved = saved;
    return true;
  }

  async verdict(): Promise<Verdict> {
    const { signal } = this.#delivery;
    const generation = this.#generation;
    const result = await this.#read();
    const { receipt, failure } = generation;
    const saved = this.#saved;
    if (generation.isParked && saved !== undefined) {
      const why = saved.failure === null ? undefined : { ...saved.failure, cause: undefined };
      return { type: "waiting", saved, failure: failureOf("waiting", why), receipt };
    }
    if (generation.ok && result !== undefined) return { type: "done", result, receipt };
    if (signal.aborted && !this.#isTooLate) return { type: "released" };
    const reason = this.#isTooLate ? DEADLINE : (generation.reason ?? "engine-fault");
    return { type: "failed", failure: failureOf(reason, failure), receipt };
  }

  /** Undefined: there is no whole answer. */
  async #read(): Promise<JobResult | undefined> {
    let text = "";
    let reasoning = "";
    let usage: Usage | undefined;
    let stopReason: JobResult["stopReason"] = "end";
    try {
      for await (const event of this.#generation) {
        if (event.type === "text") text += event.text;
        else if (event.type === "reasoning") reasoning += event.text;
        else if (event.type === "usage") usage = { inputTokens: event.inputTokens, outputTokens: event.outputTokens };
        else if (event.type === "finish" && event.reason !== "tool-use") stopReason = event.reason;
      }
    } catch {
      // The generation has the failure, classified.
      return undefined;
    }
    if (!this.#generation.ok) return undefined;
    this.#watch?.content?.();
    if (usage !== undefined) this.#watch?.usage?.(usage);
    const { provider, model } = this.#generation.target();
    return {
      text,
      ...(reasoning !== "" && { reasoning }),
      model: `${provider}/${model}`,
      stopReason,
      ...(usage !== undefined && { usage }),
    };
  }
}

function targetsOf(parts: RunnerParts, request: JobRequest): readonly TargetEntry[] | Error {
  try {
    return parts.targetsFor(request);
  } catch (fault) {
    return fault instanceof Error ? fault : new Error(String(fault));
  }
}

/** The same policy for each job of a batch: it is prepared once. */
const prepared = new Map<string, ReturnType<typeof preparePolicy>>();
const MOST_PREPARED = 100;

function preparedPolicy(given: string | PolicyInput, watchdog: Policy["watchdog"] | undefined) {
  const key = JSON.stringify([given, watchdog]);
  const known = prepared.get(key);
  if (known !== undefined) return known;
  const policy = policyOf(given);
  const { firstContentMs, idleMs } = policy.watchdog;
  const watched =
    watchdog === undefined || firstContentMs !== null || idleMs !== null ? policy : definePolicy({ watchdog }, policy);
  const made = preparePolicy(watched);
  if (prepared.size >= MOST_PREPARED) prepared.clear();
  prepared.set(key, made);
  return made;
}

function policyOf(given: string | PolicyInput): Policy {
  if (typeof given === "string") return (PRESETS[given] ?? patientPolicy)();
  return isPolicy(given) ? given : definePolicy(given, patientPolicy());
}

function failureOf(reason: string, failure: Failure | undefined): JobFailure {
  const { kind = "unknown", message = "The generation ended without an answer", status } = failure ?? {};
  return { reason, kind, message, ...(status !== undefined && { status }) };
}

function tooLate(job: Job): Verdict {
  const message = job.failure?.message ?? "The deadline passed before a worker took the job";
  const failure: JobFailure = { ...(job.failure ?? { kind: "timeout", message }), reason: DEADLINE };
  return { type: "failed", failure, receipt: endOf(job) };
}

function refused(job: Job, fault: Error): Verdict {
  return {
    type: "failed",
    failure: { reason: "no-target", kind: "not_found", message: fault.message },
    receipt: endOf(job),
  };
}

function endOf(job: Job): Receipt {
  return endedReceipt(job.id, job.receipt, "gave-up");
}
