import { KnownConfig } from "../config/known-config.ts";
import { JOURNAL_LIMIT, type Store, type StoreOptions } from "../store.ts";
import { closedStore } from "../store-error.ts";
import { MemoryConversations } from "./memory-conversations.ts";
import {
  MemoryCooldowns,
  MemoryExperience,
  MemoryGenerations,
  MemoryJournal,
  memoryConfigTexts,
} from "./memory-facts.ts";

/** Ends with the process: for tests, for `:memory:`, and where no SQLite is available. */
export function memoryStore({ wallNow = Date.now, journalLimit = JOURNAL_LIMIT }: StoreOptions = {}): Store {
  let isOpen = true;
  const whileOpen = <T extends object>(part: T): T => guarded(part, () => isOpen);
  return {
    isPersistent: false,
    config: whileOpen(new KnownConfig(memoryConfigTexts())),
    conversations: whileOpen(new MemoryConversations(wallNow)),
    journal: whileOpen(new MemoryJournal(journalLimit)),
    generations: whileOpen(new MemoryGenerations(journalLimit)),
    cooldowns: whileOpen(new MemoryCooldowns()),
    experience: whileOpen(new MemoryExperience()),
    close: async () => {
      isOpen = false;
    },
  };
}

/** Every method of a part rejects once the store is closed. */
function guarded<T extends object>(part: T, isOpen: () => boolean): T {
  return new Proxy(part, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => (isOpen() ? Reflect.apply(member, target, given) : Promise.reject(closedStore()));
    },
  });
}
