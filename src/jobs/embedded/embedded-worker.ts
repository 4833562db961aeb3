import type { Ports, SavedGeneration } from "../../kernel/index.ts";
import { pause } from "../../store/sqlite/lock-wait.ts";
import { outcomeOf, SUSPECT_FROM } from "../endings.ts";
import type { Delivery, JobRequest, JobRunner, SubmitOptions, Verdict } from "../job.ts";
import type { JobWorker } from "../jobs.ts";
import type { Settings } from "../settings.ts";
import type { JobReader } from "./job-reader.ts";
import { jobOf } from "./job-row.ts";
import type { JobTable, Taken } from "./job-table.ts";

interface WorkerParts {
  readonly run: JobRunner;
  readonly concurrency: number;
  readonly settings: Settings;
  readonly ports: Ports;
  readonly table: JobTable;
  readonly reader: JobReader;
  readonly write: <T>(work: () => T) => Promise<T>;
  readonly onClose: () => void;
}

interface Running {
  readonly epoch: number;
  readonly controller: AbortController;
  readonly done: Promise<void>;
  readonly isSuspect: boolean;
}

/** So many jobs are taken in one transaction. */
const TAKE_AT_ONCE = 64;
/** A result is worth some patience with a disk that is full or a file that is locked: it was paid for. */
const COMMIT_TRIES = 5;
const COMMIT_PAUSE_MS = 1000;

export class EmbeddedWorker implements JobWorker {
  readonly #parts: WorkerParts;
  readonly #running = new Map<string, Running>();
  readonly #heart: ReturnType<typeof setInterval>;
  #isTaking = false;
  #isClosing = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    // Three beats may be late before the lease ends.
    this.#heart = setInterval(() => void this.#renew(), parts.settings.leaseMs / 4);
  }

  get running(): number {
    return this.#running.size;
  }

  /** Takes what is due, as far as there is room. */
  look(): void {
    if (this.#isTaking || this.#isClosing) return;
    const { concurrency, reader, ports } = this.#parts;
    if (this.#running.size >= concurrency || !reader.hasDue(ports.wallNow())) return;
    this.#isTaking = true;
    void this.#take(Math.min(concurrency - this.#running.size, TAKE_AT_ONCE)).finally(() => {
      this.#isTaking = false;
    });
  }

  /** Another process may have cancelled jobs that run here. */
  dropLost(): void {
    for (const [id, { epoch }] of this.#running) if (!this.#parts.reader.isHeld(id, epoch)) this.drop(id);
  }

  /** The job was cancelled. */
  drop(id: string): void {
    this.#running.get(id)?.controller.abort(new Error("The job is no longer this worker's"));
  }

  async close({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#isClosing = true;
    while (this.#isTaking) await pause(1);
    const ends = Promise.all([...this.#running.values()].map(({ done }) => done));
    if (drainMs > 0) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, drainMs);
      });
      await Promise.race([ends, late]);
      clearTimeout(timer);
    }
    for (const { controller } of this.#running.values()) controller.abort(new Error("The worker stops"));
    await ends;
    clearInterval(this.#heart);
    this.#parts.onClose();
  }

  get #hasSuspect(): boolean {
    return [...this.#running.values()].some(({ isSuspect }) => isSuspect);
  }

  async #take(limit: number): Promise<void> {
    const { table, write, ports } = this.#parts;
    try {
      const taken = await write(() =>
        table.take(ports.wallNow(), limit, new Set(this.#running.keys()), !this.#hasSuspect),
      );
      for (const one of taken) this.#start(one);
    } catch (fault) {
      ports.reportFault(fault, "jobs");
    }
  }

  #start({ row, body }: Taken): void {
    const { id, epoch } = row;
    const controller = new AbortController();
    const delivery: Delivery = {
      job: jobOf(row),
      request: JSON.parse(body.request) as JobRequest,
      policy: JSON.parse(body.policy) as NonNullable<SubmitOptions["policy"]>,
      ...(body.saved !== null && { saved: JSON.parse(body.saved) as SavedGeneration }),
      isRetriedNow: row.retry_now === 1,
      signal: controller.signal,
    };
    const done = this.#run(delivery, epoch).finally(() => {
      this.#running.delete(id);
      this.look();
    });
    this.#running.set(id, { epoch, controller, done, isSuspect: row.crashes >= SUSPECT_FROM });
  }

  async #run(delivery: Delivery, epoch: number): Promise<void> {
    const { run, table, write, ports, settings } = this.#parts;
    const { id } = delivery.job;
    const ended = await run(delivery).catch((fault: unknown) => {
      ports.reportFault(fault, "jobs");
      return undefined;
    });
    const commit = (verdict: Verdict | undefined): unknown => {
      const nowMs = ports.wallNow();
      if (verdict === undefined) return table.crash(id, epoch, nowMs);
      if (verdict.type === "released") return table.release(id, epoch, nowMs);
      return table.commit(id, epoch, outcomeOf(verdict, settings.maxBytes), nowMs);
    };
    for (let tries = 1; ; tries++) {
      try {
        await write(() => commit(ended));
        return;
      } catch (fault) {
        ports.reportFault(fault, "jobs");
        // The lease ends, and the job is run again.
        if (tries === COMMIT_TRIES) return;
        await pause(COMMIT_PAUSE_MS);
      }
    }
  }

  async #renew(): Promise<void> {
    if (this.#running.size === 0) return;
    const { table, write, ports } = this.#parts;
    const held = [...this.#running].map(([id, { epoch }]) => [id, epoch] as const);
    try {
      for (const id of await write(() => table.renew(held, ports.wallNow()))) this.drop(id);
    } catch (fault) {
      ports.reportFault(fault, "jobs");
    }
  }
}
