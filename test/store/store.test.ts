import { memoryStore } from "../../src/store/memory/memory-store.ts";
import { libsqlDriver, nodeDriver } from "../../src/store/sqlite/load-driver.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { newFiles } from "./folders.ts";
import { storeContract } from "./store-contract.ts";

const newFile = newFiles();
const ofNode = nodeDriver();

storeContract("in memory", async (setup) => memoryStore(setup));
storeContract("in SQLite by libsql", (setup) => openSqliteStore(newFile(), { ...setup, load: libsqlDriver }));
if (ofNode !== undefined) {
  storeContract("in SQLite by Node", (setup) => openSqliteStore(newFile(), { ...setup, load: async () => ofNode }));
}
