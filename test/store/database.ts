import { loadDriver, type NativeDatabase } from "../../src/store/sqlite/load-driver.ts";

const open = await loadDriver();

/** The file by the store's own driver: two SQLite libraries in one process do not see each other's locks. */
export const openDatabase = (path: string): NativeDatabase => open(path, 0);
