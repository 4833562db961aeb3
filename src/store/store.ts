import type { ConfigName, ConfigValues } from "./config/config-keys.ts";

/** What outlives the process. Everything here has been written to the disk when the promise resolves. */
export interface Store {
  readonly config: ConfigStore;
  readonly conversations: ConversationStore;
  readonly journal: JournalStore;
  readonly cooldowns: CooldownStore;
  readonly experience: ExperienceStore;
  /** False: the store ends with the process. */
  readonly isPersistent: boolean;
  close(): Promise<void>;
}

/** Settings by name: C5's `api_retry_max_delay` and its like. What a key allows is checked when it is set. */
export interface ConfigStore {
  /** The value, or the default. An unknown key is an error that lists the known ones. */
  get<K extends string>(key: K): Promise<K extends ConfigName ? ConfigValues[K] : unknown>;
  set(key: string, value: unknown): Promise<void>;
  /** Back to the default. */
  remove(key: string): Promise<void>;
  /** Every known key with its value or default. */
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
  /** Whatever JSON can say; what is read back is what JSON made of it. */
  readonly data: unknown;
}

export interface ConversationSummary {
  readonly id: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly entries: number;
}

/** All but `get` and `list` refuse a conversation that is not there. */
export interface ConversationStore {
  create(conversation: { readonly id: string; readonly title: string }): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  get(id: string): Promise<ConversationSummary | undefined>;
  /** Newest first. */
  list(options?: { readonly limit?: number }): Promise<readonly ConversationSummary[]>;
  /** All of them or none, in this order; answers the seq of the last one. */
  append(id: string, entries: readonly NewEntry[]): Promise<number>;
  read(id: string, options?: { readonly afterSeq?: number; readonly limit?: number }): Promise<readonly Entry[]>;
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

/** Bounded: the newest are kept, and older ones make room for them. */
export interface JournalStore {
  add(record: JournalRecord): Promise<void>;
  /** Newest first. */
  list(options?: { readonly generationId?: string; readonly limit?: number }): Promise<readonly JournalRecord[]>;
}

export interface StoredCooldown {
  readonly key: string;
  /** Epoch milliseconds. */
  readonly until: number;
  /** When it was reported. Left out: nobody knows. */
  readonly since?: number;
}

/** Cooldowns of credentials and models, by key, until an epoch millisecond. A second report keeps the later one. */
export interface CooldownStore {
  set(key: string, until: number, since?: number): Promise<void>;
  /** Forgets it, whatever its deadline is. */
  remove(key: string): Promise<void>;
  /** Those that are not over at `now`; the others are dropped. */
  list(now: number): Promise<readonly StoredCooldown[]>;
  /** At random, and the same for as long as the store is there: for fingerprints that mean nothing in another one. */
  salt(): Promise<string>;
}

/** How retries fared, per provider, endpoint and status: what adaptive delays learn from. Old outcomes count ever less. */
export interface ExperienceStore {
  add(outcome: ExperienceKey & { readonly ok: boolean; readonly waitedMs: number }): Promise<void>;
  list(): Promise<readonly Experience[]>;
}

export interface ExperienceKey {
  readonly provider: string;
  /** `chat` or `embeddings`. */
  readonly endpoint: string;
  /** The HTTP status, or the failure's kind where there was none. */
  readonly status: string;
}

export interface Experience extends ExperienceKey {
  readonly successes: number;
  readonly failures: number;
  /** Mean wait before a retry that worked, in milliseconds. */
  readonly meanWaitMs: number;
}
