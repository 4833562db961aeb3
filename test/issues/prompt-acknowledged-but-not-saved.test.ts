import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { serveRpc } from "../../src/hosts/rpc/serve-rpc.ts";
import { StoreError } from "../../src/store/index.ts";
import { SessionWorld } from "../session/sessions.ts";
import { says } from "../support/scripted-provider.ts";

const FULL = new StoreError("full", "The database s.db could not be written: the disk is full.");
const HANGS = [{ type: "pause", ms: 1_000_000 }, ...says("never")] as const;

const contents = (world: SessionWorld): unknown[] =>
  world.kept().map(({ data }) => (data as { content?: unknown }).content);

type Line = Readonly<Record<string, unknown>>;

/** Serves a session; `send` hands over one command. */
async function served(world: SessionWorld) {
  const session = await world.open();
  const lines: Line[] = [];
  const output = Object.assign(new EventEmitter(), {
    write: (chunk: string) => lines.push(JSON.parse(chunk) as Line) > 0,
  });
  const waiting: string[] = [];
  let wake: () => void = () => undefined;
  let isEnded = false;
  async function* input(): AsyncGenerator<string> {
    while (!isEnded || waiting.length > 0) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  const ended = serveRpc({ session, redact: (value) => value, input: input(), output });
  const send = async (command: object): Promise<void> => {
    waiting.push(`${JSON.stringify(command)}\n`);
    wake();
    await world.time.advance(10);
  };
  const end = async (): Promise<void> => {
    isEnded = true;
    wake();
    await world.time.until(ended);
  };
  return { session, lines, send, end, responses: () => lines.filter(({ type }) => type === "response") };
}

const refused = (id: number, command: string) => ({
  ...{ id, type: "response", command, success: false, error: FULL.message },
});

describe("a message that could not be saved", () => {
  test("S9: a prompt gets a failure with the reason, is not sent, and leaves no trace", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [says("there")]);
    const { session, lines, send, end } = await served(world);
    world.conversations.fault = FULL;
    await send({ id: 1, type: "prompt", message: "lost" });
    expect(lines).toEqual([refused(1, "prompt")]);
    expect(provider.requests).toEqual([]);
    expect(session.messages).toEqual([]);
    expect(session.isStreaming).toBe(false);
    world.conversations.fault = undefined;
    await send({ id: 2, type: "prompt", message: "kept" });
    await end();
    expect(lines[1]).toEqual({ id: 2, type: "response", command: "prompt", success: true });
    expect(contents(world)).toEqual(["kept", undefined]);
    expect(provider.requests.map(({ messages }) => messages)).toEqual([[{ role: "user", content: "kept" }]]);
  });

  test("S9: a queued prompt is refused at once, not when its turn comes", async () => {
    const world = new SessionWorld();
    world.provider("acme", [HANGS]);
    const { session, responses, send, end } = await served(world);
    await send({ id: 1, type: "prompt", message: "long" });
    world.conversations.fault = FULL;
    await send({ id: 2, type: "prompt", message: "queued" });
    expect(responses()).toEqual([{ id: 1, type: "response", command: "prompt", success: true }, refused(2, "prompt")]);
    world.conversations.fault = undefined;
    await session.abort();
    expect(session.isStreaming).toBe(false);
    await end();
    expect(contents(world)).not.toContain("queued");
  });

  test("S9: a steering message is refused, and the model never reads it", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [[{ type: "pause", ms: 100 }, ...says("one")], says("two")]);
    const { responses, send, end } = await served(world);
    await send({ id: 1, type: "prompt", message: "Hello" });
    world.conversations.fault = FULL;
    await send({ id: 2, type: "steer", message: "lost" });
    world.conversations.fault = undefined;
    await send({ id: 3, type: "steer", message: "heard" });
    await end();
    expect(responses().slice(1)).toEqual([
      refused(2, "steer"),
      { id: 3, type: "response", command: "steer", success: true },
    ]);
    expect(JSON.stringify(provider.requests)).not.toContain("lost");
    expect(provider.requests.at(-1)?.messages.at(-1)).toEqual({ role: "user", content: "heard" });
    expect(world.event("warning")).toEqual([]);
  });

  test("S9: a prompt that brings along what an earlier process left behind takes both or none", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [HANGS, says("there")]);
    const earlier = await world.open();
    void earlier.prompt("one");
    void earlier.prompt("left behind");
    await world.time.advance(10);
    const session = await world.open();
    world.conversations.fault = FULL;
    await expect(session.prompt("two", () => undefined)).rejects.toBe(FULL);
    world.conversations.fault = undefined;
    await world.time.until(session.prompt("two", () => undefined));
    expect(provider.requests.at(-1)?.messages.map((message) => "content" in message && message.content)).toEqual([
      "one",
      "left behind",
      "two",
    ]);
  });

  test("S6: without the callback a prompt is answered from memory, with a warning", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    world.conversations.fault = FULL;
    expect(await world.time.until(session.prompt("Hello"))).toEqual({ status: "done" });
    expect(world.types()[0]).toBe("warning");
  });
});
