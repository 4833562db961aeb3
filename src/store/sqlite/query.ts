import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Builds SQL that the compiler checks against the schema, and runs none: the driver is a dummy. Kysely would run it asynchronously,
 * so that a transaction would stay open over turns of the event loop and writes could not share a commit.
 */
export const query = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
