import { describe, expect, test } from "vitest";
import { addEntry, type Context, readEntries } from "../../../../src/session/record/context.ts";
import { calls, emits, partly, says } from "../../../support/scripted-provider.ts";
import { ChatWorld } from "./chat-world.ts";

const contextOf = async (world: ChatWorld): Promise<Context> =>
  readEntries(await world.store.conversations.read("c1")).reduce<Context>(addEntry, []);

describe("continue", () => {
  test("K6: after a failure the last message is answered again; the failed answer stays stored and leaves the context", async () => {
    const world = new ChatWorld([partly("Once", ...emits(503)), says("Once upon a time")]);
    await world.ask("Tell");
    const client = world.follow("c1");
    const started = await world.service.continue("c1", {});
    await world.sealed();
    expect(started.conversationId).toBe("c1");
    expect(client.types).not.toContain("user-message");
    expect(world.acme.requests[1]?.messages).toEqual([{ role: "user", content: "Tell" }]);
    const view = await world.service.open("c1");
    expect(view.state).toBe("idle");
    expect(view.lines).toMatchObject([
      { message: { content: "Tell" } },
      { message: { stopReason: "error" } },
      { message: { stopReason: "end" } },
    ]);
  });

  test("K6: a process that ends in the middle of a wait leaves an interrupted conversation, which can be continued", async () => {
    const world = new ChatWorld([emits(529), emits(529), says("there")]);
    const dead = world.service;
    await dead.send({ conversationId: "c1", message: "Hello", policy: "session" });
    await world.time.advance(1000);
    const { acme } = world;
    world.restart();
    const listed = await world.service.list();
    expect(listed).toMatchObject([{ id: "c1", state: "interrupted" }]);
    expect(await world.service.open("c1")).toMatchObject({
      state: "interrupted",
      policy: "session",
      model: "acme/large",
    });
    dead.abort("c1");
    await world.service.continue("c1", {});
    await world.sealed();
    expect(acme.requests.at(-1)?.messages).toEqual([{ role: "user", content: "Hello" }]);
    expect((await world.service.open("c1")).state).toBe("idle");
  });

  test("K6: a process that ends between a tool call and its result can be continued", async () => {
    const world = new ChatWorld([says("on it")]);
    await world.store.conversations.create({ id: "c1", title: "t" });
    const call = { type: "tool-call", id: "a", name: "echo", arguments: {} };
    await world.store.conversations.append("c1", [
      { type: "message", data: { role: "user", content: "Hello" } },
      { type: "message", data: { role: "assistant", parts: [call], model: "acme/large", stopReason: "tool-use" } },
    ]);
    expect((await world.service.open("c1")).state).toBe("interrupted");
    await world.service.continue("c1", {});
    await world.sealed();
    expect(world.acme.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "a", isError: true });
  });

  test("K6: what has its answer, and what does not exist, can't be continued", async () => {
    const world = new ChatWorld([says("there")]);
    await expect(world.service.continue("c1", {})).rejects.toMatchObject({ status: 404 });
    await world.ask("Hello");
    await expect(world.service.continue("c1", {})).rejects.toMatchObject({ status: 409 });
    expect((await world.service.open("c1")).state).toBe("idle");
  });
});

describe("resend", () => {
  test("K6: an edited message takes the place of the old one and of what followed it", async () => {
    const world = new ChatWorld([says("one"), says("two"), says("three")]);
    await world.ask("first");
    await world.ask("second");
    const view = await world.service.open("c1");
    const second = view.lines.find((line) => line.type === "message" && line.message.role === "user" && line.seq > 2);
    await world.service.resend("c1", { seq: second?.seq ?? 0, message: "second, better" });
    await world.sealed();
    const after = await world.service.open("c1");
    const texts = after.lines.map((line) => line.type === "message" && JSON.stringify(line.message));
    expect(texts).toHaveLength(4);
    expect(texts.join()).toContain("second, better");
    expect(texts.join()).not.toContain('"second"');
    expect(world.acme.requests[2]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    // The terminal's chat reads the same conversation.
    expect((await contextOf(world)).map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    expect(await world.store.conversations.read("c1")).toHaveLength(13);
  });

  test("K6: the first message can be edited, and a message can be edited twice", async () => {
    const world = new ChatWorld([says("answer")]);
    await world.ask("a");
    for (const message of ["b", "c"]) {
      const [first] = (await world.service.open("c1")).lines;
      await world.service.resend("c1", { seq: first?.seq ?? 0, message });
      await world.sealed();
    }
    expect((await contextOf(world))[0]).toEqual({ role: "user", content: "c" });
    expect(world.acme.requests.at(-1)?.messages).toEqual([{ role: "user", content: "c" }]);
  });

  test("K6: only a user message that stands in the conversation can be edited", async () => {
    const world = new ChatWorld([says("answer")]);
    await world.ask("a");
    const { lines } = await world.service.open("c1");
    const before = await world.store.conversations.read("c1");
    for (const seq of [99, lines[1]?.seq ?? 0, 1]) {
      await expect(world.service.resend("c1", { seq, message: "b" })).rejects.toMatchObject({
        status: 400,
        field: "seq",
      });
    }
    expect(await world.store.conversations.read("c1")).toEqual(before);
    expect((await world.service.open("c1")).state).toBe("idle");
  });
});

describe("drain", () => {
  test("K6: a turn that ends in time is finished; no other is accepted meanwhile", async () => {
    const world = new ChatWorld([[{ type: "pause", ms: 20 }, ...says("there")]]);
    await world.service.send({ conversationId: "c1", message: "Hello" });
    const drained = world.service.drain(60_000);
    await expect(world.service.send({ conversationId: "c2", message: "late" })).rejects.toMatchObject({ status: 503 });
    await world.time.advance(50);
    await drained;
    expect((await world.service.open("c1")).state).toBe("idle");
  });

  test("K6: a turn that waits for longer is stored as interrupted at once, and can be continued after a restart", async () => {
    const world = new ChatWorld([emits(529, "HTTP 529", { "retry-after": "3600" }), says("there")]);
    const client = world.follow("c1");
    await world.service.send({ conversationId: "c1", message: "Hello" });
    await world.time.advance(10);
    await world.service.drain(30_000);
    expect(client.of("turn-sealed")).toMatchObject([{ status: "aborted" }]);
    expect((await world.service.open("c1")).state).toBe("interrupted");
    world.restart();
    expect((await world.service.list())[0]?.state).toBe("interrupted");
    await world.service.continue("c1", {});
    await world.sealed();
    expect((await world.service.open("c1")).state).toBe("idle");
  });

  test("K6: a partial answer of an interrupted turn stays stored and leaves the context", async () => {
    const world = new ChatWorld([partly("Once", { type: "hang" }), says("Once upon")]);
    await world.service.send({ conversationId: "c1", message: "Tell" });
    await world.time.advance(10);
    await world.service.drain(0);
    const view = await world.service.open("c1");
    expect(view.state).toBe("interrupted");
    expect(view.lines.at(-1)).toMatchObject({ message: { stopReason: "error", parts: [{ text: "Once" }] } });
    world.restart();
    await world.service.continue("c1", {});
    await world.sealed();
    expect(world.acme.requests[1]?.messages).toEqual([{ role: "user", content: "Tell" }]);
  });

  test("K6: without a running turn there is nothing to wait for", async () => {
    const world = new ChatWorld([calls()]);
    await world.service.drain(1_000_000);
    expect(world.service.running).toBe(0);
  });
});
