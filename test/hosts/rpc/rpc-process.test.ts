import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { RpcClient } from "../../../src/hosts/rpc/index.ts";
import type { SessionEvent } from "../../../src/wire/index.ts";
import { bundledChild } from "../../support/bundled-child.ts";
import { runCli } from "../../support/run-cli.ts";
import { rpcResponseSchema, sessionEventSchema } from "../../wire/session-schemas.ts";
import { ofType, type RpcChild, response, startRpcChild } from "./rpc-child.ts";

const outputSchema = z.union([rpcResponseSchema, sessionEventSchema]);
const PROGRAM = [bundledChild(join(import.meta.dirname, "rpc-entry.ts"))];
/** Longer than any test, and within the cap of five minutes. */
const LONG_MS = "200000";

const children: ChildProcess[] = [];
const clients: RpcClient[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill();
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

function start(baseDelayMs = "20"): RpcChild {
  const started = startRpcChild([...PROGRAM, "--model", "sim/one"], { BASE_DELAY_MS: baseDelayMs });
  children.push(started.child);
  return started;
}

async function connect(baseDelayMs = "20"): Promise<{
  client: RpcClient;
  events: SessionEvent[];
  until(type: string): Promise<void>;
}> {
  const client = await RpcClient.start({
    model: "sim/one",
    program: PROGRAM,
    env: { PATH: process.env.PATH, BASE_DELAY_MS: baseDelayMs },
  });
  clients.push(client);
  const events: SessionEvent[] = [];
  const waiting = new Map<string, () => void>();
  client.subscribe((event) => {
    events.push(event);
    waiting.get(event.type)?.();
  });
  const until = (type: string): Promise<void> =>
    new Promise((resolve) => {
      if (events.some((event) => event.type === type)) resolve();
      else waiting.set(type, resolve);
    });
  return { client, events, until };
}

describe("secondwind rpc, as a process", () => {
  test("S9: acknowledges a prompt at once, streams its retries and ends with agent_end", async () => {
    const { send, until, lines, child, ended, err } = start();
    send({ id: "1", type: "prompt", message: "busy 2" });
    await until(ofType("agent_end"));
    expect(lines[0]).toEqual({ id: "1", type: "response", command: "prompt", success: true });
    expect(lines.filter(({ type }) => String(type).startsWith("auto_retry"))).toMatchObject([
      { type: "auto_retry_start", attempt: 1, maxAttempts: 3, delayMs: 20, errorMessage: "HTTP 503: busy (1)" },
      { type: "auto_retry_start", attempt: 2, maxAttempts: 3, delayMs: 40, errorMessage: "HTTP 503: busy (2)" },
      { type: "auto_retry_end", success: true, attempt: 2, cancelled: false },
    ]);
    for (const line of lines) expect(outputSchema.parse(line)).toEqual(line);
    child.stdin.end();
    expect([await ended, err()]).toEqual([0, ""]);
  });

  test("S9: responds to invalid JSON and invalid commands, and continues", async () => {
    const { send, until, lines } = start();
    send(
      "garbage",
      "",
      "{",
      '{"type":"dance","id":"7"}',
      '{"type":"set_auto_retry","enabled":"yes","id":8}',
      "[]",
      "null",
    );
    send({ id: "9", type: "get_state" });
    await until(response("9"));
    expect(lines.slice(0, -1)).toMatchObject([
      { type: "response", command: "parse", success: false },
      { type: "response", command: "parse", success: false },
      { type: "response", command: "dance", id: "7", success: false },
      { type: "response", command: "set_auto_retry", id: 8, success: false },
      { type: "response", command: "unknown", success: false },
      { type: "response", command: "unknown", success: false },
    ]);
    expect(lines.at(-1)).toMatchObject({
      success: true,
      data: {
        model: "sim/one",
        isStreaming: false,
        isRetrying: false,
        retryAttempt: 0,
        autoRetryEnabled: true,
        autoCompactionEnabled: true,
        retries: { retries: 0, recovered: 0, statuses: {} },
      },
    });
  });

  test("S9: does not quote an invalid line, which may contain part of a key", async () => {
    const { send, until, out } = start();
    send("sk-ant-a1", '{"type":"prompt","message":"sk-ant-b2', '{"type":"prompt",sk-ant-c3}', {
      id: 1,
      type: "get_state",
    });
    await until(response(1));
    expect(out()).not.toContain("sk-");
    expect(out().match(/"error":"Not valid JSON"/g)).toHaveLength(3);
  });

  test("S9: ignores a byte order mark before the first command", async () => {
    const { send, until } = start();
    send('\uFEFF{"id":1,"type":"get_state"}');
    expect(await until((line) => line.type === "response")).toMatchObject({ id: 1, success: true });
  });

  test("S9: skips an overlong line, and the response names the limit", async () => {
    const { send, until, lines } = start();
    const most = 16 * 1024 * 1024;
    // Even if it begins like a blank line.
    send(" ".repeat(most + 1), `{"type":"prompt","message":"${"x".repeat(most)}"}`, { id: 1, type: "get_state" });
    await until(response(1));
    const error = `Line skipped: longer than ${most} characters`;
    expect(lines.slice(0, -1)).toEqual(Array(2).fill({ type: "response", command: "parse", success: false, error }));
  });

  test("S9: abort_retry during a wait responds at once and ends the prompt", async () => {
    const { send, until, lines } = start(LONG_MS);
    send({ type: "prompt", message: "down" });
    await until(ofType("auto_retry_start"));
    send({ id: "s", type: "get_state" }, { id: "a", type: "abort_retry" });
    expect(await until(response("s"))).toMatchObject({
      data: { isRetrying: true, retryAttempt: 1, isStreaming: true },
    });
    expect(await until(response("a"))).toMatchObject({ success: true, data: { cancelled: true } });
    expect(await until(ofType("agent_end"))).toMatchObject({ status: "error", error: "HTTP 503: busy (1)" });
    expect(lines.find(ofType("auto_retry_end"))).toMatchObject({
      type: "auto_retry_end",
      success: false,
      attempt: 1,
      finalError: "Retry cancelled",
    });
  });

  test("S9: answers acknowledged prompts in order after stdin has ended", async () => {
    const { send, lines, child, ended } = start();
    send({ id: "1", type: "prompt", message: "busy 1" }, { id: "2", type: "prompt", message: "second" });
    child.stdin.end();
    expect(await ended).toBe(0);
    expect(lines.filter(ofType("agent_end"))).toHaveLength(2);
    const said = lines.filter(ofType("message_delta")).map(({ delta }) => delta);
    expect(said).toEqual(["You said: busy 1", "You said: second"]);
  });

  test("S9: a slow reader loses nothing", async () => {
    const { send, lines, child, ended } = start();
    child.stdout.pause();
    send({ type: "prompt", message: "long" }, { id: "x", type: "get_state" });
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.stdout.resume();
    child.stdin.end();
    expect(await ended).toBe(0);
    const text = lines
      .filter(ofType("message_delta"))
      .map(({ delta }) => delta)
      .join("");
    const end = lines.filter(ofType("message_end")).at(-1) as { message?: { parts?: { text: string }[] } };
    expect(text).toBe(end.message?.parts?.[0]?.text);
    expect(text).toContain("49999 bottles");
    expect(lines.some(response("x"))).toBe(true);
  });

  test("S9: a signal ends the process and the running prompt at once", async () => {
    const { send, until, child, ended, lines } = start(LONG_MS);
    send({ type: "prompt", message: "down" });
    await until(ofType("auto_retry_start"));
    child.kill("SIGTERM");
    expect(await ended).toBe(130);
    expect(lines.at(-1)).toEqual({ type: "agent_end", status: "aborted" });
  });

  test.each([
    ["rpc", "an empty id", ""],
    ["rpc", "an overlong id", "x".repeat(501)],
    ["console", "an empty id", ""],
    ["console", "an overlong id", "x".repeat(501)],
  ])("S6: %s --conversation rejects %s", async (command, _, id) => {
    const home = await mkdtemp(join(tmpdir(), "secondwind-id-"));
    const { code, out, err } = await runCli([command, "--conversation", id], "Hello\n", { SECONDWIND_HOME: home });
    await rm(home, { recursive: true, force: true });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^secondwind: --conversation must be a text of 1 to 500 characters.*; got ".{0,61}"\n$/);
  });

  test("S9: --help lists the commands", async () => {
    const { code, out } = await runCli(["rpc", "--help"]);
    expect([code, out.includes("set_auto_retry")]).toEqual([0, true]);
  });
});

describe("RpcClient", () => {
  test("S9: RpcClient runs setAutoRetry, abortRetry and all other commands on a real process", async () => {
    const { client, events, until } = await connect(LONG_MS);
    await client.setAutoRetry(false);
    expect(await client.getState()).toMatchObject({ autoRetryEnabled: false, isRetrying: false });
    await client.setAutoRetry(true);
    await client.prompt("busy 1");
    await until("auto_retry_start");
    expect(await client.retryNow()).toBe(true);
    await until("agent_end");
    expect(events.at(-1)).toEqual({ type: "agent_end", status: "done" });
    expect(await client.getMessages()).toHaveLength(2);
    expect(await client.abortRetry()).toBe(false);
    await client.prompt("down");
    await expect(client.setModel("nobody/knows")).rejects.toThrow("known provider");
    await client.setModel("sim/two");
    while (!(await client.getState()).isRetrying) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await client.abortRetry()).toBe(true);
    await client.prompt("hang");
    while (!events.some((event) => event.type === "message_delta" && event.delta === "You said: hang"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await client.steer("never mind");
    await client.abort();
    expect(events.at(-1)).toEqual({ type: "agent_end", status: "aborted" });
    await expect(client.steer("anyone?")).rejects.toThrow("No prompt is running");
  });

  test("S9: RpcClient rejects every command once the session has ended", async () => {
    const script = `process.stdin.once("data", () => {
      console.log('{"id":"c1","type":"response","command":"get_state","success":true}');
      process.stdin.once("data", () => { process.stderr.write("out of luck"); process.exitCode = 3; process.stdin.destroy(); });
    })`;
    const gone = await RpcClient.start({ program: ["-e", script] });
    await expect(gone.getState()).rejects.toThrow("The session ended before it responded (exit code 3: out of luck)");
    await gone.close();
    await expect(gone.prompt("Hello")).rejects.toThrow("The session has ended (exit code 3: out of luck)");
  });
});
