import type { Ports } from "../kernel/index.ts";
import type { GenerationStore } from "../store/index.ts";
import type { ActivityRecord } from "../wire/http/activity.ts";
import type { Entry } from "./entry.ts";
import { readRecord } from "./read-record.ts";

/** Records that change in this time share a commit. */
const WRITE_EVERY_MS = 250;
/** So many are written or read at once: more would hold up the event loop. */
const AT_ONCE = 200;

/**
 * The journal of generations. A record is written when its generation ends; before that once, and whenever it waits, so that a
 * process that is killed leaves a trace. One that has ended within a moment costs one row.
 */
export class Journal {
  readonly #store: GenerationStore;
  readonly #ports: Pick<Ports, "reportFault">;
  readonly #changed = new Set<Entry>();
  readonly #written = new WeakSet<Entry>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;

  constructor(store: GenerationStore, ports: Pick<Ports, "reportFault">) {
    this.#store = store;
    this.#ports = ports;
  }

  note(entry: Entry): void {
    const { state } = entry.record;
    if (state !== "ended" && state !== "waiting" && this.#written.has(entry)) return;
    this.#changed.add(entry);
    if (this.#timer !== undefined || this.#writing !== undefined) return;
    this.#timer = setTimeout(() => void this.flush(), WRITE_EVERY_MS);
    // What is left is written by `flush` when the process ends.
    this.#timer.unref();
  }

  /** Resolves once everything that was noted is on the disk, or could not be written. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** The records of earlier processes, the newest first by their start; at most `limit`. */
  async read(limit: number): Promise<readonly ActivityRecord[]> {
    const records: ActivityRecord[] = [];
    let before: number | undefined;
    while (records.length < limit) {
      const page = await this.#store.list({ limit: AT_ONCE, ...(before !== undefined && { before }) });
      for (const { record } of page) {
        const read = readRecord(record);
        if (read !== undefined) records.push(read);
      }
      before = page.at(-1)?.number;
      if (page.length < AT_ONCE) break;
      // Other work goes first.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return records.sort((a, b) => b.startedAt - a.startedAt).slice(0, limit);
  }

  /** In order, one commit after another; what changes meanwhile is written as well. */
  async #writeAll(): Promise<void> {
    while (this.#changed.size > 0) {
      const entries = [...this.#changed].slice(0, AT_ONCE);
      for (const entry of entries) {
        this.#changed.delete(entry);
        this.#written.add(entry);
      }
      try {
        await this.#store.put(entries.map(({ record }) => ({ id: record.id, record })));
        this.#isFailing = false;
      } catch (fault) {
        // Once for a row of failures: a full disk would be reported four times a second.
        if (!this.#isFailing) this.#ports.reportFault(fault, "journal");
        this.#isFailing = true;
      }
    }
  }
}
