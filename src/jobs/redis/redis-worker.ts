import type { Ports } from "../../kernel/index.ts";
import { pause } from "../../store/sqlite/lock-wait.ts";
import { endedReceipt, type Outcome, outcomeOf, poisonFailure, SUSPECT_FROM } from "../endings.ts";
import type { Job, JobRunner, Verdict } from "../job.ts";
import type { JobWorker } from "../jobs.ts";
import { JobsError } from "../jobs-error.ts";
import type { Settings } from "../settings.ts";
import type { Alarms } from "./alarms.ts";
import { Bell } from "./bell.ts";
import type { Connections } from "./connect.ts";
import { BODY_FIELDS, deliveryOf, type Fields, fieldsOf, JOB_FIELDS, jobOf } from "./job-fields.ts";
import { within } from "./within.ts";

interface WorkerParts {
  readonly run: JobRunner;
  readonly concurrency: number;
  readonly connections: Connections;
  readonly alarms: Alarms;
  readonly settings: Settings;
  readonly ports: Ports;
  readonly key: (name: string) => string;
  readonly onClose: () => void;
}

/** A job that this worker has, until its end is committed. */
interface Held {
  readonly id: string;
  readonly epoch: number;
  readonly controller: AbortController;
}

/** What the script `take` returns for a job. */
type Taken = readonly [how: "run" | "poison", epoch: number, job: unknown, body?: unknown];

/** So many jobs are taken in one call. */
const TAKE_AT_ONCE = 64;
const RENEW_AT_ONCE = 500;
const RETRY_PAUSE_MS = 500;
/** How long a worker waits for a Redis that does not answer, where it can do without. */
const FAREWELL_MS = 3000;

/** Takes jobs that are due, as many as it has room for, runs them and commits their ends, each in few calls. */
export class RedisWorker implements JobWorker {
  readonly #parts: WorkerParts;
  readonly #name: string;
  readonly #bell: Bell;
  readonly #held = new Map<string, Held>();
  readonly #ends = new Set<Promise<void>>();
  readonly #heart: ReturnType<typeof setInterval>;
  readonly #taking: Promise<void>;
  readonly #deafen: () => Promise<void>;
  #running = 0;
  #suspects = 0;
  #madeRoom: (() => void) | undefined;
  #isReported = false;
  #isRenewing = false;
  #isClosing = false;
  /** The worker waits no longer for a Redis that is away. */
  #isLeaving = false;
  #closed: Promise<void> | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    const { connections, alarms, key, settings, ports } = parts;
    this.#name = ports.newId();
    this.#bell = new Bell(connections, key("bell"));
    this.#deafen = alarms.listen(() => connections.run("ring"));
    // Three beats may be late before the lease ends.
    this.#heart = setInterval(() => void this.#renew(), settings.leaseMs / 4);
    connections.client.on("ready", this.#onReunion);
    connections.subscriber.on("message", this.#onMessage);
    connections.subscriber.subscribe(key("cancelled")).catch(() => undefined);
    this.#taking = this.#takeWhileOpen();
  }

  get running(): number {
    return this.#running;
  }

  close(options: { readonly drainMs?: number } = {}): Promise<void> {
    this.#closed ??= this.#close(options.drainMs ?? 0);
    return this.#closed;
  }

  async #close(drainMs: number): Promise<void> {
    const { connections, onClose } = this.#parts;
    this.#isClosing = true;
    this.#bell.close();
    this.#madeRoom?.();
    await this.#taking;
    const deadline = performance.now() + drainMs;
    while (this.#running > 0 && performance.now() < deadline) await pause(10);
    for (const { controller } of this.#held.values()) controller.abort(new Error("The worker stops"));
    const ends = Promise.all(this.#ends);
    await Promise.all([within(FAREWELL_MS, ends), this.#deafen()]);
    this.#isLeaving = true;
    await within(FAREWELL_MS, ends);
    clearInterval(this.#heart);
    connections.client.off("ready", this.#onReunion);
    connections.subscriber.off("message", this.#onMessage);
    onClose();
  }

  async #takeWhileOpen(): Promise<void> {
    while (!this.#isClosing) {
      const room = Math.min(this.#parts.concurrency - this.#running, TAKE_AT_ONCE);
      if (room <= 0) {
        await new Promise<void>((resolve) => {
          this.#madeRoom = resolve;
        });
        continue;
      }
      const taken = await this.#take(room);
      for (const one of taken) this.#start(one);
      if (taken.length === 0) await this.#bell.heard();
    }
  }

  /** With the same nonce Redis returns the same jobs: the answer may have been lost. */
  async #take(limit: number): Promise<readonly Taken[]> {
    const { connections, settings, ports } = this.#parts;
    const { leaseMs, poisonAfter, crashDelayMs } = settings;
    const nonce = ports.newId();
    const bounds = [limit, leaseMs, poisonAfter, crashDelayMs, this.#suspects > 0 ? 0 : 1];
    const ask = () => connections.run("take", nonce, this.#name, ports.wallNow(), ...bounds);
    return (await this.#steadily(ask, () => this.#isClosing).catch(() => [])) as readonly Taken[];
  }

  #start(taken: Taken): void {
    // What is left undone is found when its lease is over.
    const end = this.#deliver(taken)
      .catch((fault) => this.#report(fault))
      .finally(() => this.#ends.delete(end));
    this.#ends.add(end);
  }

  async #deliver([how, epoch, values, body]: Taken): Promise<void> {
    const fields = fieldsOf(JOB_FIELDS, values);
    const job = jobOf(fields);
    if (job === undefined) return;
    if (how === "poison") return this.#poison(job, epoch);
    return this.#run(job, fields, fieldsOf(BODY_FIELDS, body), epoch);
  }

  async #run(job: Job, fields: Fields, body: Fields, epoch: number): Promise<void> {
    const { id, crashes } = job;
    // It was lost to this very worker, which has been busy for longer than its lease.
    drop(this.#held.get(id));
    const held: Held = { id, epoch, controller: new AbortController() };
    const isSuspect = crashes >= SUSPECT_FROM;
    this.#held.set(id, held);
    this.#running++;
    if (isSuspect) this.#suspects++;
    const verdict = await this.#verdictOf(held, job, fields, body);
    this.#running--;
    this.#makeRoom();
    try {
      await this.#end(held, verdict);
    } finally {
      if (this.#held.get(id) === held) this.#held.delete(id);
      if (isSuspect) this.#suspects--;
      // Another one may be waiting for its place.
      if (isSuspect) this.#bell.wake();
    }
  }

  /** Undefined: the runner itself failed. */
  async #verdictOf(held: Held, job: Job, fields: Fields, body: Fields): Promise<Verdict | undefined> {
    const { run, ports } = this.#parts;
    if (this.#isClosing) return { type: "released" };
    try {
      const running: Job = { ...job, state: "running", updatedAt: ports.wallNow() };
      return await run(deliveryOf(running, fields, body, held.controller.signal));
    } catch (fault) {
      ports.reportFault(fault, "jobs");
      return undefined;
    }
  }

  async #end({ id, epoch }: Held, verdict: Verdict | undefined): Promise<void> {
    const { connections, alarms, ports } = this.#parts;
    // Its lease is over at once, so the next worker counts a crash.
    if (verdict === undefined) return void (await this.#steadily(() => connections.run("renew", 0, id, epoch)));
    if (verdict.type === "released") {
      return void (await this.#steadily(() => connections.run("release", id, epoch, ports.wallNow())));
    }
    const committed = await this.#commit(id, epoch, verdict);
    if (typeof committed?.until !== "number") return;
    // Without it the end of the wait is seen at the next look.
    await within(FAREWELL_MS, alarms.set(id, epoch, committed.until - ports.wallNow()));
  }

  async #poison(job: Job, epoch: number): Promise<void> {
    const crashes = job.crashes + 1;
    const failure = poisonFailure(crashes, job.failure);
    const receipt = endedReceipt(job.id, job.receipt, "gave-up");
    await this.#commit(job.id, epoch, { type: "failed", failure, receipt }, crashes);
  }

  /** Undefined: the job is no longer this worker's. */
  async #commit(
    id: string,
    epoch: number,
    verdict: Exclude<Verdict, { type: "released" }>,
    poisonCrashes?: number,
  ): Promise<Outcome | undefined> {
    const { connections, ports, settings } = this.#parts;
    const outcome = outcomeOf(verdict, settings.maxBytes);
    const { state, attempts, failure, receipt, result, saved, until } = outcome;
    const texts = [failure ?? "", receipt, result ?? "", saved ?? "", until ?? ""];
    const isPoison = poisonCrashes === undefined ? 0 : 1;
    const done = await this.#steadily(() =>
      connections.run("commit", id, epoch, state, ports.wallNow(), attempts, ...texts, isPoison, poisonCrashes ?? 0),
    );
    return done === 1 ? outcome : undefined;
  }

  /** A result was paid for: while Redis is away, it is offered again and again. Every script may run twice. */
  async #steadily(command: () => Promise<unknown>, isOver = () => this.#isLeaving): Promise<unknown> {
    for (;;) {
      try {
        const answer = await command();
        this.#isReported = false;
        return answer;
      } catch (fault) {
        if (isOver()) throw fault;
        this.#report(fault);
        await pause(RETRY_PAUSE_MS);
      }
    }
  }

  /** What Redis refuses (its memory or its disk is full) is reported once, until it works again. Its connections report outages. */
  #report(fault: unknown): void {
    if (this.#isReported || this.#isClosing || fault instanceof JobsError) return;
    this.#isReported = true;
    this.#parts.ports.reportFault(fault, "jobs");
  }

  /** Those that end in one tick make room together, after their ends are on the way. */
  #makeRoom(): void {
    const tell = this.#madeRoom;
    this.#madeRoom = undefined;
    if (tell !== undefined) setImmediate(tell);
  }

  /** One at a time: while Redis does not answer, they would pile up. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const held = [...this.#held.values()];
    for (let at = 0; at < held.length; at += RENEW_AT_ONCE) {
      const sent = held.slice(at, at + RENEW_AT_ONCE);
      const pairs = sent.flatMap(({ id, epoch }) => [id, epoch]);
      const answer = this.#parts.connections.run("renew", this.#parts.settings.leaseMs, ...pairs);
      // A lease that could not be renewed is still the worker's until another one has the job.
      const lost = new Set((await answer.catch(() => [])) as readonly string[]);
      // Meanwhile the worker may have a later delivery of the same job.
      for (const one of sent) if (lost.has(one.id)) drop(one);
    }
    this.#isRenewing = false;
  }

  readonly #onReunion = (): void => void this.#renew();

  /** The message has the job and its delivery: it may come after the job was retried, and taken again. */
  readonly #onMessage = (channel: string, message: string): void => {
    if (channel !== this.#parts.key("cancelled")) return;
    const [id = "", epoch] = message.split(" ");
    const held = this.#held.get(id);
    if (held?.epoch === Number(epoch)) drop(held);
  };
}

function drop(held: Held | undefined): void {
  held?.controller.abort(new Error("The job is no longer this worker's"));
}
