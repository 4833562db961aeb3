import { defaultStorePath } from "./default-store-path.ts";
import { memoryStore } from "./memory/memory-store.ts";
import type { Store, StoreOptions } from "./store.ts";

export interface OpenStoreOptions extends StoreOptions {
  /** Default: `defaultStorePath()`. `:memory:`: the store ends with the process. */
  readonly path?: string;
  /** How long to wait for another process that writes, in ms; default 5000. */
  readonly busyTimeoutMs?: number;
}

/** Opens the store; creates one if there is none. SQLite is loaded only for a store with a file. */
export async function openStore({ path = defaultStorePath(), ...options }: OpenStoreOptions = {}): Promise<Store> {
  if (path === ":memory:") return memoryStore(options);
  const { openSqliteStore } = await import("./sqlite/open-sqlite-store.ts");
  return openSqliteStore(path, options);
}
