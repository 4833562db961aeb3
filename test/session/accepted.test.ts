import { describe, expect, test } from "vitest";
import { says } from "../support/scripted-provider.ts";
import { SessionWorld } from "./sessions.ts";

const HANGS = [{ type: "pause", ms: 1_000_000 }, ...says("never")] as const;

const contents = (world: SessionWorld, type?: string): unknown[] =>
  world.kept(type).map(({ data }) => (data as { content?: unknown }).content);

/** A gate before each write, closed until it is opened. */
function gated(world: SessionWorld): () => void {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  world.conversations.gate = () => opened;
  return open;
}

describe("what was accepted", () => {
  test("S9: a prompt is acknowledged when its message is in the store, and before anything is told of it", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    const open = gated(world);
    const seen: unknown[] = [];
    const prompt = session.prompt("Hello", () => seen.push(contents(world), world.types()));
    await world.time.advance(1000);
    expect(seen).toEqual([]);
    open();
    await world.time.until(prompt);
    expect(seen).toEqual([["Hello"], []]);
    expect(world.types().slice(0, 3)).toEqual(["agent_start", "message_start", "message_end"]);
  });

  test("S9: a prompt that has to wait is acknowledged when it is kept, long before its turn", async () => {
    const world = new SessionWorld();
    world.provider("acme", [HANGS, says("there")]);
    const session = await world.open();
    const kept: unknown[] = [];
    const first = session.prompt("one", () => kept.push(contents(world)));
    const second = session.prompt("two", () => kept.push(contents(world)));
    await world.time.advance(1000);
    expect(kept).toEqual([["one"], ["one", "two"]]);
    await session.abort();
    await world.time.until(Promise.all([first, second]));
    expect(contents(world, "prompt")).toEqual(["two"]);
    expect(session.messages).toMatchObject([{ content: "one" }, { content: "two" }, { role: "assistant" }]);
  });

  test("S6, S9: what never came to its turn is in the conversation when it is taken up again, and once", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [HANGS, says("there")]);
    const session = await world.open();
    // The process ends here without a word: nothing of this session is heard again.
    for (const text of ["one", "two", "two"]) void session.prompt(text);
    session.steer("look here");
    await world.time.advance(1000);
    const expected = ["one", "two", "two", "look here"];
    for (const _ of [1, 2]) {
      const next = await world.open();
      expect(next.messages).toEqual(expected.map((content) => ({ role: "user", content })));
      expect(contents(world, "message")).toEqual(expected);
    }
    const next = await world.open();
    await world.time.until(next.prompt("three"));
    expect(provider.requests.at(-1)?.messages).toEqual(
      [...expected, "three"].map((content) => ({ role: "user", content })),
    );
  });

  test("S8, S9: what was said, or dropped with a warning, is not said again", async () => {
    const world = new SessionWorld();
    world.provider("acme", [[{ type: "pause", ms: 100 }, ...says("one")], says("two"), HANGS]);
    const session = await world.open();
    const first = session.prompt("Hello");
    session.steer("heard");
    await world.time.until(first);
    const second = session.prompt("again");
    session.steer("not heard");
    await world.time.advance(1000);
    await session.abort();
    await world.time.until(second);
    expect(world.event("warning")).toEqual([{ type: "warning", message: "Not said any more: not heard" }]);
    const before = contents(world);
    expect(JSON.stringify((await world.open()).messages)).not.toContain("not heard");
    expect(contents(world)).toEqual(before);
  });

  test("S8: a prompt that has begun is kept and has its end, though the session is closed in the same breath", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    const prompts = [session.prompt("one"), session.prompt("two")];
    const closed = session.close();
    expect(session.steer("three")).toBe(false);
    await expect(session.prompt("three")).rejects.toThrow("closed");
    await world.time.until(closed);
    expect(await Promise.all(prompts)).toEqual([{ status: "aborted" }, { status: "aborted" }]);
    expect(contents(world)).toEqual(["one", "two"]);
    expect(world.types()).toEqual(["agent_start", "message_start", "message_end", "agent_end"]);
    expect(session.isStreaming).toBe(false);
  });

  test("S6, S9: a store that fails has warned before the prompt is acknowledged", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    world.conversations.fault = new Error("disk full");
    const before: string[] = [];
    expect((await world.time.until(session.prompt("Hello", () => before.push(...world.types())))).status).toBe("done");
    expect(before).toEqual(["warning"]);
  });
});

describe("the id of a conversation", () => {
  test.each([
    ["nothing", ""],
    ["too much", "x".repeat(501)],
    ["a NUL", "a\0b"],
  ])("S6: %s is refused at once: the store would not take it", async (_, conversationId) => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const opened = world.open({ conversationId });
    await expect(opened).rejects.toThrow(/^conversationId must be a text of 1 to 500 characters.*; got ".{0,70}$/);
    await expect(opened).rejects.toMatchObject({ name: "InvalidInput", field: "conversationId" });
  });
});
