import type { Redis } from "ioredis";
import type { Ports } from "../../kernel/index.ts";
import type { Job } from "../job.ts";

type Listener = (job: Job) => void;

/** Tells listeners of jobs that have changed, in any process. Redis publishes ids; the job is read once for all listeners. */
export class Changes {
  readonly #subscriber: Redis;
  readonly #channel: string;
  readonly #get: (id: string) => Promise<Job | undefined>;
  readonly #ports: Pick<Ports, "reportFault">;
  readonly #listeners = new Set<Listener>();
  /** Ids that are being read; true: they have changed again meanwhile. */
  readonly #reading = new Map<string, boolean>();
  #listening: Promise<void> | undefined;

  constructor(
    subscriber: Redis,
    channel: string,
    get: (id: string) => Promise<Job | undefined>,
    ports: Pick<Ports, "reportFault">,
  ) {
    this.#subscriber = subscriber;
    this.#channel = channel;
    this.#get = get;
    this.#ports = ports;
  }

  /** Resolves once changes are heard. */
  listen(): Promise<void> {
    this.#listening ??= this.#subscribe();
    return this.#listening;
  }

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.listen().catch((fault) => this.#ports.reportFault(fault, "jobs"));
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
  }

  async #subscribe(): Promise<void> {
    this.#subscriber.on("message", (channel, ids) => {
      if (channel !== this.#channel || this.#listeners.size === 0) return;
      for (const id of ids.split(" ")) void this.#read(id);
    });
    try {
      await this.#subscriber.subscribe(this.#channel);
    } catch (fault) {
      this.#listening = undefined;
      throw fault;
    }
  }

  async #read(id: string): Promise<void> {
    if (this.#reading.has(id)) return void this.#reading.set(id, true);
    this.#reading.set(id, false);
    const job = await this.#get(id).catch(() => undefined);
    const isOld = this.#reading.get(id);
    this.#reading.delete(id);
    if (job !== undefined) this.#tell(job);
    if (isOld === true) await this.#read(id);
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
}
