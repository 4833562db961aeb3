import { defaultStorePath } from "./default-store-path.ts";
import { memoryStore } from "./memory/memory-store.ts";
import type { SqliteStoreOptions } from "./sqlite/open-sqlite-store.ts";
import type { Store } from "./store.ts";

export interface OpenStoreOptions extends Pick<SqliteStoreOptions, "wallNow" | "journalLimit" | "busyTimeoutMs"> {
  /** Default: where `defaultStorePath` says. `:memory:` forgets everything with the process. */
  readonly path?: string;
}

/** Opens the store, and makes one where there is none. The native package is loaded only for a store with a file. */
export async function openStore({ path = defaultStorePath(), ...options }: OpenStoreOptions = {}): Promise<Store> {
  if (path === ":memory:") return memoryStore(options);
  const { openSqliteStore } = await import("./sqlite/open-sqlite-store.ts");
  return openSqliteStore(path, options);
}
