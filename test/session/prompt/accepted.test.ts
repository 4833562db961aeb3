import { describe, expect, test } from "vitest";
import { says } from "../../support/scripted-provider.ts";
import { SessionWorld } from "../sessions.ts";

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
  test("S9: a prompt is acknowledged once its message is stored, before any event about it", async () => {
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

  test("S9: a queued prompt is acknowledged as soon as it is stored, long before its turn", async () => {
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
    const provider = world.provider("acme", [HANGS, says("there"), says("again")]);
    const session = await world.open();
    // The process ends here without a word: nothing of this session is heard again.
    for (const text of ["one", "two", "two"]) void session.prompt(text);
    session.steer("look here");
    await world.time.advance(1000);
    const expected = ["one", "two", "two", "look here"];
    const next = await world.open();
    world.events.length = 0;
    await world.time.until(next.prompt("three"));
    const told = [...expected, "three"].map((content) => ({ role: "user", content }));
    expect(provider.requests.at(-1)?.messages).toEqual(told);
    expect(contents(world, "message").slice(0, -1)).toEqual([...expected, "three"]);
    expect(world.event("message_end").map(({ message }) => message)).toMatchObject([
      ...told.slice(1),
      { role: "assistant" },
    ]);
    expect(world.types()[0]).toBe("agent_start");
    expect((await world.open()).messages).toEqual(next.messages);
    const later = await world.open();
    await world.time.until(later.prompt("four"));
    expect(contents(world, "message").filter((content) => content === "two")).toHaveLength(2);
  });

  test("S8, S9: a steering message that was sent, or dropped with a warning, is not sent again", async () => {
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
    expect(world.event("warning")).toEqual([
      { type: "warning", code: "dropped", message: "Dropped before sending: not heard" },
    ]);
    const before = contents(world);
    expect(JSON.stringify((await world.open()).messages)).not.toContain("not heard");
    expect(contents(world)).toEqual(before);
  });

  test("S8: a prompt that has begun is stored and gets its end even if the session is closed at once", async () => {
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

  test("S6, S9: a prompt that the store could not take is not acknowledged, but rejected", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("there")]);
    const session = await world.open();
    const fault = new Error("disk full");
    world.conversations.fault = fault;
    let isAcknowledged = false;
    const prompt = session.prompt("Hello", () => {
      isAcknowledged = true;
    });
    await expect(prompt).rejects.toBe(fault);
    expect(isAcknowledged).toBe(false);
    expect(world.types()).toEqual([]);
  });
});

describe("a conversation that two sessions hold", () => {
  const SLOW = (text: string) => [{ type: "pause", ms: 1000 } as const, ...says(text)];

  test("S6, S9: opening a session writes nothing, and a prompt queued by another session is sent once", async () => {
    const world = new SessionWorld();
    world.provider("acme", [SLOW("ok1"), SLOW("ok2"), says("ok3")]);
    const session = await world.open();
    const prompts = [session.prompt("first"), session.prompt("second")];
    await world.time.advance(100);
    const before = world.kept().length;
    const other = await world.open();
    await other.whenIdle();
    expect(other.messages).toEqual([{ role: "user", content: "first" }]);
    await other.close();
    expect(world.kept()).toHaveLength(before);
    const late = await world.open();
    await world.time.until(Promise.all(prompts));
    expect(session.messages).toMatchObject([
      { content: "first" },
      { parts: [{ text: "ok1" }] },
      { content: "second" },
      { parts: [{ text: "ok2" }] },
    ]);
    // Settled after it was opened, and before it was spoken to.
    await world.time.until(late.prompt("third"));
    expect(contents(world, "message")).toEqual(["first", undefined, "second", undefined, "third", undefined]);
  });

  test("S6, S9: a queued prompt that another session has sent is not sent again by its own session", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [SLOW("ok1"), says("ok2"), says("never")]);
    const session = await world.open();
    const prompts = [session.prompt("first"), session.prompt("second")];
    session.steer("look here");
    await world.time.advance(100);
    const other = await world.open();
    await world.time.until(other.prompt("third"));
    expect(provider.requests.at(-1)?.messages.map((message) => "content" in message && message.content)).toEqual([
      "first",
      "second",
      "look here",
      "third",
    ]);
    world.events.length = 0;
    expect(await world.time.until(Promise.all(prompts))).toEqual([{ status: "done" }, { status: "aborted" }]);
    expect(provider.requests).toHaveLength(2);
    expect(world.events.slice(-5)).toEqual([
      { type: "warning", message: "Sent by another session of this conversation: look here" },
      { type: "agent_end", status: "done" },
      { type: "warning", message: "Sent by another session of this conversation: second" },
      { type: "agent_start" },
      { type: "agent_end", status: "aborted" },
    ]);
    expect(contents(world, "message").filter((content) => content === "second")).toHaveLength(1);
    expect(world.kept("prompt_dropped")).toEqual([]);
    expect(session.isStreaming).toBe(false);
  });

  test("S6, S9: a steering message that another session has sent is not reported as dropped", async () => {
    const world = new SessionWorld();
    world.provider("acme", [HANGS, says("ok")]);
    const session = await world.open();
    const prompt = session.prompt("first");
    session.steer("look here");
    await world.time.advance(100);
    await world.time.until((await world.open()).prompt("second"));
    await session.abort();
    await world.time.until(prompt);
    expect(world.event("warning")).toEqual([
      { type: "warning", message: "Sent by another session of this conversation: look here" },
    ]);
  });

  test("S6, S9: the same words in another session do not stand for those in line", async () => {
    const world = new SessionWorld();
    world.provider("acme", [HANGS, says("ok"), says("ok")]);
    const session = await world.open();
    for (const text of ["first", "yes"]) void session.prompt(text);
    await world.time.advance(100);
    world.conversations.append("c1", [{ type: "message", data: { role: "user", content: "yes" } }]);
    await world.time.until((await world.open()).prompt("third"));
    expect(contents(world, "message").slice(0, -1)).toEqual(["first", "yes", "yes", "third"]);
  });

  test("S6, S9: what an older version left has no id, and is found by its words", async () => {
    const world = new SessionWorld();
    world.provider("acme", [says("ok"), says("ok")]);
    await world.conversations.create({ id: "c1", title: "old" });
    await world.conversations.append("c1", [
      { type: "prompt", data: { content: "a" } },
      { type: "prompt", data: { content: "b" } },
      { type: "prompt", data: { content: "c" } },
      { type: "message", data: { role: "user", content: "b" } },
      { type: "prompt_dropped", data: { content: "c" } },
    ]);
    for (const text of ["one", "two"]) await world.time.until((await world.open()).prompt(text));
    expect(contents(world, "message")).toEqual(["b", "a", "one", undefined, "two", undefined]);
  });

  test("S6, S9: earlier prompts that can't be read wait for the next prompt, and a queued prompt is still sent", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [HANGS, SLOW("ok"), says("ok"), says("ok")]);
    const left = await world.open();
    for (const text of ["first", "left"]) void left.prompt(text);
    await world.time.advance(100);
    const session = await world.open();
    const read = world.conversations.read;
    world.conversations.read = () => Promise.reject(new Error("locked"));
    await world.time.until(Promise.all([session.prompt("second"), session.prompt("third")]));
    expect(world.time.faults.map(({ where }) => where)).toEqual(["conversation store", "conversation store"]);
    world.conversations.read = read;
    await world.time.until(session.prompt("fourth"));
    expect(
      provider.requests.at(-1)?.messages.flatMap((message) => ("content" in message ? message.content : [])),
    ).toEqual(["first", "second", "third", "left", "fourth"]);
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
