import type { Ports } from "../../kernel/index.ts";
import { whenUnlocked } from "../../store/sqlite/lock-wait.ts";
import { type Database, openDatabase } from "../../store/sqlite/open-database.ts";
import { systemPorts } from "../../system/index.ts";
import type { Job, JobCounts, JobFilter, JobPage, JobRequest, JobResult, JobRunner, SubmitOptions } from "../job.ts";
import type { JobEntry, Jobs, JobsOptions, JobWorker, WorkOptions } from "../jobs.ts";
import { checkFilter, pageOf } from "../list-filter.ts";
import { isJobId, newJob } from "../new-job.ts";
import { concurrencyOf, type Settings, settingsOf } from "../settings.ts";
import { watchJob } from "../watch-job.ts";
import { EmbeddedWorker } from "./embedded-worker.ts";
import { JobReader } from "./job-reader.ts";
import { jobOf } from "./job-row.ts";
import { JobTable } from "./job-table.ts";
import { JOBS_MARK, JOBS_MIGRATIONS } from "./migrations.ts";
import { Pulse } from "./pulse.ts";

/** For tests. */
export interface EmbeddedOptions extends JobsOptions {
  readonly ports?: Ports;
}

const SWEEP_EVERY_MS = 60_000;
const BUSY_TIMEOUT_MS = 5000;

/** Jobs in a SQLite file, for any number of processes of one machine. */
export async function openEmbeddedJobs(path: string, { ports, ...options }: EmbeddedOptions = {}): Promise<Jobs> {
  const settings = settingsOf(options);
  const database = await openDatabase(path, { migrations: JOBS_MIGRATIONS, mark: JOBS_MARK });
  return new EmbeddedJobs(database, settings, ports ?? systemPorts());
}

class EmbeddedJobs implements Jobs {
  readonly #database: Database;
  readonly #settings: Settings;
  readonly #ports: Ports;
  readonly #table: JobTable;
  readonly #reader: JobReader;
  readonly #pulse: Pulse;
  readonly #listeners = new Set<(job: Job) => void>();
  readonly #workers = new Set<EmbeddedWorker>();
  readonly #sweeper: ReturnType<typeof setInterval>;
  #heardRev = 0;
  #seenVersion: unknown;
  #isClosed = false;

  constructor(database: Database, settings: Settings, ports: Ports) {
    this.#database = database;
    this.#settings = settings;
    this.#ports = ports;
    this.#table = new JobTable(database.connection, settings);
    this.#reader = new JobReader(database.connection);
    this.#pulse = new Pulse(() => this.#beat(), ports);
    this.#sweeper = setInterval(() => void this.#sweep(), SWEEP_EVERY_MS);
    this.#sweeper.unref();
    void this.#sweep();
  }

  async submit(request: JobRequest, options: SubmitOptions = {}): Promise<string> {
    const [id] = await this.submitAll([{ request, options }]);
    return id as string;
  }

  async submitAll(entries: readonly JobEntry[]): Promise<readonly string[]> {
    const { maxBytes } = this.#settings;
    const jobs = entries.map(({ request, options = {} }) => newJob(this.#ports.newId(), request, options, maxBytes));
    return Promise.all(jobs.map((job) => this.#write(() => this.#table.insert(job, this.#ports.wallNow()))));
  }

  get(id: string): Promise<Job | undefined> {
    return this.#read(() => {
      const row = isJobId(id) ? this.#reader.find(id) : undefined;
      return row === undefined ? undefined : jobOf(row);
    });
  }

  async list(filter: JobFilter = {}): Promise<JobPage> {
    const checked = checkFilter(filter);
    const rows = await this.#read(() => this.#reader.list({ ...checked, limit: checked.limit + 1 }));
    const found = rows.map((row) => ({ job: jobOf(row), seq: row.seq }));
    return pageOf(found, checked.limit);
  }

  request(id: string): Promise<JobRequest | undefined> {
    return this.#read(() => {
      const body = isJobId(id) ? this.#reader.body(id) : undefined;
      return body === undefined ? undefined : (JSON.parse(body.request) as JobRequest);
    });
  }

  result(id: string): Promise<JobResult | undefined> {
    return this.#read(() => {
      const result = isJobId(id) ? (this.#reader.body(id)?.result ?? null) : null;
      return result === null ? undefined : (JSON.parse(result) as JobResult);
    });
  }

  async cancel(id: string): Promise<boolean> {
    if (!isJobId(id)) return false;
    const isCancelled = await this.#write(() => this.#table.cancel(id, this.#ports.wallNow()));
    if (isCancelled) for (const worker of this.#workers) worker.drop(id);
    return isCancelled;
  }

  async retryNow(id: string): Promise<boolean> {
    if (!isJobId(id)) return false;
    return this.#write(() => this.#table.retryNow(id, this.#ports.wallNow()));
  }

  watch(id: string, { signal }: { readonly signal?: AbortSignal } = {}): AsyncIterable<Job> {
    return watchJob(this, id, signal);
  }

  onChange(listener: (job: Job) => void): () => void {
    if (this.#listeners.size === 0) this.#heardRev = this.#reader.rev();
    this.#listeners.add(listener);
    const release = this.#pulse.hold();
    return () => {
      this.#listeners.delete(listener);
      release();
    };
  }

  counts(): Promise<JobCounts> {
    return this.#read(() => this.#reader.counts(this.#ports.wallNow()));
  }

  async check(): ReturnType<Jobs["check"]> {
    try {
      await this.#read(() => this.#reader.rev());
      return { ok: true };
    } catch (fault) {
      return { ok: false, problem: fault instanceof Error ? fault.message : String(fault) };
    }
  }

  work(run: JobRunner, options: WorkOptions = {}): JobWorker {
    const release = this.#pulse.hold();
    const worker = new EmbeddedWorker({
      run,
      concurrency: concurrencyOf(options),
      settings: this.#settings,
      ports: this.#ports,
      table: this.#table,
      reader: this.#reader,
      write: (work) => this.#write(work),
      onClose: () => {
        this.#workers.delete(worker);
        release();
      },
    });
    this.#workers.add(worker);
    this.#pulse.touch();
    return worker;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await Promise.all([...this.#workers].map((worker) => worker.close()));
    this.#pulse.close();
    this.#listeners.clear();
    await this.#database.close();
  }

  /** Something may have changed, here or in another process. */
  #beat(): void {
    // Changes when another process has written.
    const version = this.#database.connection.pragma("data_version");
    for (const worker of this.#workers) {
      if (version !== this.#seenVersion) worker.dropLost();
      worker.look();
    }
    this.#seenVersion = version;
    if (this.#listeners.size === 0) return;
    for (
      let rows = this.#reader.changes(this.#heardRev);
      rows.length > 0;
      rows = this.#reader.changes(this.#heardRev)
    ) {
      this.#heardRev = rows.at(-1)?.rev ?? this.#heardRev;
      for (const row of rows) this.#tell(jobOf(row));
    }
  }

  #tell(job: Job): void {
    for (const listener of this.#listeners) {
      try {
        listener(job);
      } catch (fault) {
        this.#ports.reportFault(fault, "listener");
      }
    }
  }

  async #sweep(): Promise<void> {
    try {
      const beforeMs = this.#ports.wallNow() - this.#settings.keepMs;
      while (await this.#write(() => this.#table.sweep(beforeMs)));
    } catch (fault) {
      if (!this.#isClosed) this.#ports.reportFault(fault, "jobs");
    }
  }

  async #write<T>(work: () => T): Promise<T> {
    const result = await this.#database.queue.write(work);
    this.#pulse.touch();
    return result;
  }

  /** Readers do not wait for writers; only for a file that another process repairs. */
  #read<T>(work: () => T): Promise<T> {
    return whenUnlocked(work, BUSY_TIMEOUT_MS);
  }
}
