import { randomBytes } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadDriver, type NativeDatabase } from "../../src/store/sqlite/load-driver.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { openDatabase } from "./database.ts";
import { newFiles } from "./folders.ts";
import { runStoreChild } from "./store-child.ts";

const newFile = newFiles();

/** A store with a conversation of 300 entries, closed. */
async function filledStore(): Promise<string> {
  const path = newFile();
  const store = await openSqliteStore(path);
  await store.conversations.create({ id: "c", title: "" });
  const entries = Array.from({ length: 300 }, (_, n) => ({ type: "message", data: `${n} ${"x".repeat(200)}` }));
  await store.conversations.append("c", entries);
  await store.close();
  return path;
}

function native<T>(path: string, work: (database: NativeDatabase) => T): T {
  const database = openDatabase(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** Opening it is refused in these words, and leaves every byte as it was. */
async function expectRefusal(path: string, code: string, words: RegExp): Promise<void> {
  const before = readFileSync(path);
  const refusal = await openSqliteStore(path, { busyTimeoutMs: 50 }).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ name: "StoreError", code });
  expect((refusal as Error).message).toContain(path);
  expect((refusal as Error).message).toMatch(words);
  expect((refusal as Error).message).not.toContain("\n");
  expect(readFileSync(path).equals(before)).toBe(true);
}

describe("an unusable file", () => {
  test("C5: a file that is not a database is rejected and not changed", async () => {
    const path = newFile();
    mkdirSync(dirname(path));
    for (const content of ["# Notes\n".repeat(1000), randomBytes(9000), "x"]) {
      writeFileSync(path, content);
      await expectRefusal(path, "damaged", /is not a SQLite database.* Nothing was changed\. Move it elsewhere/);
    }
  });

  test("C5: another program's database is rejected and not changed", async () => {
    const path = newFile();
    mkdirSync(dirname(path));
    native(path, (database) => database.exec("CREATE TABLE bookmarks (url TEXT)"));
    await expectRefusal(path, "foreign", /belongs to another program\. It was not changed\. Set SECONDWIND_HOME/);
    native(path, (database) => database.exec("PRAGMA user_version = 1"));
    await expectRefusal(path, "foreign", /belongs to another program/);
  });

  test("C5: a newer database is rejected with both versions and not changed", async () => {
    const path = await filledStore();
    native(path, (database) => database.exec("PRAGMA user_version = 99"));
    await expectRefusal(path, "newer", /has version 99; this program supports up to 3\. It was not changed\. Update/);
  });

  test("S6: a truncated database is rejected and not changed", async () => {
    const path = await filledStore();
    truncateSync(path, 4096 * 3);
    await expectRefusal(path, "damaged", /is damaged.*Nothing was changed.*restore a copy/s);
    truncateSync(path, 50);
    await expectRefusal(path, "damaged", /or was cut short: it has 50 bytes\. Nothing was changed/);
  });

  test("S6: an overwritten page is found when the file is opened", async () => {
    const pristine = await filledStore();
    const pages = statSync(pristine).size / 4096;
    const path = `${pristine}.broken`;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: pages - 1 }), async (page) => {
        const bytes = readFileSync(pristine);
        bytes.set(randomBytes(4096), page * 4096);
        writeFileSync(path, bytes);
        await expectRefusal(path, "damaged", /is damaged|is not a SQLite database/);
      }),
      { numRuns: 15 },
    );
  });

  test("S6: an empty file beside a journal with content is rejected, and the journal stays", async () => {
    const source = newFile();
    const store = await openSqliteStore(source);
    await store.conversations.create({ id: "c", title: "only in the journal" });
    const path = newFile();
    mkdirSync(dirname(path));
    writeFileSync(path, "");
    copyFileSync(`${source}-wal`, `${path}-wal`);
    await store.close();
    const journal = readFileSync(`${path}-wal`);
    await expectRefusal(path, "damaged", /the file is empty, but its journal .*-wal is not/);
    expect(readFileSync(`${path}-wal`).equals(journal)).toBe(true);
  });

  test("S6: an entry that is no longer JSON is named", async () => {
    const path = await filledStore();
    native(path, (database) => database.exec("UPDATE entries SET data = '{' WHERE seq = 7"));
    const store = await openSqliteStore(path);
    await expect(store.conversations.read("c")).rejects.toMatchObject({
      code: "damaged",
      message: expect.stringContaining("conversation c, entry 7 is not JSON"),
    });
    await store.close();
  });

  test("C5: an invalid value that was edited by hand counts as not set", async () => {
    const path = newFile();
    await (await openSqliteStore(path)).close();
    native(path, (database) =>
      database.exec("INSERT INTO config VALUES ('api_retry_max_delay', '-3'), ('api_circuit_breaker', 'yes')"),
    );
    const store = await openSqliteStore(path);
    expect(await store.config.get("api_retry_max_delay")).toBe(5);
    expect(await store.config.get("api_circuit_breaker")).toBe(false);
    await store.close();
  });
});

describe("a file that can't be used now", () => {
  test("S6: a write to a locked file is rejected after the wait, and nothing is lost", async () => {
    const path = await filledStore();
    const holder = openDatabase(path);
    holder.exec("BEGIN IMMEDIATE");
    const store = await openSqliteStore(path, { busyTimeoutMs: 50 });
    const append = () => store.conversations.append("c", [{ type: "message", data: 1 }]);
    await expect(append()).rejects.toMatchObject({
      code: "locked",
      message: expect.stringMatching(/secondwind\.db is held by another process\. Close the program .*, or try again/),
    });
    holder.exec("COMMIT");
    expect(await append()).toBe(301);
    holder.close();
    await store.close();
  });

  test("S6: a file with an exclusive lock can't be opened", async () => {
    // A copy: this process has had the other one open itself.
    const path = newFile();
    mkdirSync(dirname(path));
    copyFileSync(await filledStore(), path);
    const holder = openDatabase(path);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    await expectRefusal(path, "locked", /is held by another process/);
    holder.close();
  });

  test("S6: a file or folder without write permission is rejected", async () => {
    const path = await filledStore();
    const folder = dirname(path);
    chmodSync(dirname(folder), 0o755);
    const before = readFileSync(path);
    for (const [fileMode, folderMode] of [
      [0o444, 0o777],
      [0o666, 0o555],
    ] as const) {
      for (const journal of [`${path}-wal`, `${path}-shm`]) rmSync(journal, { force: true });
      chmodSync(path, fileMode);
      chmodSync(folder, folderMode);
      const said = await runStoreChild(["open", path]);
      expect(said).toMatch(/^(read-only|unreachable): The database .* can't be (written|opened).* SECONDWIND_HOME/);
    }
    chmodSync(folder, 0o755);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("S6: a folder in place of the file is rejected", async () => {
    const path = newFile();
    mkdirSync(path, { recursive: true });
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: "unreachable" });
  });

  test("S6: a file in place of the folder is rejected", async () => {
    const path = newFile();
    writeFileSync(dirname(path), "a file");
    await expect(openSqliteStore(path)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(path),
    });
  });

  test("S6: without any SQLite the error names what to install, and no file is created", async () => {
    const path = newFile();
    const notInstalled = () => import("libsql-is-not-installed" as string);
    const load = () => loadDriver(() => undefined, notInstalled);
    await expect(openSqliteStore(path, { load })).rejects.toMatchObject({
      code: "unavailable",
      message: `Node ${process.versions.node} has no SQLite. Use Node 22.13 or newer, or run \`npm install libsql\` (with npx: \`npx -p secondwind -p libsql secondwind …\`).`,
    });
    expect(existsSync(dirname(path))).toBe(false);
  });

  test("S6: a libsql that can't be loaded is named with its reason", async () => {
    const broken = () => Promise.reject(new Error("no binary for sun3\nRequire stack: …"));
    await expect(loadDriver(() => undefined, broken)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(
        "has no SQLite, and libsql could not be loaded (Error: no binary for sun3). Use",
      ),
    });
  });
});
