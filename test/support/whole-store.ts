import type { Store } from "../../src/store/store.ts";
import { MapConversations, MapExperience } from "./map-store.ts";

/** Every part of the store's port, in memory. */
export function wholeStore(config: Readonly<Record<string, unknown>> = {}): Store {
  const values = new Map(Object.entries(config));
  return {
    config: {
      get: async (key) => values.get(key),
      set: async (key, value) => void values.set(key, value),
      remove: async (key) => void values.delete(key),
      list: async () => [],
    },
    conversations: new MapConversations(),
    journal: { add: async () => undefined, list: async () => [] },
    cooldowns: { set: async () => undefined, list: async () => [] },
    experience: new MapExperience(),
    close: async () => undefined,
  };
}
