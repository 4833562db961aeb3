import type { Queue } from "bullmq";
import type { Ports } from "../../kernel/index.ts";
import type { Settings } from "../settings.ts";
import type { Connections } from "./connect.ts";

interface RepairParts {
  readonly connections: Connections;
  readonly ports: Ports;
  readonly settings: Settings;
  readonly queueKey: string;
  readonly add: (tickets: readonly string[]) => Promise<void>;
}

const EVERY_MS = 5000;
/** A job that is due for so long and not in the queue was lost between two steps. */
const LATE_MS = 5000;
const AT_ONCE = 1000;
const SWEEP_AT_ONCE = 500;

/** Puts jobs back into the queue whose tickets were lost, and deletes what was kept long enough. Any worker does it. */
export class Repairs {
  readonly #parts: RepairParts;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isBusy = false;

  constructor(parts: RepairParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.#look(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** A ticket that waits in the queue is delivered at once; one that is lost is added again. */
  async promote(queue: Queue, ticket: string): Promise<void> {
    const job = await queue.getJob(ticket);
    if (job === undefined) return this.#parts.add([ticket]);
    // It is not delayed: a worker has it, or is about to delay it and will see that it is due.
    await job.promote().catch(() => undefined);
  }

  async #look(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await this.#repair();
      await this.#sweep();
    } catch {
      // Redis is away: its connections report that, and the next look comes soon.
    } finally {
      this.#isBusy = false;
    }
  }

  async #repair(): Promise<void> {
    const { connections, ports, queueKey, add } = this.#parts;
    for (let offset = 0; ; offset += AT_ONCE) {
      const nowMs = ports.wallNow();
      const answer = await connections.run("repair", "", nowMs - LATE_MS, nowMs, queueKey, offset, AT_ONCE);
      const [looked, ...tickets] = answer as [number, ...string[]];
      const delayed = await Promise.all(tickets.map((ticket) => this.#isDelayed(ticket)));
      await add(tickets.filter((_, at) => delayed[at] === false));
      await Promise.all(tickets.filter((_, at) => delayed[at] === true).map((ticket) => this.#wake(ticket)));
      if (looked < AT_ONCE) return;
    }
  }

  async #isDelayed(ticket: string): Promise<boolean> {
    return (await this.#parts.connections.client.zscore(`${this.#parts.queueKey}:delayed`, ticket)) !== null;
  }

  /** A person has ended the wait, and the process died before it told the queue. Delayed jobs are promoted by their score. */
  async #wake(ticket: string): Promise<void> {
    const { connections, queueKey } = this.#parts;
    await connections.client.zadd(`${queueKey}:delayed`, "XX", 0, ticket);
    await connections.client.zadd(`${queueKey}:marker`, 0, "0");
  }

  async #sweep(): Promise<void> {
    const { connections, ports, settings } = this.#parts;
    const before = ports.wallNow() - settings.keepMs;
    while (Number(await connections.run("sweep", "", before, SWEEP_AT_ONCE)) === SWEEP_AT_ONCE);
  }
}
