import type { Store } from "../store/index.ts";
import type { Redact } from "../wire/index.ts";

/** The border to the disk: no secret gets into the file, whatever is written. */
export function redactedStore(store: Store, redact: Redact): Store {
  const { conversations, journal, generations } = store;
  return {
    ...store,
    conversations: {
      create: (conversation) => conversations.create(redact(conversation)),
      rename: (id, title) => conversations.rename(id, redact(title)),
      get: (id) => conversations.get(id),
      list: (options) => conversations.list(options),
      append: (id, entries) => conversations.append(id, redact(entries)),
      read: (id, options) => conversations.read(id, options),
      remove: (id) => conversations.remove(id),
    },
    journal: {
      add: (record) => journal.add(redact(record)),
      list: () => journal.list(),
    },
    generations: {
      // As one text: hundreds of them come in a second, and to walk through each costs more than to write it.
      put: (records) => generations.put(isClean(records, redact) ? records : redact(records)),
      list: (options) => generations.list(options),
    },
  };
}

function isClean(value: unknown, redact: Redact): boolean {
  const text = JSON.stringify(value);
  return redact(text) === text;
}
