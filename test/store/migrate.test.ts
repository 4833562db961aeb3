import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS, type Migration } from "../../src/store/sqlite/migrations.ts";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { openDatabase } from "./database.ts";
import { newFiles } from "./folders.ts";

const newFile = newFiles();
const entry = { type: "message", data: "hello" };

/** A step that does not exist yet, and changes data. */
const next: Migration = {
  name: "titles in capitals, a note",
  sql: "ALTER TABLE conversations ADD COLUMN note TEXT; UPDATE conversations SET title = upper(title);",
};
const newer = [...MIGRATIONS, next];
const current = MIGRATIONS.length;

async function oldStore(): Promise<string> {
  const path = newFile();
  const store = await openSqliteStore(path);
  await store.conversations.create({ id: "c", title: "a talk" });
  await store.conversations.append("c", [entry]);
  await store.close();
  return path;
}

function versionOf(path: string): unknown {
  const database = openDatabase(path);
  const [row] = database.prepare("PRAGMA user_version").all() as { user_version: number }[];
  database.close();
  return row?.user_version;
}

test("C5: a new store has the newest version and no backup beside it", async () => {
  const path = newFile();
  await (await openSqliteStore(path, { migrations: newer })).close();
  expect(versionOf(path)).toBe(current + 1);
  expect(readdirSync(dirname(path)).filter((name) => name.includes("bak"))).toEqual([]);
});

test("C5: an older store is updated to the newest version, with a backup beside it", async () => {
  const path = await oldStore();
  const store = await openSqliteStore(path, { migrations: newer });
  expect(await store.conversations.get("c")).toMatchObject({ title: "A TALK", entries: 1 });
  await store.close();
  expect(versionOf(path)).toBe(current + 1);

  const copy = `${path}.v${current}.bak`;
  expect((statSync(copy).mode & 0o777).toString(8)).toBe("600");
  const old = await openSqliteStore(copy);
  expect(await old.conversations.get("c")).toMatchObject({ title: "a talk" });
  expect(await old.conversations.read("c")).toMatchObject([entry]);
  await old.close();
});

test("C5: a step that fails leaves the store unchanged, and the old program still opens it", async () => {
  const path = await oldStore();
  const before = readFileSync(path);
  const broken = [...newer, { name: "a broken one", sql: "DELETE FROM entries; INSERT INTO nowhere VALUES (1)" }];
  await expect(openSqliteStore(path, { migrations: broken })).rejects.toMatchObject({
    message: expect.stringMatching(/could not be updated \(a broken one\).* It was not changed/),
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(existsSync(`${path}.v${current}.bak`)).toBe(true);
  const store = await openSqliteStore(path);
  expect(await store.conversations.append("c", [entry])).toBe(2);
  await store.close();
});

test("C5: a backup of an earlier attempt is not overwritten", async () => {
  const path = await oldStore();
  const broken = [...MIGRATIONS, { name: "broken", sql: "nonsense" }];
  await expect(openSqliteStore(path, { migrations: broken })).rejects.toThrow();
  const copy = readFileSync(`${path}.v${current}.bak`);
  await (await openSqliteStore(path, { migrations: newer })).close();
  expect(readFileSync(`${path}.v${current}.bak`).equals(copy)).toBe(true);
  expect(readdirSync(dirname(path)).filter((name) => name.includes("bak"))).toEqual([
    `${basename(path)}.v${current}.bak`,
  ]);
});

test("C5: a program stops writing when a newer one has changed the schema", async () => {
  const path = await oldStore();
  const old = await openSqliteStore(path);
  await (await openSqliteStore(path, { migrations: newer })).close();
  await expect(old.conversations.append("c", [entry])).rejects.toMatchObject({
    code: "newer",
    message: expect.stringMatching(new RegExp(`has version ${current + 1}; this program supports up to ${current}`)),
  });
  await old.close();
  const store = await openSqliteStore(path, { migrations: newer });
  expect(await store.conversations.read("c")).toHaveLength(1);
  await store.close();
});

test("E17: a store of the first version keeps its cooldowns without the time of their report", async () => {
  const path = newFile();
  await (await openSqliteStore(path, { migrations: MIGRATIONS.slice(0, 1) })).close();
  const old = openDatabase(path);
  old.exec("INSERT INTO cooldowns VALUES ('k', 5000)");
  old.close();
  const store = await openSqliteStore(path);
  expect(await store.cooldowns.list(0)).toEqual([{ key: "k", until: 5000 }]);
  await store.cooldowns.set("k", 6000, 1000);
  expect(await store.cooldowns.list(0)).toEqual([{ key: "k", until: 6000, since: 1000 }]);
  await store.close();
});

test("C5: released steps never change", () => {
  // Another sum: make a new step instead, or stores of the same version will differ.
  const sums = MIGRATIONS.map(({ sql }) => createHash("sha256").update(sql.replace(/\s+/g, " ")).digest("hex"));
  expect(sums.map((sum) => sum.slice(0, 16))).toEqual(["70cd1371c9d8695f", "2b63633da577a6b6", "e88d6ec474b6292a"]);
});
