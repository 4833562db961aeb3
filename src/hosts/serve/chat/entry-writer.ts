import type { Ports } from "../../../kernel/index.ts";
import type { ConversationStore } from "../../../store/index.ts";
import type { Redact, SessionEntry } from "../../../wire/index.ts";

interface WriterInput {
  readonly conversationId: string;
  readonly conversations: Pick<ConversationStore, "append">;
  readonly redact: Redact;
  readonly ports: Pick<Ports, "reportFault">;
}

/** Appends the entries of one turn in their order. */
export class EntryWriter {
  readonly #input: WriterInput;
  #tail: Promise<void> = Promise.resolve();
  /** What the store could not take: it goes with the next entry, so that no answer is stored without its question. */
  #missed: readonly SessionEntry[] = [];

  constructor(input: WriterInput) {
    this.#input = input;
  }

  /** All of these entries or none: rejects with the store's error. */
  write(entries: readonly SessionEntry[]): Promise<void> {
    const written = this.#tail.then(() => this.#append(entries));
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** A store that fails costs memory, not the turn. */
  keep(entry: SessionEntry): Promise<void> {
    return this.write([entry]).catch((fault) => {
      this.#missed = [...this.#missed, entry];
      this.#input.ports.reportFault(fault, "conversation store");
    });
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
