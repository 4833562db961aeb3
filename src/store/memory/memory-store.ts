import { checkJournalLimit } from "../check/check-facts.ts";
import { KnownConfig } from "../config/known-config.ts";
import type { Store } from "../store.ts";
import { closedStore } from "../store-error.ts";
import { MemoryConversations } from "./memory-conversations.ts";
import { MemoryConfigTexts, MemoryCooldowns, MemoryExperience, MemoryJournal } from "./memory-facts.ts";

export interface MemoryStoreOptions {
  /** Epoch milliseconds; default `Date.now`. */
  readonly wallNow?: () => number;
  /** Records of attempts that are kept; default 10,000. */
  readonly journalLimit?: number;
}

/** Forgets everything with the process: for tests, and for `:memory:`. Needs no native binary. */
export function memoryStore({ wallNow = Date.now, journalLimit }: MemoryStoreOptions = {}): Store {
  let isOpen = true;
  const whileOpen = <T extends object>(part: T): T => guarded(part, () => isOpen);
  return {
    isPersistent: false,
    config: whileOpen(new KnownConfig(new MemoryConfigTexts())),
    conversations: whileOpen(new MemoryConversations(wallNow)),
    journal: whileOpen(new MemoryJournal(checkJournalLimit(journalLimit))),
    cooldowns: whileOpen(new MemoryCooldowns()),
    experience: whileOpen(new MemoryExperience()),
    close: async () => {
      isOpen = false;
    },
  };
}

/** Every method of a part answers with the same error once the store is closed. */
function guarded<T extends object>(part: T, isOpen: () => boolean): T {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => (isOpen() ? Reflect.apply(member, target, given) : Promise.reject(closedStore()));
    },
  });
}
