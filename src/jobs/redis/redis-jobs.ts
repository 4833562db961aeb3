import { Queue } from "bullmq";
import type { Ports } from "../../kernel/index.ts";
import { systemPorts } from "../../system/index.ts";
import { endedReceipt } from "../endings.ts";
import type { Job, JobCounts, JobFilter, JobPage, JobRequest, JobResult, JobRunner, SubmitOptions } from "../job.ts";
import type { JobEntry, Jobs, JobsOptions, JobWorker, WorkOptions } from "../jobs.ts";
import { JobsError } from "../jobs-error.ts";
import { checkFilter } from "../list-filter.ts";
import { keyReused, type NewJob, newJob } from "../new-job.ts";
import { concurrencyOf, type Settings, settingsOf } from "../settings.ts";
import { watchJob } from "../watch-job.ts";
import { Changes } from "./changes.ts";
import { type Connections, connect } from "./connect.ts";
import { countJobs } from "./count-jobs.ts";
import { type Fields, jobOf } from "./job-fields.ts";
import { listJobs } from "./list-jobs.ts";
import { RedisWorker } from "./redis-worker.ts";
import { Repairs } from "./repairs.ts";
import { within } from "./within.ts";

export interface RedisOptions extends JobsOptions {
  /** Separates the jobs of several installations that share one Redis. Default `secondwind`. */
  readonly prefix?: string;
  /** True: Redis must write to the disk. Default true. */
  readonly isPersistenceNeeded?: boolean;
  /** For tests. */
  readonly ports?: Ports;
}

export const QUEUE = "jobs";
/** So many jobs are submitted in one go. */
const SUBMIT_AT_ONCE = 500;
const ADD_TIMEOUT_MS = 5000;
const CHECK_MS = 1000;

/** Jobs in Redis, delivered by BullMQ, for any number of machines. */
export async function openRedisJobs(url: string, options: RedisOptions = {}): Promise<Jobs> {
  const { prefix = "secondwind", isPersistenceNeeded = true, ports = systemPorts(), ...rest } = options;
  const settings = settingsOf(rest);
  // The braces keep all keys in one slot of a cluster.
  const root = `{${prefix}}`;
  const report = (fault: unknown): void => ports.reportFault(fault, "redis");
  const connections = await connect(url, `${root}:sw`, isPersistenceNeeded, report);
  return new RedisJobs(connections, root, settings, ports);
}

class RedisJobs implements Jobs {
  readonly #connections: Connections;
  readonly #root: string;
  readonly #settings: Settings;
  readonly #ports: Ports;
  readonly #queue: Queue;
  readonly #changes: Changes;
  readonly #repairs: Repairs;
  readonly #workers = new Set<RedisWorker>();

  constructor(connections: Connections, root: string, settings: Settings, ports: Ports) {
    this.#connections = connections;
    this.#root = root;
    this.#settings = settings;
    this.#ports = ports;
    this.#queue = new Queue(QUEUE, { connection: connections.queue, prefix: root });
    // The connections report themselves.
    this.#queue.on("error", () => undefined);
    this.#changes = new Changes(connections.subscriber, this.#key("changes"), (id) => this.get(id), ports);
    this.#repairs = new Repairs({
      connections,
      ports,
      settings,
      queueKey: `${root}:${QUEUE}`,
      add: (tickets) => this.#add(tickets),
    });
  }

  async submit(request: JobRequest, options: SubmitOptions = {}): Promise<string> {
    const [id] = await this.submitAll([{ request, options }]);
    return id as string;
  }

  async submitAll(entries: readonly JobEntry[]): Promise<readonly string[]> {
    const { maxBytes } = this.#settings;
    const jobs = entries.map(({ request, options = {} }) => newJob(this.#ports.newId(), request, options, maxBytes));
    const ids: string[] = [];
    let adding = Promise.resolve();
    for (let at = 0; at < jobs.length; at += SUBMIT_AT_ONCE) {
      // The tickets of one part are added while the next part is stored.
      const [submitted] = await Promise.all([
        Promise.all(jobs.slice(at, at + SUBMIT_AT_ONCE).map((job) => this.#store(job))),
        adding,
      ]);
      for (const { id } of submitted) ids.push(id);
      adding = this.#add(submitted.flatMap(({ ticket }) => ticket ?? []));
    }
    await adding;
    return ids;
  }

  /** Without a ticket: the job is known already, and not to be delivered. */
  async #store(job: NewJob): Promise<{ readonly id: string; readonly ticket: string | undefined }> {
    const { id, key, fingerprint, group, model, policyName, deadline, request, policy } = job;
    const named = [id, key ?? "", fingerprint, group ?? "", model, policyName, this.#ports.wallNow()];
    const answer = await this.#connections.run("submit", ...named, deadline ?? "", request, policy);
    const [how, known = "", state, ticket] = answer as readonly string[];
    if (how === "reused") throw keyReused(key ?? "");
    return { id: known, ticket: state === "accepted" ? ticket : undefined };
  }

  async get(id: string): Promise<Job | undefined> {
    return jobOf((await this.#connections.client.hgetall(this.#key(`j:${id}`))) as Fields);
  }

  list(filter: JobFilter = {}): Promise<JobPage> {
    return Promise.resolve().then(() =>
      listJobs(this.#connections.client, (name) => this.#key(name), checkFilter(filter)),
    );
  }

  async request(id: string): Promise<JobRequest | undefined> {
    const text = await this.#connections.client.hget(this.#key(`b:${id}`), "request");
    return text === null ? undefined : (JSON.parse(text) as JobRequest);
  }

  async result(id: string): Promise<JobResult | undefined> {
    const text = await this.#connections.client.hget(this.#key(`b:${id}`), "result");
    return text === null ? undefined : (JSON.parse(text) as JobResult);
  }

  async cancel(id: string): Promise<boolean> {
    for (;;) {
      const fields = (await this.#connections.client.hgetall(this.#key(`j:${id}`))) as Fields;
      const job = jobOf(fields);
      if (job === undefined) return false;
      const receipt = JSON.stringify(endedReceipt(id, job.receipt, "aborted"));
      const done = await this.#connections.run("cancel", id, fields.rev ?? "", this.#ports.wallNow(), receipt);
      if (done === 0) return false;
      // It has changed meanwhile.
      if (done === -1) continue;
      // One that runs is locked. It is thrown away when its delivery ends.
      await this.#queue.remove(fields.ticket ?? id).catch(() => 0);
      return true;
    }
  }

  async retryNow(id: string): Promise<boolean> {
    const [how, ticket] = (await this.#connections.run("retry", id, this.#ports.wallNow())) as [string, string];
    if (how === "no") return false;
    if (how === "waiting") await this.#repairs.promote(this.#queue, ticket);
    else await this.#add([ticket]);
    return true;
  }

  async *watch(id: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Job, void, undefined> {
    await this.#changes.listen();
    yield* watchJob(this, id, signal);
  }

  onChange(listener: (job: Job) => void): () => void {
    return this.#changes.add(listener);
  }

  counts(): Promise<JobCounts> {
    return countJobs(this.#connections, (name) => this.#key(name), `${this.#root}:${QUEUE}`);
  }

  async check(): ReturnType<Jobs["check"]> {
    const { client } = this.#connections;
    // A load balancer that asks must not wait until Redis is back.
    const isAlive = client.status === "ready" && (await within(CHECK_MS, client.ping()));
    return isAlive
      ? { ok: true }
      : { ok: false, problem: "Redis does not answer. Jobs are accepted again when it does." };
  }

  work(run: JobRunner, options: WorkOptions = {}): JobWorker {
    const worker = new RedisWorker({
      run,
      concurrency: concurrencyOf(options),
      connections: this.#connections,
      settings: this.#settings,
      ports: this.#ports,
      prefix: this.#root,
      queue: QUEUE,
      cancelled: this.#key("cancelled"),
      jobKey: (id) => this.#key(`j:${id}`),
      onClose: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    this.#repairs.start();
    return worker;
  }

  async close(): Promise<void> {
    this.#repairs.stop();
    await Promise.all([...this.#workers].map((worker) => worker.close()));
    this.#changes.close();
    await this.#queue.close().catch(() => undefined);
    this.#connections.close();
  }

  #key(name: string): string {
    return `${this.#root}:sw:${name}`;
  }

  /** A ticket that is in the queue already stays as it is. */
  async #add(tickets: readonly string[]): Promise<void> {
    if (tickets.length === 0) return;
    const entries = tickets.map((jobId) => ({
      name: "job",
      data: {},
      opts: { jobId, removeOnComplete: true, removeOnFail: true },
    }));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const fault = new JobsError(
        "unreachable",
        "Redis does not answer. The job may have been accepted: submit it again with the same key.",
      );
      timer = setTimeout(() => reject(fault), ADD_TIMEOUT_MS);
    });
    const [only] = entries;
    const adding: Promise<unknown> =
      entries.length === 1 && only !== undefined
        ? this.#queue.add(only.name, only.data, only.opts)
        : this.#queue.addBulk(entries);
    await Promise.race([adding, late]).finally(() => clearTimeout(timer));
  }
}
