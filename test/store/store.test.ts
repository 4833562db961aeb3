import { memoryStore } from "../../src/store/memory/memory-store.ts";
import { openStore } from "../../src/store/open-store.ts";
import { newFiles } from "./folders.ts";
import { storeContract } from "./store-contract.ts";

const newFile = newFiles();

storeContract("in memory", async (setup) => memoryStore(setup));
storeContract("embedded", (setup) => openStore({ ...setup, path: newFile() }));
