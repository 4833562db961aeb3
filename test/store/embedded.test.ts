import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONFIG_KEYS, type ConfigName } from "../../src/store/config/config-keys.ts";
import { defaultStorePath } from "../../src/store/default-store-path.ts";
import { openStore } from "../../src/store/open-store.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { loadDriver, type NativeDatabase } from "../../src/store/sqlite/load-driver.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { query } from "../../src/store/sqlite/query.ts";
import { openDatabase } from "./database.ts";
import { newFiles } from "./folders.ts";

const newFile = newFiles();
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
const entry = { type: "message", data: "hello" };

/** Opens a store and keeps what it was opened with. */
async function openSpied(path: string) {
  const opened: NativeDatabase[] = [];
  const load = async () => {
    const open = await loadDriver();
    return (file: string, busyTimeoutMs: number) => {
      const database = open(file, busyTimeoutMs);
      opened.push(database);
      return database;
    };
  };
  const store = await openSqliteStore(path, { load });
  return { store, native: opened[0] as NativeDatabase };
}

describe("the path of the store", () => {
  test.each([
    [{ SECONDWIND_HOME: "/s", XDG_DATA_HOME: "/x", HOME: "/h" }, "/s/secondwind.db"],
    [{ SECONDWIND_HOME: "", XDG_DATA_HOME: "/x", HOME: "/h" }, "/x/secondwind/secondwind.db"],
    [{ XDG_DATA_HOME: "relative", HOME: "/h" }, "/h/.local/share/secondwind/secondwind.db"],
    [{ HOME: "/h" }, "/h/.local/share/secondwind/secondwind.db"],
    [{}, join(homedir(), ".local/share/secondwind/secondwind.db")],
  ])("C5: with %j", (env, path) => {
    expect(defaultStorePath(env)).toBe(path);
  });

  test("C5: folders, file and SQLite's own files are created for this user only", async () => {
    const path = join(dirname(newFile()), "deep", "deeper", "secondwind.db");
    const store = await openStore({ path });
    await store.config.set("api_retry_max_delay", 9);
    expect(modeOf(dirname(path))).toBe("700");
    expect(modeOf(dirname(dirname(path)))).toBe("700");
    expect(readdirSync(dirname(path)).map((name) => [name, modeOf(join(dirname(path), name))])).toEqual([
      ["secondwind.db", "600"],
      ["secondwind.db-shm", "600"],
      ["secondwind.db-wal", "600"],
    ]);
    await store.close();
  });

  test("C5: an existing folder keeps its mode", async () => {
    const path = newFile();
    mkdirSync(dirname(path), { mode: 0o755 });
    await (await openStore({ path })).close();
    expect(modeOf(dirname(path))).toBe("755");
  });

  test("C5: :memory: creates no file", async () => {
    const store = await openStore({ path: ":memory:" });
    await store.config.set("api_retry_max_delay", 9);
    await store.close();
    expect(readdirSync(".").filter((name) => name.includes("memory"))).toEqual([]);
  });
});

describe("reopening a store", () => {
  test("S6: a reopened store has everything, in the one file", async () => {
    const path = newFile();
    const store = await openStore({ path, wallNow: () => 1000 });
    await store.config.set("api_circuit_breaker", true);
    await store.conversations.create({ id: "c", title: "A talk" });
    await store.conversations.append("c", [entry]);
    await store.cooldowns.set("k", 5000);
    const outcome = { provider: "a", endpoint: "chat", status: "429", ok: true, waitedMs: 10 };
    await store.experience.add(outcome);
    await store.close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);

    const again = await openStore({ path });
    expect(await again.config.get("api_circuit_breaker")).toBe(true);
    expect(await again.conversations.read("c")).toEqual([{ seq: 1, at: 1000, ...entry }]);
    expect(await again.cooldowns.list(0)).toEqual([{ key: "k", until: 5000 }]);
    expect(await again.experience.list()).toMatchObject([{ provider: "a", successes: 1 }]);
    expect(await again.conversations.append("c", [entry])).toBe(2);
    await again.close();
  });

  test("S6: two stores on one file see each other's acknowledged entries and continue the numbering", async () => {
    const path = newFile();
    const [one, other] = [await openStore({ path }), await openStore({ path })];
    await one.conversations.create({ id: "c", title: "" });
    for (let n = 0; n < 10; n++) await (n % 2 === 0 ? one : other).conversations.append("c", [entry]);
    expect((await other.conversations.read("c")).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await one.conversations.read("c")).toEqual(await other.conversations.read("c"));
    await one.close();
    expect(await other.conversations.append("c", [entry])).toBe(11);
    await other.close();
  });
});

describe("how the store writes", () => {
  test("S6: commits go to a write-ahead log and wait for the disk", async () => {
    const { store, native } = await openSpied(newFile());
    const pragma = (name: string) => native.prepare(`PRAGMA ${name}`).all();
    expect(pragma("journal_mode")).toEqual([{ journal_mode: "wal" }]);
    // 2 is FULL.
    expect(pragma("synchronous")).toEqual([{ synchronous: 2 }]);
    expect(pragma("foreign_keys")).toEqual([{ foreign_keys: 1 }]);
    expect(pragma("busy_timeout")).toEqual([{ timeout: 5 }]);
    await store.close();
  });

  test("S6: appends of the same turn share a commit, and none is acknowledged before it", async () => {
    const { store, native } = await openSpied(newFile());
    await store.conversations.create({ id: "c", title: "" });
    const commits: string[] = [];
    const exec = native.exec.bind(native);
    native.exec = (sql) => {
      if (sql === "COMMIT") commits.push(`commit with ${acknowledged} acknowledged`);
      return exec(sql);
    };
    let acknowledged = 0;
    const append = () => store.conversations.append("c", [entry]).then(() => acknowledged++);
    await Promise.all(Array.from({ length: 100 }, append));
    expect(commits).toEqual(["commit with 0 acknowledged"]);
    expect(acknowledged).toBe(100);
    await store.close();
  });

  test("S6: a failing commit rejects every write in it and leaves nothing behind", async () => {
    const { store, native } = await openSpied(newFile());
    await store.conversations.create({ id: "c", title: "" });
    const exec = native.exec.bind(native);
    native.exec = (sql) => {
      if (sql !== "COMMIT") return exec(sql);
      throw Object.assign(new Error("database or disk is full"), { rawCode: 13 });
    };
    const appends = [1, 2].map(() => store.conversations.append("c", [entry]));
    for (const append of appends) await expect(append).rejects.toMatchObject({ code: "full" });
    native.exec = exec;
    expect(await store.conversations.append("c", [entry])).toBe(1);
    await store.close();
  });

  test("S6: an append that fails half-way is undone without the others of its commit", async () => {
    const { store, native } = await openSpied(newFile());
    await store.conversations.create({ id: "c", title: "" });
    native.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON entries WHEN NEW.data = '"poison"' BEGIN SELECT RAISE (FAIL, 'poison'); END`,
    );
    const [half, whole] = await Promise.allSettled([
      store.conversations.append("c", [entry, { type: "message", data: "poison" }]),
      store.conversations.append("c", [entry]),
    ]);
    expect(half).toMatchObject({ status: "rejected", reason: { message: "poison" } });
    expect(whole).toEqual({ status: "fulfilled", value: 1 });
    expect(await store.conversations.read("c")).toHaveLength(1);
    await store.close();
  });

  test("S6: a full disk rejects the write and keeps what was acknowledged", async () => {
    const { store, native } = await openSpied(newFile());
    await store.conversations.create({ id: "c", title: "" });
    await store.conversations.append("c", [entry]);
    native.exec("PRAGMA max_page_count = 30");
    const big = { type: "message", data: "x".repeat(500_000) };
    const [first, second] = await Promise.allSettled([
      store.conversations.append("c", [big]),
      store.conversations.append("c", [entry]),
    ]);
    expect(first).toMatchObject({ reason: { code: "full", message: expect.stringContaining("the disk is full") } });
    native.exec("PRAGMA max_page_count = 100000");
    // The small one may have found room; either way it was told the truth.
    const kept = second.status === "fulfilled" ? 2 : 1;
    expect(await store.conversations.read("c")).toHaveLength(kept);
    expect(await store.conversations.append("c", [entry])).toBe(kept + 1);
    await store.close();
  });

  test("S6: a process with pending writes does not exit before them", async () => {
    const store = await openStore({ path: newFile() });
    void store.conversations.create({ id: "c", title: "" });
    expect(process.getActiveResourcesInfo()).toContain("Immediate");
    await store.close();
  });

  test("S6: values that a driver would mishandle are rejected before they reach it", () => {
    const connection = new Connection(openDatabase(":memory:"), ":memory:");
    connection.exec("CREATE TABLE config (key TEXT, value TEXT)");
    for (const value of [true, Number.NaN, "a\0b", {}]) {
      const insert = query.insertInto("config").values({ key: "k", value: value as never });
      expect(() => connection.run(insert)).toThrow(TypeError);
    }
    expect(connection.rows(query.selectFrom("config").selectAll())).toEqual([]);
    connection.close();
  });
});

test("C5: docs/store.md lists every setting with its default and allowed values", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/store.md"), "utf8");
  const documented = [
    ...text.matchAll(/^\| `((?:api_|retry\.|serve\.|extensions|policies)\S*)` +\| (.+?) +\| (.+?) +\|$/gm),
  ];
  expect(documented.map(([, key]) => key)).toEqual(Object.keys(CONFIG_KEYS));
  for (const [, key, value, allowed] of documented) {
    const spec = CONFIG_KEYS[key as ConfigName];
    const plain = typeof spec.default === "string" ? spec.default || "empty" : JSON.stringify(spec.default);
    expect(value?.replaceAll("`", "")).toBe(plain);
    if (typeof spec.default === "number") expect(allowed).toContain(spec.allowed);
  }
});
