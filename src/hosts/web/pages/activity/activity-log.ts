import type { ActivityRecord } from "../../../../wire/http/activity.ts";

/** A row of the list. Plain and mutable: thousands of reactive objects would make every message a long task. */
export interface Entry {
  /** Counts up with every new generation, and down with older pages: names the row for good. */
  readonly serial: number;
  record: ActivityRecord;
}

/** A page that stays open for days must not grow for days. */
const MOST_ENTRIES = 20_000;

/** The generations that the page knows, by the time of their start. */
export class ActivityLog {
  /** Oldest first, so that a new one is appended. */
  readonly entries: Entry[] = [];
  /** Old entries were dropped: the pages of the server no longer join on. */
  isCut = false;
  private readonly byId = new Map<string, Entry>();
  private nextSerial = 1;
  private olderSerial = 0;
  private readonly most: number;

  constructor(most = MOST_ENTRIES) {
    this.most = most;
  }

  /** The serial number of the newest entry. */
  get newest(): number {
    return this.nextSerial - 1;
  }

  get(id: string): Entry | undefined {
    return this.byId.get(id);
  }

  /** Records as they stand now. True: entries were added or dropped, not only changed. */
  apply(records: readonly ActivityRecord[]): boolean {
    let hasAdded = false;
    for (const record of records) {
      const known = this.byId.get(record.id);
      if (known !== undefined) known.record = newer(known.record, record);
      else {
        this.insert({ serial: this.nextSerial++, record });
        hasAdded = true;
      }
    }
    if (hasAdded) this.dropOld();
    return hasAdded;
  }

  /** A page of older records, in any order. Those that are known already stay as they are. */
  addOlder(records: readonly ActivityRecord[]): boolean {
    let hasAdded = false;
    for (const record of records) {
      if (this.byId.has(record.id)) continue;
      this.insert({ serial: this.olderSerial--, record });
      hasAdded = true;
    }
    return hasAdded;
  }

  private insert(entry: Entry): void {
    const { entries } = this;
    this.byId.set(entry.record.id, entry);
    let at = entries.length;
    if (isAfter(entries[at - 1], entry)) at = this.placeOf(entry);
    if (at === entries.length) entries.push(entry);
    else entries.splice(at, 0, entry);
  }

  private placeOf(entry: Entry): number {
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAfter(this.entries[middle], entry)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private dropOld(): void {
    const surplus = this.entries.length - this.most;
    // In larger steps: each one moves the whole array.
    if (surplus < this.most / 20) return;
    for (const { record } of this.entries.splice(0, surplus)) this.byId.delete(record.id);
    this.isCut = true;
  }
}

function isAfter(entry: Entry | undefined, than: Entry): boolean {
  return entry !== undefined && entry.record.startedAt > than.record.startedAt;
}

/** A page of the server may be older than what came live meanwhile: what has ended stays so. */
function newer(known: ActivityRecord, given: ActivityRecord): ActivityRecord {
  return known.state === "ended" && given.state !== "ended" ? known : given;
}
