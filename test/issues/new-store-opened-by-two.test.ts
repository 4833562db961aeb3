import { expect, test } from "vitest";
import type { Connection } from "../../src/store/sqlite/connection.ts";
import { APPLICATION_ID, identify } from "../../src/store/sqlite/identify.ts";

const EMPTY = { schema_version: 0, user_version: 0, application_id: 0 };
const MADE = { schema_version: 9, user_version: 1, application_id: APPLICATION_ID };

/** A new file in which another process makes the store after so many reads. */
function madeAfter(reads: number): Connection {
  let left = reads;
  const pragma = (name: keyof typeof EMPTY): number => {
    left -= 1;
    return (left >= 0 ? EMPTY : MADE)[name];
  };
  return { path: "secondwind.db", pragma } as unknown as Connection;
}

test.each([0, 1, 2, 3, 4])(
  "S6: a store that another process makes after %i reads is not taken for a foreign one",
  (reads) => {
    expect([0, 1]).toContain(identify(madeAfter(reads), 1));
  },
);
