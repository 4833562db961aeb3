import { copyFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.ts";
import { openDatabase } from "../store/database.ts";
import { newFiles } from "../store/folders.ts";

const newFile = newFiles();
const ENTRY = [{ type: "message", data: 1 }];

/** Counts how often a timer of 20 ms fires while the work is under way. */
async function ticksDuring(work: Promise<unknown>): Promise<number> {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 20);
  await work.catch(() => undefined);
  clearInterval(timer);
  return ticks;
}

describe("a write lock of another process", () => {
  test("S6: timers keep firing while a write waits for the lock", async () => {
    const path = newFile();
    const store = await openSqliteStore(path, { busyTimeoutMs: 1000 });
    await store.conversations.create({ id: "c", title: "t" });
    const holder = openDatabase(path);
    holder.exec("BEGIN EXCLUSIVE");
    const append = store.conversations.append("c", ENTRY);
    expect(await ticksDuring(append)).toBeGreaterThan(10);
    await expect(append).rejects.toMatchObject({ code: "locked" });
    holder.exec("COMMIT");
    holder.close();
    await store.close();
  });

  test("S6: a write goes through as soon as the lock is released, in order", async () => {
    const path = newFile();
    const store = await openSqliteStore(path);
    await store.conversations.create({ id: "c", title: "t" });
    const holder = openDatabase(path);
    holder.exec("BEGIN EXCLUSIVE");
    const appends = [1, 2, 3].map((data) => store.conversations.append("c", [{ type: "message", data }]));
    setTimeout(() => holder.exec("COMMIT"), 300);
    expect(await ticksDuring(Promise.all(appends))).toBeGreaterThan(3);
    expect(await Promise.all(appends)).toEqual([1, 2, 3]);
    holder.close();
    await store.close();
  });

  test("S6: timers keep firing while a store is opened that another process holds", async () => {
    const path = await otherStore();
    const holder = openDatabase(path);
    holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const opening = openSqliteStore(path, { busyTimeoutMs: 1000 });
    expect(await ticksDuring(opening)).toBeGreaterThan(10);
    await expect(opening).rejects.toMatchObject({ code: "locked" });
    const second = openSqliteStore(path);
    setTimeout(() => {
      holder.exec("COMMIT");
      holder.close();
    }, 200);
    expect(await (await second).conversations.list()).toEqual([]);
    await (await second).close();
  });

  test("S6: closing the store waits for the lock without blocking, and commits what was accepted", async () => {
    const path = newFile();
    const store = await openSqliteStore(path);
    await store.conversations.create({ id: "c", title: "t" });
    const holder = openDatabase(path);
    holder.exec("BEGIN EXCLUSIVE");
    const append = store.conversations.append("c", ENTRY);
    setTimeout(() => holder.exec("COMMIT"), 300);
    expect(await ticksDuring(store.close())).toBeGreaterThan(3);
    expect(await append).toBe(1);
    holder.close();
  });

  test("S6: after one wait that was too long, the next writes fail quickly until the lock is released", async () => {
    const path = newFile();
    const store = await openSqliteStore(path, { busyTimeoutMs: 2000 });
    await store.conversations.create({ id: "c", title: "t" });
    const holder = openDatabase(path);
    holder.exec("BEGIN EXCLUSIVE");
    await expect(store.conversations.append("c", ENTRY)).rejects.toMatchObject({ code: "locked" });
    const startedAt = performance.now();
    await expect(store.conversations.append("c", ENTRY)).rejects.toMatchObject({ code: "locked" });
    expect(performance.now() - startedAt).toBeLessThan(1500);
    holder.exec("COMMIT");
    expect(await store.conversations.append("c", ENTRY)).toBe(1);
    holder.close();
    await store.close();
  });
});

/** A store that this process has never had open: SQLite closes a file late while statements are referenced. */
async function otherStore(): Promise<string> {
  const made = newFile();
  await (await openSqliteStore(made)).close();
  const path = newFile();
  mkdirSync(dirname(path));
  copyFileSync(made, path);
  return path;
}
