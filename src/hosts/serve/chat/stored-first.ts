import type { AgentEvent } from "../../../wire/index.ts";

const ENDS_OF_STEPS: ReadonlySet<AgentEvent["type"]> = new Set(["step-complete", "error"]);

/**
 * Publishes the events of a turn in their order. The end of a step goes out once its messages are stored: a client that has seen it
 * finds them after a crash. Nothing is written for that alone: the last message of a turn is still stored together with its end.
 */
export class StoredFirst {
  readonly #publish: (event: AgentEvent) => void;
  #write: Promise<void> | undefined;
  /** Resolves when the last event that had to wait is published. */
  #last: Promise<void> | undefined;

  constructor(publish: (event: AgentEvent) => void) {
    this.#publish = publish;
  }

  /** Entries are stored in order, so the last write stands for those before it. */
  wrote(write: Promise<void>): void {
    this.#write = write;
  }

  add(event: AgentEvent): void {
    const write = ENDS_OF_STEPS.has(event.type) ? this.#write : undefined;
    if (write === undefined && this.#last === undefined) return this.#publish(event);
    const published = Promise.all([this.#last, write]).then(() => {
      this.#publish(event);
      if (this.#last === published) this.#last = undefined;
    });
    this.#last = published;
  }

  /** Resolves when everything that was added is published. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
