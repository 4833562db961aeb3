import type { Ports } from "../../../kernel/index.ts";
import type { AgentEvent } from "../../../wire/index.ts";

/** A client of one conversation. Must not block: a slow client is disconnected by its own door. */
export interface Subscriber {
  /** `json` is the event as JSON, made once for all clients. */
  hear(event: AgentEvent, json: string): void;
}

/** Who hears the turns of which conversation, running or to come. */
export class Feeds {
  readonly #reportFault: Ports["reportFault"];
  // Boxed, so that the same subscriber may be added twice and each subscription ends by itself.
  readonly #feeds = new Map<string, Set<{ readonly subscriber: Subscriber }>>();

  constructor({ reportFault }: Pick<Ports, "reportFault">) {
    this.#reportFault = reportFault;
  }

  subscribe(conversationId: string, subscriber: Subscriber): () => void {
    const feed = this.#feeds.get(conversationId) ?? new Set();
    const subscription = { subscriber };
    this.#feeds.set(conversationId, feed.add(subscription));
    return () => {
      feed.delete(subscription);
      if (feed.size === 0 && this.#feeds.get(conversationId) === feed) this.#feeds.delete(conversationId);
    };
  }

  publish(event: AgentEvent): void {
    const feed = this.#feeds.get(event.conversationId);
    if (feed === undefined) return;
    const json = JSON.stringify(event);
    for (const { subscriber } of feed) this.tell(subscriber, event, json);
  }

  /** One that throws does not affect the others. */
  tell(subscriber: Subscriber, event: AgentEvent, json = JSON.stringify(event)): void {
    try {
      subscriber.hear(event, json);
    } catch (fault) {
      this.#reportFault(fault, "chat subscriber");
    }
  }
}
