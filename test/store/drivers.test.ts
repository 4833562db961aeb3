import { describe, expect, test } from "vitest";
import { type Driver, libsqlDriver, loadDriver, nodeDriver } from "../../src/store/sqlite/load-driver.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { newFiles } from "./folders.ts";

const newFile = newFiles();
const libsql = await libsqlDriver();
const warnings: unknown[] = [];
const listen = (warning: unknown): void => void warnings.push(warning);
process.on("warning", listen);
const ofNode = nodeDriver();
await new Promise(setImmediate);
process.off("warning", listen);

/** Node 20 has none: `npm run test:node24` runs these. */
function onNodeWithSqlite(node: Driver): void {
  describe("on a Node that has SQLite", () => {
    test("S6: the store uses Node's SQLite, without a warning on stderr", async () => {
      const driver = await loadDriver(nodeDriver, () => Promise.reject(new Error("libsql is not asked for")));
      driver(":memory:", 0).close();
      expect(warnings).toEqual([]);
    });

    test.each([
      ["libsql", libsql, "Node", node],
      ["Node", node, "libsql", libsql],
    ])("S6: a database written by %s opens and is continued by %s", async (_from, first, _to, second) => {
      const path = newFile();
      for (const [turn, driver] of [first, second, first].entries()) {
        const store = await openSqliteStore(path, { load: async () => driver });
        if (turn === 0) await store.conversations.create({ id: "c", title: "größer 🙂" });
        expect(await store.conversations.append("c", [{ type: "message", data: { turn } }])).toBe(turn + 1);
        await store.cooldowns.set("k", 5000.25 + turn);
        await store.config.set("api_retry_max_delay", 9);
        expect(await store.conversations.get("c")).toMatchObject({ title: "größer 🙂", entries: turn + 1 });
        expect((await store.conversations.read("c")).map(({ data }) => data)).toEqual(
          Array.from({ length: turn + 1 }, (_, n) => ({ turn: n })),
        );
        expect(await store.cooldowns.list(0)).toMatchObject([{ until: 5000.25 + turn }]);
        await store.close();
      }
    });
  });
}

if (ofNode !== undefined) onNodeWithSqlite(ofNode);

test("S6: a Node without SQLite uses libsql", async () => {
  expect(
    await loadDriver(
      () => undefined,
      async () => libsql,
    ),
  ).toBe(libsql);
});
