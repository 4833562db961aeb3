import type { Ports } from "../../../kernel/index.ts";
import type { ConversationStore } from "../../../store/index.ts";
import type { Redact, SessionEntry } from "../../../wire/index.ts";

interface WriterInput {
  readonly conversationId: string;
  readonly conversations: Pick<ConversationStore, "append">;
  readonly redact: Redact;
  readonly ports: Pick<Ports, "reportFault">;
}

interface Waiting {
  readonly entries: readonly SessionEntry[];
  /** If the store fails, it is written later, not refused. */
  readonly isKept: boolean;
  done(): void;
  failed(fault: unknown): void;
}

/**
 * Appends the entries of one turn in their order. What is said in one round of the event loop, or while the store is busy, goes
 * with one append: the last message of a turn and its end are one wait for the disk.
 */
export class EntryWriter {
  readonly #input: WriterInput;
  #waiting: Waiting[] = [];
  #isWriting = false;
  /** What the store could not take: it goes with the next entry, so that no answer is stored without its question. */
  #missed: readonly SessionEntry[] = [];

  constructor(input: WriterInput) {
    this.#input = input;
  }

  /** All of these entries or none: rejects with the store's error. */
  write(entries: readonly SessionEntry[]): Promise<void> {
    return this.#add(entries, false);
  }

  /** A store that fails costs memory, not the turn. Resolves when it is stored, or not for now. */
  keep(entry: SessionEntry): Promise<void> {
    return this.#add([entry], true);
  }

  #add(entries: readonly SessionEntry[], isKept: boolean): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ entries, isKept, done, failed });
      if (this.#isWriting) return;
      this.#isWriting = true;
      setImmediate(() => void this.#writeAll());
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#append(batch.flatMap(({ entries }) => entries));
        for (const { done } of batch) done();
      } catch {
        for (const one of batch) await this.#writeAlone(one);
      }
    }
    this.#isWriting = false;
  }

  /** Together they were refused: each by itself, so that one is not refused for another. */
  async #writeAlone({ entries, isKept, done, failed }: Waiting): Promise<void> {
    try {
      await this.#append(entries);
      done();
    } catch (fault) {
      if (!isKept) return failed(fault);
      this.#missed = [...this.#missed, ...entries];
      this.#input.ports.reportFault(fault, "conversation store");
      done();
    }
  }

  async #append(entries: readonly SessionEntry[]): Promise<void> {
    const { conversations, conversationId, redact } = this.#input;
    try {
      await conversations.append(conversationId, redact([...this.#missed, ...entries]));
    } catch (fault) {
      if (this.#missed.length === 0) throw fault;
      // If it goes through alone, the store is well, and what was missed is something that it never takes.
      await conversations.append(conversationId, redact(entries));
    }
    this.#missed = [];
  }
}
