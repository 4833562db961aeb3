import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { RpcClient } from "../../src/hosts/rpc/index.ts";
import type { ProgramOptions } from "../../src/hosts/rpc/start-program.ts";
import { defaultStorePath, openStore } from "../../src/store/index.ts";
import { CLI } from "../support/run-cli.ts";

const home = mkdtempSync(join(tmpdir(), "secondwind-start-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const env = { PATH: process.env.PATH, HOME: home };
const program = [CLI, "rpc"];
const refusal = (options: ProgramOptions): Promise<string> =>
  RpcClient.start({ env, program, ...options }).then(
    () => "started",
    (fault: Error) => fault.message,
  );

describe("RpcClient.start", () => {
  test("S9: rejects with the reason for a model that can't be used", async () => {
    expect(await refusal({ model: "nope/x" })).toMatch(
      /^The RPC program could not start \(exit code 2: --model must be of a known provider \(anthropic, .*\); got "nope\/x"\)$/,
    );
    expect(await refusal({ model: "malformed" })).toBe(
      'The RPC program could not start (exit code 2: --model must be provider/model; got "malformed")',
    );
    expect(await refusal({ model: "anthropic/claude-x" })).toMatch(/exit code 1: No API key for anthropic\. Run /);
  });

  test("S9: rejects with the reason for a program that is missing or dies", async () => {
    expect(await refusal({ program: [join(home, "missing.js")] })).toMatch(/exit code 1: .*Cannot find module/s);
    const refuses = `process.stdin.on("data", (line) => {
      const { id } = JSON.parse(line);
      console.log(JSON.stringify({ id, type: "response", command: "get_state", success: false, error: "No licence" }));
    })`;
    expect(await refusal({ program: ["-e", refuses] })).toBe("The RPC program could not start (No licence)");
    expect(await refusal({ program: ["-e", "process.exit(3)"] })).toBe("The RPC program could not start (exit code 3)");
    expect(await refusal({ program: ["-e", "process.kill(process.pid, 'SIGTERM')"] })).toBe(
      "The RPC program could not start (ended by SIGTERM)",
    );
    const missing = join(home, "no-such-folder");
    expect(await refusal({ cwd: missing })).toBe(
      `The RPC program could not start (the folder ${missing} does not exist)`,
    );
  });

  test("S9: quotes the output of a program that speaks something else", async () => {
    expect(await refusal({ program: ["-e", "console.log('Welcome!')"] })).toBe(
      'The RPC program could not start (exit code 0). Its output is no RPC line: "Welcome!"',
    );
    const silent = ["-e", "console.log('Welcome!'); setInterval(() => {}, 1000)"];
    expect(await refusal({ program: silent, startTimeoutMs: 1500 })).toBe(
      'The RPC program could not start (no response within 1500 ms). Its output is no RPC line: "Welcome!"',
    );
    await expect(RpcClient.start({ startTimeoutMs: Number.NaN })).rejects.toThrow("startTimeoutMs must be");
  });

  test("S9: resolves for a model that works, and for one without a key that has a fallback", async () => {
    const client = await RpcClient.start({ env, program, model: "sim/ok" });
    expect(await client.getState()).toMatchObject({ model: "sim/ok" });
    await client.close();
    const store = await openStore({ path: defaultStorePath({ HOME: home }) });
    await store.config.set("retry.fallbackChains", { default: ["sim/ok"] });
    await store.close();
    const other = await RpcClient.start({ env, program, model: "anthropic/claude-x" });
    expect(await other.getState()).toMatchObject({ model: "anthropic/claude-x" });
    await other.close();
  });
});
