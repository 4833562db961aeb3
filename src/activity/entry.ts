import type { GenerationEvent, GenerationHandle } from "../kernel/index.ts";
import type { ActivityRecord } from "../wire/http/activity.ts";
import type { Usage } from "../wire/index.ts";
import type { GenerationFacts } from "./activity.ts";
import { type Plain, plainRecord, readPlain } from "./plain-record.ts";
import { recordAfter, recordAfterContent, recordAfterUsage, startRecord } from "./record-after.ts";

/** What an entry hears: an event of the engine, the first content of an attempt, or what the answer took. */
export type Heard =
  | GenerationEvent
  | { readonly type: "content"; readonly at: number }
  | { readonly type: "usage"; readonly usage: Usage };

/** More than this is not put off: a generation that retries for hours must not grow. */
const MOST_UNREAD = 16;
const NOTHING: readonly Heard[] = [];

/**
 * A generation that is remembered. What it hears becomes a record when it is read: nearly all generations succeed at once, and are read
 * later or never.
 */
export class Entry {
  /** While it is under way. */
  handle: GenerationHandle | undefined;
  /** Counts generations in the order in which they started. */
  readonly order: number;
  /** Its place among those under way; -1 once it has ended. Written by the window. */
  place = -1;
  readonly facts: GenerationFacts;
  private folded: ActivityRecord | undefined;
  private unread: readonly Heard[] = NOTHING;

  private constructor(facts: GenerationFacts, order: number, handle?: GenerationHandle, record?: ActivityRecord) {
    this.facts = facts;
    this.order = order;
    this.handle = handle;
    this.folded = record;
  }

  static begin(facts: GenerationFacts, order: number, handle: GenerationHandle): Entry {
    return new Entry(facts, order, handle);
  }

  static of(record: ActivityRecord, order: number): Entry {
    return new Entry(record, order, undefined, record);
  }

  hear(heard: Heard): void {
    if (this.unread === NOTHING) this.unread = [heard];
    else (this.unread as Heard[]).push(heard);
    if (this.unread.length >= MOST_UNREAD) this.fold();
  }

  /** What is left to know of it, if it succeeded at once and has not been read. */
  plain(): Plain | undefined {
    return this.folded === undefined ? readPlain(this.unread) : undefined;
  }

  get record(): ActivityRecord {
    return this.unread === NOTHING && this.folded !== undefined ? this.folded : this.fold();
  }

  private fold(): ActivityRecord {
    const { facts, unread } = this;
    const plain = this.plain();
    this.unread = NOTHING;
    this.folded =
      plain === undefined
        ? unread.reduce<ActivityRecord | undefined>((record, heard) => after(facts, record, heard), this.folded)
        : plainRecord(facts, plain);
    return this.folded as ActivityRecord;
  }
}

function after(facts: GenerationFacts, record: ActivityRecord | undefined, heard: Heard): ActivityRecord | undefined {
  switch (heard.type) {
    case "content":
      return record && recordAfterContent(record, heard.at);
    case "usage":
      return record && recordAfterUsage(record, heard.usage);
    default:
      return recordAfter(record ?? startRecord(facts, heard.generationId, heard.at), heard);
  }
}
