import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { bundledChild } from "../../support/bundled-child.ts";
import { runCli } from "../../support/run-cli.ts";
import { ofType, type RpcChild, response, startRpcChild } from "./rpc-child.ts";

const PROGRAM = bundledChild(join(import.meta.dirname, "real-entry.ts"));
const started: RpcChild[] = [];
let home: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-rpc-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill("SIGKILL");
});

/** The host on real parts, with an empty environment except for the store. */
function start(...args: readonly string[]): RpcChild {
  const child = startRpcChild([PROGRAM, ...args], { HOME: home });
  started.push(child);
  return child;
}

const storePath = (): string => join(home, ".local", "share", "secondwind", "secondwind.db");

/** Stores settings. */
async function settings(values: Readonly<Record<string, unknown>>): Promise<void> {
  const store = await openStore({ path: storePath() });
  for (const [key, value] of Object.entries(values)) await store.config.set(key, value);
  await store.close();
}

describe("secondwind rpc on real parts", () => {
  test("S9: answers a prompt without a key and without a store", async () => {
    const { code, out, err } = await runCli(["rpc"], '{"type":"prompt","message":"echo: hi there"}\n', { HOME: home });
    expect([code, err]).toEqual([0, ""]);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; message?: unknown });
    expect(lines.at(-1)).toEqual({ type: "agent_end", status: "done" });
    expect(lines.findLast(ofType("message_end"))?.message).toMatchObject({
      model: "sim/sonnet",
      parts: [{ type: "text", text: "hi there" }],
    });
  });

  test("S7, S9: an overloaded provider gives retry events with its own message", async () => {
    await settings({ "retry.baseDelayMs": 20 });
    const { send, until, lines, child, ended, err } = start("--model", "sim/overloaded-twice");
    send({ type: "prompt", message: "echo: good morning" });
    expect(await until(ofType("agent_end"))).toMatchObject({ status: "done" });
    expect(lines.filter(({ type }) => String(type).startsWith("auto_retry"))).toEqual([
      expect.objectContaining({
        attempt: 1,
        delayMs: 20,
        errorMessage: expect.stringMatching(/^HTTP 529: .*Overloaded/),
      }),
      expect.objectContaining({
        attempt: 2,
        delayMs: 40,
        errorMessage: expect.stringMatching(/^HTTP 529: .*Overloaded/),
      }),
      { type: "auto_retry_end", success: true, attempt: 2, cancelled: false },
    ]);
    child.stdin.end();
    expect([await ended, err()]).toEqual([0, ""]);
  });

  test("S8, S9: abort_retry ends a wait at once, and the next process reads the stored setting", async () => {
    await settings({ "retry.baseDelayMs": 200_000 });
    const first = start("--model", "sim/down");
    first.send({ type: "prompt", message: "Hello" });
    await first.until(ofType("auto_retry_start"));
    const before = performance.now();
    first.send({ id: "a", type: "abort_retry" });
    expect(await first.until(response("a"))).toMatchObject({ success: true, data: { cancelled: true } });
    await first.until(ofType("agent_end"));
    expect(performance.now() - before).toBeLessThan(5000);
    first.send({ id: "off", type: "set_auto_retry", enabled: false });
    await first.until(response("off"));
    first.child.stdin.end();
    expect(await first.ended).toBe(0);
    const second = start("--model", "sim/down");
    second.send({ id: "s", type: "get_state" }, { type: "prompt", message: "Hello" });
    expect(await second.until(response("s"))).toMatchObject({ data: { autoRetryEnabled: false } });
    await second.until(ofType("agent_end"));
    expect(second.lines.some(ofType("auto_retry_start"))).toBe(false);
    await settings({ "retry.enabled": true, "retry.baseDelayMs": 20 });
  });

  test("S9: survives invalid lines, answers prompts in order and loses nothing for a slow reader", async () => {
    const { send, lines, child, ended } = start("--model", "sim/ok-100");
    child.stdout.pause();
    send("garbage", "\u0000\u0001", { type: "prompt", message: "first" }, '{"type":', {
      type: "prompt",
      message: "echo: second",
    });
    send({ id: "x", type: "get_state" });
    child.stdin.end();
    await new Promise((resolve) => setTimeout(resolve, 500));
    child.stdout.resume();
    expect(await ended).toBe(0);
    expect(lines.filter((line) => line.command === "parse")).toHaveLength(3);
    expect(lines.filter(ofType("agent_end"))).toEqual(Array(2).fill({ type: "agent_end", status: "done" }));
    const ends = lines.filter(ofType("message_end")) as {
      messageId: string;
      message: { parts?: { text: string }[] };
    }[];
    const said = (id: unknown): string =>
      lines
        .filter((line) => line.type === "message_delta" && line.messageId === id)
        .map(({ delta }) => delta)
        .join("");
    const answers = ends.flatMap(({ messageId, message }) =>
      message.parts ? [[said(messageId), message.parts[0]?.text]] : [],
    );
    expect(answers).toHaveLength(2);
    for (const [shown, whole] of answers) expect(shown).toBe(whole);
    expect(answers[1]?.[0]).toBe("second");
    expect(lines.some(response("x"))).toBe(true);
  });

  test("S5: the next process avoids a model that cools down", async () => {
    await settings({ "retry.fallbackChains": { default: ["sim/quota", "sim/ok"] } });
    const first = start();
    first.send({ type: "prompt", message: "Hello" });
    expect(await first.until(ofType("agent_end"))).toMatchObject({ status: "done" });
    first.child.kill("SIGKILL");
    await first.ended;
    const asked = (lines: RpcChild["lines"]): unknown[] =>
      lines.filter(ofType("message_end")).flatMap(({ message }) => (message as { model?: string }).model ?? []);
    expect(new Set(asked(first.lines))).toEqual(new Set(["sim/quota", "sim/ok"]));
    const second = start();
    second.send({ type: "prompt", message: "Hello again" });
    expect(await second.until(ofType("agent_end"))).toMatchObject({ status: "done" });
    expect(asked(second.lines)).toEqual(["sim/ok"]);
    await settings({ "retry.fallbackChains": {} });
  });
});
