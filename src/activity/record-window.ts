import type { GenerationHandle } from "../kernel/index.ts";
import type { ActivityRecord } from "../wire/http/activity.ts";
import type { GenerationFacts } from "./activity.ts";
import { Entry } from "./entry.ts";
import { PackedRecords } from "./packed-records.ts";
import { plainRecord } from "./plain-record.ts";

/**
 * Every generation that is under way, and the newest of those that have ended. Arrays whose places are used again, not maps: a map that
 * changes with every generation is copied again and again, and old copies keep what has left alive. People look at it a few times a
 * second at most, so that is when it is sorted and searched.
 */
export class RecordWindow {
  readonly #limit: number;
  readonly #running: (Entry | undefined)[] = [];
  #runningCount = 0;
  /** A ring once it is full: the one that ended first is overwritten. Undefined: it is packed, until it is read. */
  #ended: (Entry | undefined)[] = [];
  readonly #packed: PackedRecords;
  #next = 0;
  /** Those of earlier processes count down from zero. */
  #order = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#packed = new PackedRecords(limit);
  }

  add(facts: GenerationFacts, handle: GenerationHandle): Entry {
    const entry = Entry.begin(facts, ++this.#order, handle);
    entry.place = this.#runningCount;
    this.#running[this.#runningCount++] = entry;
    return entry;
  }

  /** It has ended: its handle is let go, and the oldest that has ended makes room. */
  end(entry: Entry): void {
    entry.handle = undefined;
    if (entry.place < 0) return;
    this.#leave(entry);
    if (this.#limit === 0) return;
    this.#ended[this.#next] = this.#pack(entry) ? undefined : entry;
    this.#next = (this.#next + 1) % this.#limit;
  }

  #pack(entry: Entry): boolean {
    const plain = entry.plain();
    // Made now, the record lets go of all that was heard.
    if (plain === undefined) void entry.record;
    else this.#packed.put(this.#next, entry.order, entry.facts, plain);
    return plain !== undefined;
  }

  /** Something was heard of it after its end: it is what counts from now on. */
  revive(entry: Entry): void {
    const packed = this.#packed;
    const place = this.#ended.findIndex((known, at) => (known?.order ?? packed.orderAt(at)) === entry.order);
    if (place !== -1) this.#ended[place] = entry;
  }

  /** Records of earlier processes, the newest first. They come before all others. */
  restore(records: readonly ActivityRecord[]): void {
    if (records.length === 0) return;
    const earlier = records.map((record, at) => Entry.of(record, -at)).toReversed();
    const ended = [...earlier, ...this.#unpacked().toSorted(byOrder)].slice(-this.#limit);
    this.#ended = this.#limit === 0 ? [] : ended;
    this.#next = this.#limit === 0 ? 0 : ended.length % this.#limit;
  }

  /** A caller may name two generations alike: the newer one counts. */
  find(id: string): Entry | undefined {
    let found: Entry | undefined;
    const packed = this.#packed;
    // The others need not be unpacked.
    const ended = this.#ended.map((entry, at) => entry ?? (packed.idAt(at) === id ? this.#unpack(at) : undefined));
    for (const entry of [...ended.filter((entry) => entry !== undefined), ...this.#underWay()])
      if (entry.record.id === id && (found === undefined || entry.order > found.order)) found = entry;
    return found;
  }

  running(): readonly ActivityRecord[] {
    return withoutTwins(this.#underWay().toSorted(byOrder)).map(({ record }) => record);
  }

  /** The newest first. */
  newestFirst(): readonly ActivityRecord[] {
    return withoutTwins(this.#all().toSorted(byOrder).reverse()).map(({ record }) => record);
  }

  #underWay(): Entry[] {
    return this.#running.slice(0, this.#runningCount) as Entry[];
  }

  #all(): Entry[] {
    return [...this.#unpacked(), ...this.#underWay()];
  }

  #unpacked(): Entry[] {
    return this.#ended.map((entry, at) => entry ?? this.#unpack(at));
  }

  /** What was read once is likely to be read again. */
  #unpack(place: number): Entry {
    const packed = this.#packed;
    const entry = Entry.of(plainRecord(packed.factsAt(place), packed.at(place)), packed.orderAt(place));
    this.#ended[place] = entry;
    return entry;
  }

  #leave(entry: Entry): void {
    const last = this.#running[--this.#runningCount] as Entry;
    this.#running[this.#runningCount] = undefined;
    if (last !== entry) {
      this.#running[entry.place] = last;
      last.place = entry.place;
    }
    entry.place = -1;
  }
}

function byOrder(one: Entry, other: Entry): number {
  return one.order - other.order;
}

/** The newest of those that have one id. */
function withoutTwins(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) {
    const known = newest.get(entry.record.id);
    if (known === undefined || entry.order > known.order) newest.set(entry.record.id, entry);
  }
  return newest.size === entries.length ? entries : entries.filter((entry) => newest.get(entry.record.id) === entry);
}
