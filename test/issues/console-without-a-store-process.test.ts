import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadDriver } from "../../src/store/sqlite/load-driver.ts";
import { runCli } from "../support/run-cli.ts";

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-no-store-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

/** Prepares the place of the store, and returns what ends that state. */
const STORES: readonly (readonly [string, (folder: string) => Promise<() => unknown>, RegExp])[] = [
  [
    "is no database",
    async (folder) => {
      await writeFile(join(folder, "secondwind.db"), "not a database, and long enough to be read as one. ".repeat(40));
      return () => undefined;
    },
    /nothing is saved in this run\. .*secondwind\.db/,
  ],
  [
    "is of a newer version",
    async (folder) => {
      await runCli(["console"], "/config\n", { SECONDWIND_HOME: folder });
      const database = (await loadDriver())(join(folder, "secondwind.db"), 100);
      database.exec("PRAGMA user_version = 99");
      database.close();
      return () => undefined;
    },
    /nothing is saved in this run\. .*has version 99/,
  ],
  [
    "is locked by another process",
    async (folder) => {
      await runCli(["console"], "/config\n", { SECONDWIND_HOME: folder });
      const database = (await loadDriver())(join(folder, "secondwind.db"), 100);
      database.exec("PRAGMA locking_mode = EXCLUSIVE");
      database.exec("BEGIN EXCLUSIVE");
      return () => database.close();
    },
    /nothing is saved in this run\. .*secondwind\.db/,
  ],
];

describe.concurrent("the console", () => {
  test.each(STORES)(
    "C5: starts and answers if the store %s, and reports it in one line",
    async (name, prepare, reason) => {
      const folder = await mkdtemp(join(home, "store-"));
      const end = await prepare(folder);
      const said = await runCli(
        ["console", "-m", "sim/ok"],
        "echo: one\n/info\n/config api_retry_max_delay 9\necho: two\n",
        {
          SECONDWIND_HOME: folder,
        },
      );
      await end();
      expect(said.err, name).toMatch(reason);
      expect(said.err.trim().split("\n"), name).toHaveLength(1);
      expect(said.out).toMatch(/^one\n/);
      expect(said.out).toContain("(2 messages, not saved)");
      expect(said.out).toMatch(/api_retry_max_delay = 9\n[\s\S]*two\n$/);
      expect(said.code).toBe(0);
    },
    60_000,
  );

  test.each(["in a file", "below /proc"])(
    "C5: starts and answers if the folder of the store would be %s",
    async (where) => {
      const file = join(home, "file");
      await writeFile(file, "");
      const folder = where === "in a file" ? join(file, "folder") : "/proc/secondwind/folder";
      const said = await runCli(["console", "-m", "sim/ok"], "echo: one\n", { SECONDWIND_HOME: folder });
      expect(said).toMatchObject({ code: 0, out: "one\n" });
      expect(said.err).toMatch(/^secondwind: nothing is saved in this run\. [^\n]+\n$/);
    },
    60_000,
  );

  test("C5: a conversation that was asked for by its id is not replaced by a new one", async () => {
    const file = join(home, "another");
    await writeFile(file, "");
    const said = await runCli(["console", "-s", "talk"], "echo: one\n", { SECONDWIND_HOME: join(file, "folder") });
    expect(said).toMatchObject({ code: 2, out: "" });
    expect(said.err).toMatch(/nothing is saved in this run[\s\S]*--session must be the id of an existing conversation/);
  }, 60_000);
});
