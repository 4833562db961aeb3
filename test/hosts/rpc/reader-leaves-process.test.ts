import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Entry, openStore, type Store } from "../../../src/store/index.ts";
import { CLI, startCli } from "../../support/run-cli.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-reader-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function withStore<T>(use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ path: join(home, "secondwind.db") });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

const read = (id: string): Promise<readonly Entry[]> => withStore(({ conversations }) => conversations.read(id));
const start = (...args: readonly string[]) => startCli(args, { SECONDWIND_HOME: home });

describe("a reader that closes the pipe", () => {
  test("S9: rpc answers and saves acknowledged prompts, then exits with 0", async () => {
    await withStore(({ config }) => config.set("retry.baseDelayMs", 300));
    const { child, end, said } = start("rpc", "--conversation", "talk", "-m", "sim/overloaded-twice");
    const prompts = ["echo: one", "echo: two"].map((message, id) => JSON.stringify({ id, type: "prompt", message }));
    child.stdin.write(`${prompts.join("\n")}\n`);
    await said('"id":1');
    // Its input stays open: the closed output must be enough.
    child.stdout.destroy();
    child.stderr.destroy();
    expect((await end).code).toBe(0);
    const answers = (await read("talk")).filter(({ data }) => (data as { role?: string }).role === "assistant");
    expect(answers.map(({ data }) => data)).toMatchObject([
      { stopReason: "error" },
      { stopReason: "error" },
      { stopReason: "end", parts: [{ text: "one" }] },
      { stopReason: "end", parts: [{ text: "two" }] },
    ]);
  }, 30_000);

  test("S9: rpc exits at once on a signal", async () => {
    await withStore(({ config }) => config.set("retry.baseDelayMs", 200_000));
    const { child, end, said } = start("rpc", "--conversation", "talk", "-m", "sim/down");
    child.stdin.write('{"type":"prompt","message":"Hello"}\n');
    await said("auto_retry_start");
    child.stdout.destroy();
    // Its first write after that fails.
    child.stdin.write('{"type":"get_state"}\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(child.exitCode).toBe(null);
    child.kill("SIGTERM");
    expect((await end).code).toBe(130);
  }, 30_000);

  test.runIf(existsSync("/dev/full")).each([
    ["S9", "rpc", '{"type":"prompt","message":"echo: kept"}\n'],
    ["C4", "console", "echo: kept\n"],
  ])(
    "%s: %s saves everything and exits with 1 if stdout can't be written",
    async (_, command, input) => {
      const full = openSync("/dev/full", "w");
      const args = [CLI, command, "--conversation", "talk", "-m", "sim/ok"];
      const child = spawn(process.execPath, args, {
        stdio: ["pipe", full, "pipe"],
        env: { PATH: process.env.PATH ?? "", SECONDWIND_HOME: home },
      });
      closeSync(full);
      let err = "";
      child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
        err += chunk;
      });
      child.stdin?.write(input);
      const [code] = await once(child, "close");
      expect([code, err]).toEqual([1, expect.stringMatching(/^(?:Cancelled\n)?secondwind: ENOSPC.*\n$/)]);
      expect((await read("talk")).at(-1)?.data).toMatchObject({ role: "assistant", parts: [{ text: "kept" }] });
    },
    30_000,
  );

  test("C4: console ends and saves the exchange, then exits with 0", async () => {
    const { child, end, said } = start("console", "--conversation", "talk", "-m", "sim/ok-2000");
    child.stdin.write("Hello\n");
    await said(" ");
    child.stdout.destroy();
    expect((await end).code).toBe(0);
    const [question, answer] = await read("talk");
    expect(question?.data).toMatchObject({ role: "user", content: "Hello" });
    expect(answer?.data).toMatchObject({ role: "assistant", stopReason: "aborted" });
  }, 30_000);

  test("C4: console continues without stderr, and still records Ctrl-C", async () => {
    const { child, end } = start("console", "--conversation", "talk", "-m", "sim/bad-gateway");
    child.stderr.destroy();
    child.stdin.write("Hello\n");
    await expect.poll(() => read("talk").catch(() => []), { timeout: 10_000 }).toHaveLength(1);
    child.kill("SIGINT");
    expect((await end).code).toBe(130);
    expect((await read("talk")).at(-1)?.data).toMatchObject({ role: "assistant", stopReason: "error" });
  }, 30_000);

  test("B1: a command with nothing to save exits at once without an error", async () => {
    const { child, end } = start("why", "--jsonl");
    child.stdout.destroy();
    child.stdin.write(`${'{"status":429}\n'.repeat(5000)}`);
    const { code, err } = await end;
    expect([code, err]).toEqual([0, ""]);
  }, 30_000);
});
