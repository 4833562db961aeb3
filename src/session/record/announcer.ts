import { deepFreeze } from "../../kernel/model/check.ts";
import type { Redact, SessionEvent } from "../../wire/index.ts";

/** Hears the events of a session. What it answers is not waited for. */
export type SessionListener = (event: SessionEvent) => unknown;

/** Announces to every subscriber: one that throws, rejects or hangs does not affect the others. */
export class Announcer {
  // Boxed, so that the same listener may be subscribed twice and each subscription ends by itself.
  readonly #subscriptions = new Set<{ readonly hear: SessionListener }>();
  readonly #reportFault: (fault: unknown, where: string) => void;
  readonly #redact: Redact;

  constructor(reportFault: (fault: unknown, where: string) => void, redact: Redact) {
    this.#reportFault = reportFault;
    this.#redact = redact;
  }

  subscribe(hear: SessionListener): () => void {
    const subscription = { hear };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  }

  /** Everyone has the same object, and its message is in the context too: no subscriber may change it under the others. */
  #protect(event: SessionEvent): void {
    try {
      deepFreeze(event);
    } catch (fault) {
      // Something that can't be frozen came from a provider: told all the same.
      this.#reportFault(fault, "session event");
    }
  }

  announce(told: SessionEvent): void {
    const event = this.#redact(told);
    this.#protect(event);
    for (const { hear } of this.#subscriptions) {
      try {
        const answer = hear(event);
        if (answer instanceof Promise) answer.catch((fault) => this.#reportFault(fault, "session listener"));
      } catch (fault) {
        this.#reportFault(fault, "session listener");
      }
    }
  }
}
