import { expect, test } from "vitest";
import { calls, emits, says } from "../../../support/scripted-provider.ts";
import { ChatWorld } from "./chat-world.ts";

const echo = { spec: { name: "echo", description: "", parameters: {} }, run: () => "echoed" };

const said = async (world: ChatWorld): Promise<unknown[]> =>
  (await world.service.open("c1")).lines.flatMap((line) =>
    line.type === "message" ? [line.message.role === "user" ? line.message.content : line.message.role] : [],
  );

test("K6: a steering message is given to the model with the next step, and stored in its place", async () => {
  const world = new ChatWorld([[{ type: "pause", ms: 100 }, ...calls(["a", "echo"])], says("done")], { tools: [echo] });
  const client = world.follow("c1");
  await world.service.send({ conversationId: "c1", message: "Hello" });
  await world.service.steer("c1", "look here");
  await world.sealed();
  expect(client.of("steering")).toMatchObject([{ content: "look here" }]);
  expect(world.acme.requests[1]?.messages.at(-1)).toEqual({ role: "user", content: "look here" });
  expect(await said(world)).toEqual(["Hello", "assistant", "tool", "look here", "assistant"]);
});

test("K6: a steering message whose turn fails first stays in the conversation and is answered with the next turn", async () => {
  const world = new ChatWorld([emits(503), emits(400), says("both")]);
  const client = world.follow("c1");
  await world.service.send({ conversationId: "c1", message: "Hello" });
  await world.service.steer("c1", "and this");
  await world.sealed();
  expect(client.types.slice(-3)).toEqual(["error", "steering", "turn-sealed"]);
  expect(await said(world)).toEqual(["Hello", "assistant", "and this"]);
  await world.service.continue("c1", {});
  await world.sealed();
  expect(world.acme.requests.at(-1)?.messages).toEqual([
    { role: "user", content: "Hello" },
    { role: "user", content: "and this" },
  ]);
});

test("K6: a steering message survives the end of the process", async () => {
  const world = new ChatWorld([emits(503), says("answer")]);
  await world.service.send({ conversationId: "c1", message: "Hello" });
  await world.service.steer("c1", "and this");
  const stored = await world.store.conversations.read("c1");
  const other = new ChatWorld([says("answer")]);
  await other.store.conversations.create({ id: "c1", title: "" });
  await other.store.conversations.append(
    "c1",
    stored.map(({ type, data }) => ({ type, data })),
  );
  expect((await other.service.open("c1")).state).toBe("interrupted");
  await other.service.continue("c1", {});
  await other.sealed();
  expect(other.acme.requests[0]?.messages.map((one) => one.role === "user" && one.content)).toEqual([
    "Hello",
    "and this",
  ]);
  await world.sealed();
});

test("K6: steering without a running turn is refused with a hint at what to do", async () => {
  const world = new ChatWorld([says("done")]);
  await expect(world.service.steer("c1", "hello?")).rejects.toMatchObject({
    status: 409,
    message: "No turn is running in this conversation. Send the message instead",
  });
  await world.ask("Hello");
  await expect(world.service.steer("c1", "hello?")).rejects.toMatchObject({ status: 409 });
});

test("K6: a steering message that can't be stored is refused and never sent", async () => {
  const world = new ChatWorld([emits(503), says("done")]);
  const { conversations } = world.store;
  const append = conversations.append.bind(conversations);
  await world.service.send({ conversationId: "c1", message: "Hello" });
  conversations.append = async () => {
    throw new Error("disk full");
  };
  await expect(world.service.steer("c1", "lost?")).rejects.toThrow("disk full");
  conversations.append = append;
  await world.sealed();
  expect(JSON.stringify(world.acme.requests)).not.toContain("lost?");
});
