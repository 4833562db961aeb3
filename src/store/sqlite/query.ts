import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Writes SQL, checked against the schema by the compiler, and runs none: the driver is a dummy. Kysely's own way of running is
 * asynchronous, so that a transaction would stay open over turns of the event loop and nothing could be committed together.
 */
export const query = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
