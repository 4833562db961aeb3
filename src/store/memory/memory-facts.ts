import { encodeGeneration } from "../check/check-generation.ts";
import { checkText } from "../check/check-text.ts";
import type { ConfigTexts } from "../config/known-config.ts";
import { parseJson } from "../parse-json.ts";
import type {
  CooldownStore,
  Experience,
  ExperienceKey,
  ExperienceStore,
  GenerationStore,
  JournalRecord,
  JournalStore,
  StoredCooldown,
  StoredGeneration,
} from "../store.ts";
import { addOutcome, NO_TALLY, type Outcome, type Tally } from "../tally.ts";

export class MemoryJournal implements JournalStore {
  readonly #limit: number;
  readonly #records: JournalRecord[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async add(record: JournalRecord): Promise<void> {
    const { message } = record;
    this.#records.push({ ...record, ...(message !== undefined && { message: checkText("record.message", message) }) });
    if (this.#records.length > this.#limit) this.#records.shift();
  }

  async list(): Promise<readonly JournalRecord[]> {
    return this.#records.toReversed();
  }
}

export class MemoryGenerations implements GenerationStore {
  readonly #limit: number;
  /** By id, in the order in which they were added. */
  readonly #kept = new Map<string, { readonly number: number; readonly text: string }>();
  #added = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async put(generations: readonly StoredGeneration[]): Promise<void> {
    const encoded = generations.map(encodeGeneration);
    for (const { id, record: text } of encoded) {
      this.#kept.set(id, { number: this.#kept.get(id)?.number ?? ++this.#added, text });
    }
    for (const [id, { number }] of this.#kept) if (number <= this.#added - this.#limit) this.#kept.delete(id);
  }

  async list({
    limit,
    before = Number.POSITIVE_INFINITY,
  }: Parameters<GenerationStore["list"]>[0]): ReturnType<GenerationStore["list"]> {
    const older = [...this.#kept].reverse().filter(([, { number }]) => number < before);
    return older.slice(0, limit).map(([id, { number, text }]) => ({ number, id, record: parseJson(text) }));
  }
}

export class MemoryCooldowns implements CooldownStore {
  readonly #kept = new Map<string, StoredCooldown>();
  readonly #salt = crypto.randomUUID();

  async set(key: string, until: number, since?: number): Promise<void> {
    if (until <= (this.#kept.get(key)?.until ?? -1)) return;
    this.#kept.set(key, { key, until, ...(since !== undefined && { since }) });
  }

  async remove(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  async list(now: number): Promise<readonly StoredCooldown[]> {
    for (const [key, { until }] of this.#kept) if (until <= now) this.#kept.delete(key);
    return [...this.#kept.values()];
  }

  async salt(): Promise<string> {
    return this.#salt;
  }
}

export class MemoryExperience implements ExperienceStore {
  readonly #tallies = new Map<string, ExperienceKey & Tally>();

  async add(outcome: Outcome): Promise<void> {
    const { provider, endpoint, status } = outcome;
    const key = JSON.stringify([provider, endpoint, status]);
    const tally = addOutcome(this.#tallies.get(key) ?? NO_TALLY, outcome);
    this.#tallies.set(key, { provider, endpoint, status, ...tally });
  }

  async list(): Promise<readonly Experience[]> {
    return [...this.#tallies.values()].map(({ waitedMs, ...counts }) => ({
      ...counts,
      meanWaitMs: counts.successes === 0 ? 0 : waitedMs / counts.successes,
    }));
  }
}

export function memoryConfigTexts(): ConfigTexts {
  const texts = new Map<string, string>();
  return {
    read: async (key) => texts.get(key),
    write: async (changes) => {
      for (const [key, text] of changes) {
        if (text === undefined) texts.delete(key);
        else texts.set(key, text);
      }
    },
    names: async () => [...texts.keys()],
  };
}
