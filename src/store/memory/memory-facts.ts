import { checkNumber } from "../../kernel/index.ts";
import { checkLimit } from "../check/check-conversation.ts";
import { checkCooldown, checkOutcome, checkRecord, type Outcome } from "../check/check-facts.ts";
import type { ConfigTexts } from "../config/known-config.ts";
import type {
  CooldownStore,
  Experience,
  ExperienceKey,
  ExperienceStore,
  JournalRecord,
  JournalStore,
  StoredCooldown,
} from "../store.ts";
import { addOutcome, NO_TALLY, type Tally } from "../tally.ts";

export class MemoryJournal implements JournalStore {
  readonly #limit: number;
  readonly #records: JournalRecord[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async add(record: JournalRecord): Promise<void> {
    this.#records.push(checkRecord(record));
    if (this.#records.length > this.#limit) this.#records.shift();
  }

  async list(
    options: { readonly generationId?: string; readonly limit?: number } = {},
  ): Promise<readonly JournalRecord[]> {
    const { generationId, limit } = options;
    const newestFirst = this.#records.toReversed();
    const wanted =
      generationId === undefined ? newestFirst : newestFirst.filter((record) => record.generationId === generationId);
    return wanted.slice(0, checkLimit(limit)).map((record) => ({ ...record }));
  }
}

export class MemoryCooldowns implements CooldownStore {
  readonly #kept = new Map<string, StoredCooldown>();
  #salt: string | undefined;

  async set(key: string, until: number, since?: number): Promise<void> {
    const cooldown = checkCooldown(key, until, since);
    if (cooldown.until > (this.#kept.get(key)?.until ?? -1)) this.#kept.set(key, cooldown);
  }

  async remove(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  async list(now: number): Promise<readonly StoredCooldown[]> {
    checkNumber("now", now, { min: 0 });
    for (const [key, { until }] of this.#kept) if (until <= now) this.#kept.delete(key);
    return [...this.#kept.values()].map((cooldown) => ({ ...cooldown }));
  }

  async salt(): Promise<string> {
    this.#salt ??= crypto.randomUUID();
    return this.#salt;
  }
}

export class MemoryExperience implements ExperienceStore {
  readonly #tallies = new Map<string, ExperienceKey & Tally>();

  async add(outcome: Outcome): Promise<void> {
    const { provider, endpoint, status, ...end } = checkOutcome(outcome);
    // NUL is refused in each of them, so two different keys never meet.
    const key = [provider, endpoint, status].join("\0");
    const tally = addOutcome(this.#tallies.get(key) ?? NO_TALLY, end);
    this.#tallies.set(key, { provider, endpoint, status, ...tally });
  }

  async list(): Promise<readonly Experience[]> {
    return [...this.#tallies.values()].map(({ waitedMs, ...counts }) => ({
      ...counts,
      meanWaitMs: counts.successes === 0 ? 0 : waitedMs / counts.successes,
    }));
  }
}

export class MemoryConfigTexts implements ConfigTexts {
  readonly #texts = new Map<string, string>();

  async read(key: string): Promise<string | undefined> {
    return this.#texts.get(key);
  }

  async write(key: string, text: string): Promise<void> {
    this.#texts.set(key, text);
  }

  async remove(key: string): Promise<void> {
    this.#texts.delete(key);
  }
}
