import type { Ports } from "../../kernel/index.ts";
import { systemPorts } from "../../system/index.ts";
import { endedReceipt } from "../endings.ts";
import type { Job, JobCounts, JobFilter, JobPage, JobRequest, JobResult, JobRunner, SubmitOptions } from "../job.ts";
import type { JobEntry, Jobs, JobsOptions, JobWorker, WorkOptions } from "../jobs.ts";
import { checkFilter } from "../list-filter.ts";
import { keyReused, type NewJob, newJob } from "../new-job.ts";
import { concurrencyOf, type Settings, settingsOf } from "../settings.ts";
import { watchJob } from "../watch-job.ts";
import { Alarms } from "./alarms.ts";
import { Changes } from "./changes.ts";
import { type Connections, connect } from "./connect.ts";
import { countJobs } from "./count-jobs.ts";
import { type Fields, jobOf } from "./job-fields.ts";
import { listJobs } from "./list-jobs.ts";
import { RedisWorker } from "./redis-worker.ts";
import { within } from "./within.ts";

export interface RedisOptions extends JobsOptions {
  /** Separates the jobs of several installations that share one Redis. Default `secondwind`. */
  readonly prefix?: string;
  /** True: Redis must write to the disk. Default true. */
  readonly isPersistenceNeeded?: boolean;
  /** For tests. */
  readonly ports?: Ports;
}

/** So many jobs are on their way to Redis at a time. */
const SUBMIT_AT_ONCE = 500;
const SWEEP_EVERY_MS = 5000;
const SWEEP_AT_ONCE = 500;
const CHECK_MS = 1000;

/** Jobs in Redis, for any number of machines. */
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
  readonly #alarms: Alarms;
  readonly #changes: Changes;
  readonly #workers = new Set<RedisWorker>();
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #isSweeping = false;

  constructor(connections: Connections, root: string, settings: Settings, ports: Ports) {
    this.#connections = connections;
    this.#root = root;
    this.#settings = settings;
    this.#ports = ports;
    this.#alarms = new Alarms(connections, root);
    this.#changes = new Changes(connections.subscriber, this.#key("changes"), (id) => this.get(id), ports);
  }

  async submit(request: JobRequest, options: SubmitOptions = {}): Promise<string> {
    const [id] = await this.submitAll([{ request, options }]);
    return id as string;
  }

  async submitAll(entries: readonly JobEntry[]): Promise<readonly string[]> {
    const { maxBytes } = this.#settings;
    const jobs = entries.map(({ request, options = {} }) => newJob(this.#ports.newId(), request, options, maxBytes));
    const ids: string[] = [];
    for (let at = 0; at < jobs.length; at += SUBMIT_AT_ONCE) {
      ids.push(...(await Promise.all(jobs.slice(at, at + SUBMIT_AT_ONCE).map((job) => this.#store(job)))));
    }
    return ids;
  }

  /** The id of the job, or of the one that has the key already. */
  async #store(job: NewJob): Promise<string> {
    const { id, key, fingerprint, group, model, policyName, deadline, request, policy } = job;
    const named = [id, key ?? "", fingerprint, group ?? "", model, policyName, this.#ports.wallNow()];
    const answer = await this.#connections.run("submit", ...named, deadline ?? "", request, policy);
    const [how, known = ""] = answer as readonly string[];
    if (how === "reused") throw keyReused(key ?? "");
    return known;
  }

  async get(id: string): Promise<Job | undefined> {
    return jobOf(await this.#fields(id));
  }

  async list(filter: JobFilter = {}): Promise<JobPage> {
    const checked = checkFilter(filter);
    return this.#connections.read((client) => listJobs(client, (name) => this.#key(name), checked));
  }

  async request(id: string): Promise<JobRequest | undefined> {
    const text = await this.#connections.read((client) => client.hget(this.#key(`b:${id}`), "request"));
    return text === null ? undefined : (JSON.parse(text) as JobRequest);
  }

  async result(id: string): Promise<JobResult | undefined> {
    const text = await this.#connections.read((client) => client.hget(this.#key(`b:${id}`), "result"));
    return text === null ? undefined : (JSON.parse(text) as JobResult);
  }

  async cancel(id: string): Promise<boolean> {
    for (;;) {
      const fields = await this.#fields(id);
      const job = jobOf(fields);
      if (job === undefined) return false;
      const receipt = JSON.stringify(endedReceipt(id, job.receipt, "aborted"));
      const epoch = fields.epoch ?? "0";
      const done = await this.#connections.run("cancel", id, job.state, epoch, this.#ports.wallNow(), receipt);
      if (done === 0) return false;
      // It has changed meanwhile.
      if (done === -1) continue;
      if (job.state === "waiting") await this.#forgetAlarm(id, epoch);
      return true;
    }
  }

  async retryNow(id: string): Promise<boolean> {
    const [how, epoch] = (await this.#connections.run("retry", id, this.#ports.wallNow())) as [string, string];
    if (how === "waiting") await this.#forgetAlarm(id, epoch);
    return how !== "no";
  }

  async *watch(id: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<Job, void, undefined> {
    await this.#changes.listen();
    yield* watchJob(this, id, signal);
  }

  onChange(listener: (job: Job) => void): () => void {
    return this.#changes.add(listener);
  }

  counts(): Promise<JobCounts> {
    return this.#connections.read((client) => countJobs(client, (name) => this.#key(name)));
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
      alarms: this.#alarms,
      key: (name) => this.#key(name),
      onClose: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    this.#sweeper ??= setInterval(() => void this.#sweep(), SWEEP_EVERY_MS).unref();
    return worker;
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await Promise.all([...this.#workers].map((worker) => worker.close()));
    this.#changes.close();
    await this.#alarms.close();
    this.#connections.close();
  }

  #key(name: string): string {
    return `${this.#root}:sw:${name}`;
  }

  #fields(id: string): Promise<Fields> {
    return this.#connections.read((client) => client.hgetall(this.#key(`j:${id}`)));
  }

  /** It would ring for nothing. It is not worth waiting for. */
  async #forgetAlarm(id: string, epoch: string): Promise<void> {
    await within(CHECK_MS, this.#alarms.unset(id, epoch));
  }

  /** Deletes what was kept long enough. Every process with a worker does it. */
  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    try {
      const before = this.#ports.wallNow() - this.#settings.keepMs;
      while (Number(await this.#connections.run("sweep", before, SWEEP_AT_ONCE)) === SWEEP_AT_ONCE);
    } catch {
      // Redis is away, which its connections report.
    } finally {
      this.#isSweeping = false;
    }
  }
}
