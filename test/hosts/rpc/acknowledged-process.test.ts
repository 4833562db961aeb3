import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import { bundledChild } from "../../support/bundled-child.ts";
import { ofType, type RpcChild, response, startRpcChild } from "./rpc-child.ts";

const PROGRAM = bundledChild(join(import.meta.dirname, "real-entry.ts"));
const ROUNDS = 6;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-acknowledged-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

function start(conversation: string, model = "sim/down"): RpcChild {
  return startRpcChild([PROGRAM, "--conversation", conversation, "--model", model], { SECONDWIND_HOME: home });
}

async function keptTexts(conversation: string): Promise<unknown[]> {
  const store = await openStore({ path: join(home, "secondwind.db") });
  const entries = await store.conversations.read(conversation).catch(() => []);
  await store.close();
  return entries.map(({ data }) => (data as { content?: unknown }).content);
}

describe("acknowledged prompts of secondwind rpc", () => {
  test("S9: an acknowledged prompt or steering message is in the store even after kill -9", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { send, until, child, ended } = start(`talk-${round}`);
      const commands = [
        { id: "1", type: "prompt", message: "first" },
        { id: "2", type: "prompt", message: "second" },
        { id: "3", type: "steer", message: "third" },
      ].slice(0, 1 + (round % 3));
      send(...commands);
      const last = response(commands.at(-1)?.id);
      child.stdout.prependListener("data", (chunk: string) => {
        if (chunk.includes(`"id":"${commands.length}"`)) child.kill("SIGKILL");
      });
      expect(await until(last)).toMatchObject({ success: true });
      expect(await ended).toBe(null);
      const kept = await keptTexts(`talk-${round}`);
      for (const { message } of commands) expect(kept).toContain(message);
    }
  }, 60_000);

  test("S6, S9: a queued prompt that was never answered reaches the model when the conversation is resumed", async () => {
    const first = start("left");
    first.send({ id: "1", type: "prompt", message: "first" }, { id: "2", type: "prompt", message: "second" });
    await first.until(response("2"));
    first.child.kill("SIGKILL");
    await first.ended;
    const next = start("left", "sim/ok");
    next.send({ id: "m", type: "get_messages" }, { type: "prompt", message: "echo: third" });
    const { data } = await next.until(response("m"));
    expect(data).toEqual({ messages: [{ role: "user", content: "first" }] });
    await next.until(ofType("agent_end"));
    next.send({ id: "n", type: "get_messages" });
    expect(await next.until(response("n"))).toMatchObject({
      data: {
        messages: [{ content: "first" }, { content: "second" }, { content: "echo: third" }, { role: "assistant" }],
      },
    });
    next.child.stdin.end();
    expect(await next.ended).toBe(0);
  }, 30_000);

  test("S6, S9: a second process that only reads the conversation writes nothing", async () => {
    const first = start("watched");
    first.send({ id: "1", type: "prompt", message: "first" }, { id: "2", type: "prompt", message: "second" });
    await first.until(response("2"));
    const said = async (): Promise<unknown[]> => (await keptTexts("watched")).filter((text) => text !== undefined);
    const before = await said();
    const other = start("watched");
    other.send({ id: "m", type: "get_messages" });
    expect(await other.until(response("m"))).toMatchObject({ data: { messages: [{ content: "first" }] } });
    other.child.stdin.end();
    expect(await other.ended).toBe(0);
    expect([before, await said()]).toEqual([
      ["first", "second"],
      ["first", "second"],
    ]);
    first.child.kill("SIGKILL");
    await first.ended;
  }, 30_000);
});
