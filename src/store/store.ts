import type { ConfigName, ConfigValues } from "./config/config-keys.ts";

/** What outlives the process. When a promise resolves, its change is on the disk. */
export interface Store {
  readonly config: ConfigStore;
  readonly conversations: ConversationStore;
  readonly journal: JournalStore;
  readonly generations: GenerationStore;
  readonly cooldowns: CooldownStore;
  readonly experience: ExperienceStore;
  /** False: the store ends with the process. */
  readonly isPersistent: boolean;
  close(): Promise<void>;
}

/** For tests. */
export interface StoreOptions {
  /** Epoch milliseconds; default `Date.now`. */
  readonly wallNow?: () => number;
  /** How many attempts the journal holds, and how many generations; default 10,000. */
  readonly journalLimit?: number;
}

/** Some megabytes, and weeks of a busy chat. */
export const JOURNAL_LIMIT = 10_000;

/** Settings by name, such as `api_retry_max_delay` (C5). A value is checked when it is set. */
export interface ConfigStore {
  /** The value, or the default. An unknown key throws an error that lists the known ones. */
  get<K extends string>(key: K): Promise<K extends ConfigName ? ConfigValues[K] : unknown>;
  set(key: string, value: unknown): Promise<void>;
  /** Several at once, all of them or none. `null`: back to the default. */
  setAll(values: Readonly<Record<string, unknown>>): Promise<void>;
  /** Back to the default. */
  remove(key: string): Promise<void>;
  /** One key with its value or default. An unknown key throws. */
  entry(key: string): Promise<ConfigEntry>;
  /** Every known key with its value or default, and the keys that are set for one provider. */
  list(): Promise<readonly ConfigEntry[]>;
}

export interface ConfigEntry {
  readonly key: string;
  readonly value: unknown;
  /** Nothing usable is stored: `value` is the default. */
  readonly isDefault: boolean;
  readonly description: string;
  /** What may be set, in words. */
  readonly allowed: string;
}

/** One thing that happened in a conversation. Entries are only ever added. */
export interface Entry {
  /** 1, 2, 3 … in each conversation, without gaps. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** `message`, `model_change`, `compaction`, … */
  readonly type: string;
  readonly data: unknown;
}

export interface NewEntry {
  readonly type: string;
  /** Any JSON value. Reading returns what JSON made of it. */
  readonly data: unknown;
}

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly entries: number;
}

/** All but `get` and `list` throw `unknown-conversation` if the conversation does not exist. */
export interface ConversationStore {
  create(conversation: { readonly id: string; readonly title: string }): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  get(id: string): Promise<ConversationSummary | undefined>;
  /** Newest first. */
  list(options?: { readonly limit?: number }): Promise<readonly ConversationSummary[]>;
  /** All of them or none, in this order. Returns the `seq` of the last one. */
  append(id: string, entries: readonly NewEntry[]): Promise<number>;
  /** In order. `last`: only so many, from the end. */
  read(id: string, options?: { readonly last?: number }): Promise<readonly Entry[]>;
  /** Deletes the conversation and its entries. */
  remove(id: string): Promise<void>;
}

/** One attempt, as it ended. */
export interface JournalRecord {
  readonly at: number;
  readonly generationId: string;
  readonly conversationId?: string;
  readonly attempt: number;
  readonly provider: string;
  readonly model: string;
  readonly credential: string;
  readonly ok: boolean;
  readonly kind?: string;
  readonly status?: number;
  readonly message?: string;
  readonly durationMs: number;
  readonly waitedMs: number;
}

/** Bounded: the newest records replace the oldest. */
export interface JournalStore {
  add(record: JournalRecord): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly JournalRecord[]>;
}

/** A generation, as it stood when it was written last. */
export interface StoredGeneration {
  readonly id: string;
  /** Any JSON value. Reading returns what JSON made of it; undefined: it was damaged. */
  readonly record: unknown;
}

/** Bounded: the newest generations replace the oldest. */
export interface GenerationStore {
  /** Adds them, or replaces those with the same id. All of them or none. */
  put(generations: readonly StoredGeneration[]): Promise<void>;
  /** Those that were added last, the newest first. `before`: only those added before the one with this number. */
  list(options: {
    readonly limit: number;
    readonly before?: number;
  }): Promise<readonly (StoredGeneration & { readonly number: number })[]>;
}

export interface StoredCooldown {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** When it was reported. Absent: unknown. */
  readonly since?: number;
}

/** Cooldowns of credentials and models, by key, until an epoch millisecond. A second report keeps the later one. */
export interface CooldownStore {
  set(key: string, until: number, since?: number): Promise<void>;
  remove(key: string): Promise<void>;
  /** Those that are not over at `now`. The others are deleted. */
  list(now: number): Promise<readonly StoredCooldown[]>;
  /** Random, and the same for the life of the store: fingerprints made with it mean nothing in another store. */
  salt(): Promise<string>;
}

/** Outcomes of retries per provider, endpoint and status: adaptive delays learn from them. Old outcomes count less and less. */
export interface ExperienceStore {
  add(outcome: ExperienceKey & { readonly ok: boolean; readonly waitedMs: number }): Promise<void>;
  list(): Promise<readonly Experience[]>;
}

export interface ExperienceKey {
  readonly provider: string;
  /** `chat` or `embeddings`. */
  readonly endpoint: string;
  /** The HTTP status, or the failure's kind if there was none. */
  readonly status: string;
}

export interface Experience extends ExperienceKey {
  readonly successes: number;
  readonly failures: number;
  /** Mean wait before a retry that worked, in milliseconds. */
  readonly meanWaitMs: number;
}
