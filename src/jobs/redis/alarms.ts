import { Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import type { Connections } from "./connect.ts";
import { within } from "./within.ts";

const QUEUE = "jobs";
/** Waits that end at the same time are told of so many at a time. */
const CONCURRENCY = 20;
/** How long BullMQ may take to say goodbye to a Redis that does not answer. */
const FAREWELL_MS = 3000;

/**
 * A wait is a delayed job of BullMQ: when its time has come, one of the workers rings, and one that is idle takes the job. Only waits
 * use BullMQ. When a job is due stands in our own keys, so an alarm that is lost, comes twice or comes too late does no harm.
 */
export class Alarms {
  readonly #prefix: string;
  readonly #connections: Connections;
  #connection: Redis | undefined;
  #queue: Queue | undefined;

  constructor(connections: Connections, prefix: string) {
    this.#connections = connections;
    this.#prefix = prefix;
  }

  /** Each wait has an alarm of its own, so that one of an earlier wait that is still there does not count for the next. */
  async set(id: string, epoch: number, delayMs: number): Promise<void> {
    const kept = { removeOnComplete: true, removeOnFail: true };
    const delay = Math.max(0, Math.ceil(delayMs));
    await this.#open().add("wait", {}, { jobId: alarmOf(id, epoch), delay, ...kept });
  }

  /** The wait has ended otherwise. */
  async unset(id: string, epoch: number | string): Promise<void> {
    await this.#open().remove(alarmOf(id, epoch));
  }

  /** Rings when a wait is over, until the returned function is called. */
  listen(ring: () => Promise<unknown>): () => Promise<void> {
    const worker = new Worker(QUEUE, ring, {
      connection: this.#share(),
      ...{ prefix: this.#prefix, concurrency: CONCURRENCY, runRetryDelay: 1000 },
    });
    // Faults of the connection are reported once for all.
    worker.on("error", () => undefined);
    return async () => {
      if (!(await within(FAREWELL_MS, worker.close()))) await within(FAREWELL_MS, worker.disconnect());
    };
  }

  async close(): Promise<void> {
    if (this.#queue !== undefined) await within(FAREWELL_MS, this.#queue.close());
  }

  #open(): Queue {
    if (this.#queue !== undefined) return this.#queue;
    this.#queue = new Queue(QUEUE, { connection: this.#share(), prefix: this.#prefix });
    this.#queue.on("error", () => undefined);
    return this.#queue;
  }

  #share(): Redis {
    this.#connection ??= this.#connections.open();
    return this.#connection;
  }
}

function alarmOf(id: string, epoch: number | string): string {
  return `${id}~${epoch}`;
}
