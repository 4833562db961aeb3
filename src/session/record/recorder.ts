import type { Ports } from "../../kernel/index.ts";
import type { ConversationStore } from "../../store/store.ts";
import type { Redact, SessionEntry, SessionEvent } from "../../wire/index.ts";
import type { Announcer } from "./announcer.ts";
import { addEntry, type Context } from "./context.ts";
import { addTokens, type Tokens } from "./tokens-of.ts";

interface RecorderInput {
  readonly conversationId: string;
  readonly conversations: ConversationStore;
  readonly announcer: Announcer;
  readonly redact: Redact;
  readonly ports: Ports;
  readonly context: Context;
  readonly tokens: Tokens;
  /** Whether the store knows the conversation. A new one is made with its first message, so that the list has no empty ones. */
  readonly exists: boolean;
}

/**
 * Writes and announces in one order: what is announced has been written, and what came first is announced first. The runtime
 * context changes at once; only the telling waits for the disk.
 */
export class Recorder {
  #context: Context;
  #tokens: Tokens;
  #tail: Promise<void> = Promise.resolve();
  #title = "New conversation";
  #isCreated: boolean;
  /** What the store could not take, in order: it goes with the next entry. */
  #missed: readonly SessionEntry[] = [];
  readonly #input: RecorderInput;

  constructor(input: RecorderInput) {
    this.#input = input;
    this.#context = input.context;
    this.#tokens = input.tokens;
    this.#isCreated = input.exists;
  }

  get context(): Context {
    return this.#context;
  }

  get tokens(): Tokens {
    return this.#tokens;
  }

  /** A secret that a tool has read is not sent to a model either: the context is made of what is stored. */
  record(said: SessionEntry, ...events: readonly SessionEvent[]): void {
    const entry = this.#input.redact(said);
    this.#context = addEntry(this.#context, entry);
    this.#tokens = addTokens(this.#tokens, entry);
    this.inTurn(async () => {
      await this.#keep(entry);
      this.#tell(events);
    });
  }

  /**
   * Saves all of these entries or none. `onKept` is called when they are saved, before the events. Rejects with the store's error,
   * and then the session is as it was.
   */
  recordOrRefuse(
    said: readonly SessionEntry[],
    onKept: () => void,
    events: readonly SessionEvent[] = [],
  ): Promise<void> {
    const entries = this.#input.redact(said);
    return new Promise((resolve, reject) => {
      this.inTurn(async () => {
        try {
          await this.#save(entries);
        } catch (fault) {
          return reject(fault);
        }
        this.#context = entries.reduce(addEntry, this.#context);
        resolve();
        onKept();
        this.#tell(events);
      });
    });
  }

  /** Gives the conversation its name in lists. */
  name(title: string): void {
    this.#title = this.#input.redact(title);
    if (!this.#isCreated) return;
    const { conversations, conversationId, ports } = this.#input;
    this.inTurn(async () => {
      await conversations
        .rename(conversationId, this.#title)
        .catch((fault) => ports.reportFault(fault, "conversation store"));
    });
  }

  announce(...events: readonly SessionEvent[]): void {
    if (events.length > 0) this.inTurn(() => this.#tell(events));
  }

  /** Does this when everything said so far has been written and told, and before anything that is said later. */
  inTurn(work: () => void | Promise<void>): void {
    // Nothing in here throws unless the report of a fault does; then the next entry is still written.
    this.#tail = this.#tail.then(work).catch(() => undefined);
  }

  /** Resolves when everything said so far has been written and told. */
  flushed(): Promise<void> {
    return this.#tail;
  }

  /**
   * A store that fails costs memory, not the conversation: listeners are warned. What it missed is written before the next
   * entry, so that no answer is stored without its question, and no answered prompt is sent again.
   */
  async #keep(entry: SessionEntry): Promise<void> {
    const { announcer, ports } = this.#input;
    // A choice alone makes no conversation: it is written with the first message.
    if (!this.#isCreated && entry.type === "model_change") {
      this.#missed = [...this.#missed, entry];
      return;
    }
    try {
      await this.#save([entry]);
    } catch (fault) {
      this.#missed = [...this.#missed, entry];
      ports.reportFault(fault, "conversation store");
      announcer.announce({ type: "warning", code: "not_saved", message: `A ${entry.type} could not be saved` });
    }
  }

  /** If it goes through alone, the store is well, and what was missed is something that it never takes. */
  async #save(entries: readonly SessionEntry[]): Promise<void> {
    const { conversations, conversationId } = this.#input;
    if (!this.#isCreated) await this.#create();
    this.#isCreated = true;
    try {
      await conversations.append(conversationId, [...this.#missed, ...entries]);
    } catch (fault) {
      if (this.#missed.length === 0) throw fault;
      await conversations.append(conversationId, entries);
    }
    this.#missed = [];
  }

  /** Another process may have begun the same conversation meanwhile: then this one continues it. */
  async #create(): Promise<void> {
    const { conversations, conversationId } = this.#input;
    try {
      await conversations.create({ id: conversationId, title: this.#title });
    } catch (fault) {
      if ((await conversations.get(conversationId)) === undefined) throw fault;
    }
  }

  #tell(events: readonly SessionEvent[]): void {
    for (const event of events) this.#input.announcer.announce(event);
  }
}
