import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { response, startRpcChild } from "../hosts/rpc/rpc-child.ts";
import { openDatabase } from "../store/database.ts";
import { CLI } from "../support/run-cli.ts";

const home = mkdtempSync(join(tmpdir(), "secondwind-lock-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test("S9: while another process holds the store, rpc answers other commands and then refuses the prompt with the reason", async () => {
  const path = join(home, "secondwind.db");
  await (await openStore({ path })).close();
  const { child, send, until, lines, ended } = startRpcChild([CLI, "rpc", "--model", "sim/ok"], {
    SECONDWIND_HOME: home,
    HOME: home,
  });
  send({ id: 0, type: "get_state" });
  await until(response(0));
  const holder = openDatabase(path);
  holder.exec("BEGIN EXCLUSIVE");
  send({ id: 1, type: "prompt", message: "Hello" });
  // Each is answered before the next is sent: a process that waits for the lock would answer none of them.
  for (let id = 2; id < 12; id++) {
    send({ id, type: "get_state" });
    await until(response(id));
  }
  expect(lines.some(response(1))).toBe(false);
  expect(await until(response(1))).toEqual({
    ...{ id: 1, type: "response", command: "prompt", success: false },
    error: expect.stringMatching(/secondwind\.db is held by another process/),
  });
  holder.exec("COMMIT");
  holder.close();
  send({ id: 12, type: "prompt", message: "Hello again" });
  expect(await until(response(12))).toMatchObject({ success: true });
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(lines.filter(({ type }) => type === "agent_start")).toHaveLength(1);
});
