import type { Ports } from "../../kernel/index.ts";
import { addEntry, type Context, readEntries } from "../../session/context.ts";
import type { ConversationStore } from "../../store/index.ts";
import type { AssistantMessage, Message, Redact, SessionEntry } from "../../wire/index.ts";

export interface ConversationParts {
  readonly conversations: ConversationStore;
  readonly redact: Redact;
  readonly ports: Ports;
  /** Told once when something could not be written: the talk goes on. */
  readonly onUnsaved: () => void;
}

const MOST_TITLE_CHARS = 60;

/** What was said, in memory and in the store. A failing answer is in the store only: the model is not told of it. */
export class Conversation {
  readonly id: string;
  readonly #parts: ConversationParts;
  #context: Context;
  #isCreated: boolean;
  #isUnsaved = false;

  private constructor(id: string, parts: ConversationParts, known: readonly SessionEntry[] | undefined) {
    this.id = id;
    this.#parts = parts;
    this.#context = (known ?? []).reduce<Context>(addEntry, []);
    this.#isCreated = known !== undefined;
  }

  /** A new one, or one that is taken up where it was left. */
  static async open(parts: ConversationParts, id = parts.ports.newId()): Promise<Conversation> {
    const exists = (await parts.conversations.get(id)) !== undefined;
    const known = exists ? readEntries(await parts.conversations.read(id)) : undefined;
    return new Conversation(id, parts, known);
  }

  get messages(): readonly Message[] {
    return this.#context;
  }

  /** The model of the last answer, for a conversation that is taken up again. */
  get lastModel(): string | undefined {
    const answer = this.#context.findLast((message): message is AssistantMessage => message.role === "assistant");
    return answer?.model;
  }

  /** Resolves when it is on the disk, or is known not to get there. */
  async add(message: Message): Promise<void> {
    await this.#keep({ type: "message", data: message }, titleOf(message));
  }

  /** What a person chose. Before the first question there is nothing to write it in: nobody wants a list of empty ones. */
  async changeModel(from: string, to: string): Promise<void> {
    const data = { from, to, role: "default", reason: "chosen" } as const;
    if (this.#isCreated) await this.#keep({ type: "model_change", data }, "");
  }

  async #keep(said: SessionEntry, title: string): Promise<void> {
    const { redact, conversations, ports, onUnsaved } = this.#parts;
    const entry = redact(said);
    this.#context = addEntry(this.#context, entry);
    try {
      if (!this.#isCreated) await conversations.create({ id: this.id, title });
      this.#isCreated = true;
      await conversations.append(this.id, [entry]);
    } catch (fault) {
      ports.reportFault(fault, "conversation store");
      if (!this.#isUnsaved) onUnsaved();
      this.#isUnsaved = true;
    }
  }
}

function titleOf(message: Message): string {
  const text = message.role === "user" ? message.content : "";
  return text.trim().replace(/\s+/g, " ").slice(0, MOST_TITLE_CHARS) || "New conversation";
}
