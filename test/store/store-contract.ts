import { afterEach } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { configContract } from "./config-contract.ts";
import { conversationsContract } from "./conversations-contract.ts";
import { factsContract } from "./facts-contract.ts";

export interface StoreSetup {
  readonly wallNow?: () => number;
  readonly journalLimit?: number;
}

/** Opens a new, empty store. */
export type NewStore = (setup?: StoreSetup) => Promise<Store>;

/** What every Store must do, whatever it keeps its facts in. */
export function storeContract(name: string, newStore: NewStore): void {
  const opened: Store[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  const open: NewStore = async (setup) => {
    const store = await newStore(setup);
    opened.push(store);
    return store;
  };
  configContract(name, open);
  conversationsContract(name, open);
  factsContract(name, open);
}
