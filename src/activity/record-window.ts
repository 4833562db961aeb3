import type { GenerationHandle } from "../kernel/index.ts";
import type { ActivityRecord } from "../wire/http/activity.ts";

/** A generation that is remembered. */
export interface Entry {
  record: ActivityRecord;
  /** While it is under way. */
  handle: GenerationHandle | undefined;
}

/** Every generation that is under way, and the newest of those that have ended, in the order in which they started. */
export class RecordWindow {
  readonly #limit: number;
  /** So many more may gather: to find the oldest costs as much as to remove many. */
  readonly #slack: number;
  #entries = new Map<string, Entry>();
  readonly #running = new Map<string, Entry>();

  constructor(limit: number) {
    this.#limit = limit;
    this.#slack = Math.floor(limit / 20);
  }

  add(record: ActivityRecord, handle: GenerationHandle): Entry {
    const entry: Entry = { record, handle };
    // A caller may name two generations alike: the newer one counts, at its own place.
    this.#entries.delete(record.id);
    this.#entries.set(record.id, entry);
    this.#running.set(record.id, entry);
    return entry;
  }

  /** It has ended: its handle is let go, and the oldest that has ended makes room. */
  end(entry: Entry): void {
    const { id } = entry.record;
    entry.handle = undefined;
    if (this.#running.get(id) === entry) this.#running.delete(id);
    this.#trim();
  }

  /** Records of earlier processes, the newest first. They come before all others. */
  restore(records: readonly ActivityRecord[]): void {
    const later = this.#entries;
    this.#entries = new Map();
    for (const record of records.toReversed()) this.#entries.set(record.id, { record, handle: undefined });
    for (const [id, entry] of later) {
      this.#entries.delete(id);
      this.#entries.set(id, entry);
    }
    this.#trim();
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  running(): readonly ActivityRecord[] {
    return Array.from(this.#running.values(), ({ record }) => record);
  }

  /** The newest first. */
  newestFirst(): readonly ActivityRecord[] {
    return Array.from(this.#entries.values(), ({ record }) => record).reverse();
  }

  #trim(): void {
    let excess = this.#entries.size - this.#running.size - this.#limit;
    if (excess <= this.#slack) return;
    for (const [id, { handle }] of this.#entries) {
      if (handle !== undefined) continue;
      this.#entries.delete(id);
      if (--excess === 0) return;
    }
  }
}
