import { type Job as BullJob, DelayedError, WaitingError, Worker } from "bullmq";
import type { Ports } from "../../kernel/index.ts";
import { pause } from "../../store/sqlite/lock-wait.ts";
import { endedReceipt, outcomeOf, poisonFailure, SUSPECT_FROM } from "../endings.ts";
import type { Job, JobRunner, Verdict } from "../job.ts";
import type { JobWorker } from "../jobs.ts";
import type { Settings } from "../settings.ts";
import type { Connections } from "./connect.ts";
import { BODY_FIELDS, deliveryOf, type Fields, fieldsOf, JOB_FIELDS, jobOf } from "./job-fields.ts";
import { within } from "./within.ts";

interface WorkerParts {
  readonly run: JobRunner;
  readonly concurrency: number;
  readonly connections: Connections;
  readonly settings: Settings;
  readonly ports: Ports;
  readonly prefix: string;
  readonly queue: string;
  /** The channel of cancelled jobs. */
  readonly cancelled: string;
  readonly jobKey: (id: string) => string;
  readonly onClose: () => void;
}

interface Running {
  readonly epoch: number;
  readonly controller: AbortController;
}

/** What the script `take` returns. */
type TakeAnswer = readonly [how: string, second?: string | number, job?: unknown, body?: unknown];

const RETRY_PAUSE_MS = 500;
/** A suspect that comes while another one runs is tried again after so long, by any worker. */
const SUSPECT_PAUSE_MS = 500;
/** How long BullMQ may take to say goodbye to a Redis that does not answer. */
const FAREWELL_MS = 3000;

/**
 * A worker of BullMQ. BullMQ delivers ids and keeps the delays; what a job is and which delivery may commit stands in our own keys, so
 * a delivery that comes twice, too early or too late does no harm.
 */
export class RedisWorker implements JobWorker {
  readonly #parts: WorkerParts;
  readonly #running = new Map<string, Running>();
  readonly #worker: Worker;
  /** The one suspect that runs here, or is about to. */
  #suspect: string | undefined;
  #isClosing = false;
  #closed: Promise<void> | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    const { connections, concurrency, settings, prefix, queue, cancelled } = parts;
    this.#worker = new Worker(queue, (job, token = "") => this.#process(job, token), {
      connection: connections.queue,
      ...{ prefix, concurrency },
      // Short, so that the jobs of a dead worker are taken up soon: a lock's time and one interval later.
      lockDuration: settings.leaseMs,
      lockRenewTime: settings.leaseMs / 4,
      stalledInterval: Math.max(500, settings.leaseMs / 4),
      // Crashes are counted in our own keys, where people see them.
      maxStalledCount: 1_000_000_000,
      runRetryDelay: 1000,
      drainDelay: 1,
    });
    // Faults of the connection are reported once for all; a lost lock is no fault: the commit decides.
    this.#worker.on("error", () => undefined);
    this.#worker.on("lockRenewalFailed", (tickets) => void this.#dropLost(tickets.map(idOf)));
    connections.subscriber.on("message", this.#onMessage);
    connections.subscriber.subscribe(cancelled).catch(() => undefined);
  }

  get running(): number {
    return this.#running.size;
  }

  close(options: { readonly drainMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#close(options.drainMs ?? 0);
    return this.#closed;
  }

  async #close(drainMs: number): Promise<void> {
    await this.#worker.pause(true);
    const deadline = performance.now() + drainMs;
    while (this.#running.size > 0 && performance.now() < deadline) await pause(10);
    this.#isClosing = true;
    for (const { controller } of this.#running.values()) controller.abort(new Error("The worker stops"));
    this.#parts.connections.subscriber.off("message", this.#onMessage);
    if (!(await within(FAREWELL_MS, this.#worker.close()))) await within(FAREWELL_MS, this.#worker.disconnect());
    this.#parts.onClose();
  }

  readonly #onMessage = (channel: string, id: string): void => {
    if (channel === this.#parts.cancelled) this.#drop(id);
  };

  #drop(id: string): void {
    this.#running.get(id)?.controller.abort(new Error("The job is no longer this worker's"));
  }

  /** The lock may have ended while Redis was away. Only a newer delivery or a cancel takes the job from this worker. */
  async #dropLost(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const held = this.#running.get(id);
      if (held === undefined) continue;
      const [state, epoch] = await this.#parts.connections.client
        .hmget(this.#parts.jobKey(id), "state", "epoch")
        .catch(() => ["running", String(held.epoch)]);
      if (state !== "running" || epoch !== String(held.epoch)) this.#drop(id);
    }
  }

  async #process(bull: BullJob, token: string): Promise<void> {
    const { ports } = this.#parts;
    const ticket = bull.id ?? "";
    const id = idOf(ticket);
    if (this.#isClosing) return this.#giveBack(bull, token);
    // Not BullMQ's token, which several deliveries of one worker share.
    const nonce = ports.newId();
    const taken = await this.#take(id, ticket, nonce, "0");
    if (taken[0] !== "suspect") return this.#deliver(bull, token, taken);
    // One at a time: a suspect must not take others down with it. Its place is free again only when its end is committed.
    if (this.#suspect !== undefined) return delay(bull, ports.wallNow() + SUSPECT_PAUSE_MS, token);
    this.#suspect = id;
    try {
      await this.#deliver(bull, token, await this.#take(id, ticket, nonce, "1"));
    } finally {
      this.#suspect = undefined;
    }
  }

  async #take(id: string, ticket: string, nonce: string, isOneSuspect: "0" | "1"): Promise<TakeAnswer> {
    const { connections, settings, ports } = this.#parts;
    const bounds = [settings.poisonAfter, settings.crashDelayMs, SUSPECT_FROM];
    const answer = await this.#steadily(() =>
      connections.run("take", id, ticket, nonce, ports.wallNow(), ...bounds, isOneSuspect),
    );
    return answer as TakeAnswer;
  }

  async #deliver(bull: BullJob, token: string, [how, second, values, body]: TakeAnswer): Promise<void> {
    const { connections, ports } = this.#parts;
    const id = idOf(bull.id ?? "");
    if (how === "gone") return;
    if (how === "early") return delay(bull, Number(second), token);
    const fields = fieldsOf(JOB_FIELDS, values);
    const job = jobOf(fields);
    if (job === undefined) return;
    if (how === "poison") return this.#poison({ ...job, crashes: job.crashes + 1 }, Number(second));
    const verdict = await this.#run(job, fields, fieldsOf(BODY_FIELDS, body), Number(second));
    // The runner itself failed. The job still counts as running, so its next delivery counts a crash.
    if (verdict === undefined) return this.#giveBack(bull, token);
    if (verdict.type === "released") {
      const isReleased = await this.#steadily(() => connections.run("release", id, Number(second), ports.wallNow()));
      if (isReleased === 1) return this.#giveBack(bull, token);
      return this.#leave(id);
    }
    const isCommitted = await this.#commit(id, Number(second), verdict);
    if (!isCommitted) return this.#leave(id);
    if (verdict.type === "waiting") return delay(bull, verdict.saved.until, token);
  }

  async #run(job: Job, fields: Fields, body: Fields, epoch: number): Promise<Verdict | undefined> {
    const controller = new AbortController();
    this.#running.set(job.id, { epoch, controller });
    try {
      return await this.#parts.run(deliveryOf(job, fields, body, controller.signal));
    } catch (fault) {
      this.#parts.ports.reportFault(fault, "jobs");
      return undefined;
    } finally {
      if (this.#running.get(job.id)?.epoch === epoch) this.#running.delete(job.id);
    }
  }

  async #poison(job: Job, epoch: number): Promise<void> {
    const failure = poisonFailure(job.crashes, job.failure);
    const receipt = endedReceipt(job.id, job.receipt, "gave-up");
    await this.#commit(job.id, epoch, { type: "failed", failure, receipt }, job.crashes);
  }

  async #commit(
    id: string,
    epoch: number,
    verdict: Exclude<Verdict, { type: "released" }>,
    poisonCrashes?: number,
  ): Promise<boolean> {
    const { connections, ports, settings } = this.#parts;
    const { state, attempts, failure, receipt, result, saved, until } = outcomeOf(verdict, settings.maxBytes);
    const texts = [failure ?? "", receipt, result ?? "", saved ?? "", until ?? ""];
    const isPoison = poisonCrashes === undefined ? 0 : 1;
    const done = await this.#steadily(() =>
      connections.run("commit", id, epoch, state, ports.wallNow(), attempts, ...texts, isPoison, poisonCrashes ?? 0),
    );
    return done === 1;
  }

  /** The delivery is not the job's latest: its ticket belongs to another one. If the job is final, the ticket is thrown away. */
  async #leave(id: string): Promise<void> {
    const state = await this.#parts.connections.client.hget(this.#parts.jobKey(id), "state").catch(() => null);
    if (state === "done" || state === "failed" || state === "cancelled") return;
    // BullMQ's word for "leave this job alone".
    throw new DelayedError();
  }

  /** Back to the queue, for any worker. */
  async #giveBack(bull: BullJob, token: string): Promise<never> {
    await bull.moveToWait(token).catch(() => undefined);
    throw new WaitingError();
  }

  /** A result was paid for: while Redis is away, it is offered again and again. Every script may run twice. */
  async #steadily(command: () => Promise<unknown>): Promise<unknown> {
    for (;;) {
      try {
        return await command();
      } catch (fault) {
        if (this.#isClosing) throw fault;
        await pause(RETRY_PAUSE_MS);
      }
    }
  }
}

async function delay(bull: BullJob, until: number, token: string): Promise<never> {
  await bull.moveToDelayed(until, token).catch(() => undefined);
  throw new DelayedError();
}

/** A ticket is the job's id, and a number if the job was started anew. */
function idOf(ticket: string): string {
  return ticket.split("~", 1)[0] ?? "";
}
