import type { Assembly } from "../../assembly/index.ts";
import { ExperienceBook } from "../../session/experience-book.ts";
import type { ConsoleScreen } from "./console-screen.ts";
import type { Conversation } from "./conversation.ts";
import { RetryMetrics } from "./retry-metrics.ts";

/** What exchanges and commands of one console share. */
export class Talk {
  readonly assembly: Assembly;
  readonly conversation: Conversation;
  readonly screen: ConsoleScreen;
  readonly metrics = new RetryMetrics();
  /** `provider/model` that answers. */
  model: string;
  #experience: Promise<ExperienceBook> | undefined;

  constructor(parts: Pick<Talk, "assembly" | "conversation" | "screen" | "model">) {
    this.assembly = parts.assembly;
    this.conversation = parts.conversation;
    this.screen = parts.screen;
    this.model = parts.model;
  }

  /** Read once, and only if waits are to learn. */
  experience(): Promise<ExperienceBook> {
    const { store, ports } = this.assembly;
    this.#experience ??= ExperienceBook.open(store.experience, ports);
    return this.#experience;
  }
}
