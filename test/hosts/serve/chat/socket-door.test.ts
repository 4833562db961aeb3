import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { Provider } from "../../../../src/providers/provider.ts";
import { until } from "../../../support/until.ts";
import { SocketClient, startChat } from "./start-chat.ts";

describe("chat on the WebSocket", () => {
  test("K6: a message gets its events; two tabs get the same", async () => {
    const { url, service } = await startChat();
    const [one, two] = [await SocketClient.open(url), await SocketClient.open(url)];
    one.send({ type: "chat.send", conversationId: "c1", message: "Hello", model: "sim/overloaded-twice" });
    await until(() => service.running === 1);
    two.send({ type: "chat.subscribe", conversationId: "c1" });
    await until(() => one.types.includes("turn-sealed") && two.types.includes("turn-sealed"));
    const joined = (client: SocketClient): string =>
      client.events.map(({ type, text }) => (type === "text-delta" ? text : "")).join("");
    expect(joined(one)).toBe(joined(two));
    expect(one.types.filter((type) => type !== "text-delta")).toEqual(
      two.types.filter((type) => type !== "text-delta"),
    );
    expect(one.types.slice(0, 4)).toEqual(["turn-start", "user-message", "provider-retry", "provider-retry"]);
  });

  test("K6: after `chat.send` the socket follows the conversation, and later turns too, each once", async () => {
    const { url, service } = await startChat();
    const client = await SocketClient.open(url);
    client.send({ type: "chat.send", message: "Hello" });
    await until(() => client.types.includes("turn-sealed"));
    const conversationId = String(client.events[0]?.conversationId);
    client.send({ type: "chat.send", conversationId, message: "Again" });
    await until(() => client.types.filter((type) => type === "turn-sealed").length === 2);
    expect(client.types.filter((type) => type === "turn-start")).toHaveLength(2);
    client.send({ type: "chat.unsubscribe", conversationId });
    client.send("what comes after it is answered after it");
    await until(() => client.errors.length === 1);
    await service.send({ conversationId, message: "Unheard" });
    await until(() => service.running === 0);
    expect(client.types.filter((type) => type === "turn-start")).toHaveLength(2);
  });

  test("K4, K6: an abort and steering from another tab reach the turn", async () => {
    const { url, service } = await startChat();
    const [one, two] = [await SocketClient.open(url), await SocketClient.open(url)];
    one.send({ type: "chat.send", conversationId: "c1", message: "Hello", model: "sim/overloaded" });
    await until(() => one.types.includes("provider-retry"));
    two.send({ type: "chat.steer", conversationId: "c1", content: "And this" });
    two.send({ type: "chat.abort", conversationId: "c1" });
    await until(() => one.types.includes("turn-sealed"));
    expect(one.events.slice(-2)).toMatchObject([
      { type: "steering", content: "And this" },
      { type: "turn-sealed", status: "aborted" },
    ]);
    expect(service.running).toBe(0);
  });

  test("K6: a lost connection does not end the turn, and the next one gets it from its beginning", async () => {
    const { url, service } = await startChat();
    const one = await SocketClient.open(url);
    one.send({ type: "chat.send", conversationId: "c1", message: "Hello", model: "sim/overloaded" });
    await until(() => one.types.includes("provider-retry"));
    one.socket.terminate();
    const two = await SocketClient.open(url);
    two.send({ type: "chat.subscribe", conversationId: "c1" });
    await until(() => two.types.includes("provider-retry"));
    expect(two.types.slice(0, 2)).toEqual(["turn-start", "user-message"]);
    expect(service.running).toBe(1);
  });

  test("K6: a client that does not read is disconnected, and the turn goes on", async () => {
    const piece = "x".repeat(100_000);
    const flood: Provider = {
      name: "flood",
      async *stream() {
        for (let n = 0; n < 600; n++) yield { type: "text", text: piece };
        yield { type: "finish", reason: "end" };
      },
    };
    const { url, service } = await startChat({ more: [flood] });
    const client = await SocketClient.open(url);
    client.send({ type: "chat.send", conversationId: "c1", message: "Hello", model: "flood/x" });
    client.socket.pause();
    await until(() => service.running === 1);
    await until(() => service.running === 0, 10_000);
    expect((await service.open("c1")).state).toBe("idle");
    client.socket.resume();
    await until(() => client.socket.readyState === WebSocket.CLOSED);
    expect(client.types).not.toContain("turn-sealed");
  });

  test.each<[unknown, string | RegExp]>([
    ["no json", "A message must be JSON"],
    ["", "A message must be JSON"],
    [[], /^the message: /],
    [null, /^the message: /],
    [{}, /^type must be one of chat\.send, chat\.subscribe/],
    [{ type: "chat.explode" }, /^type must be one of chat\.send/],
    [{ type: "chat.send" }, /^message: /],
    [
      { type: "chat.send", message: "x", conversationId: "a b" },
      "conversationId: must be 1 to 64 letters, digits, - or _",
    ],
    [{ type: "chat.send", message: "x", model: "nobody/x" }, /^model must be of a known provider/],
    [{ type: "chat.steer", conversationId: "c1" }, /^content: /],
    [{ type: "chat.steer", conversationId: "c1", content: "x" }, /^No turn is running/],
    [{ type: "chat.subscribe", conversationId: "nope" }, "Unknown conversation"],
  ])("K6: %j gets a chat.error that names what is wrong", async (message, error) => {
    const { url, faults } = await startChat();
    const client = await SocketClient.open(url);
    client.send(typeof message === "string" ? message : JSON.stringify(message));
    await until(() => client.errors.length === 1);
    if (typeof error === "string") expect(client.errors).toEqual([error]);
    else expect(client.errors[0]).toMatch(error);
    expect(faults).toEqual([]);
    // The connection still works.
    client.send({ type: "chat.send", message: "Hello" });
    await until(() => client.types.includes("turn-sealed"));
  });

  test("K6: a binary frame gets a chat.error", async () => {
    const { url } = await startChat();
    const client = await SocketClient.open(url);
    client.socket.send(Buffer.from([0, 255]), { binary: true });
    await until(() => client.errors.length === 1);
  });

  test("K6: a second message while a turn runs gets a chat.error with the conversation", async () => {
    const { url } = await startChat();
    const client = await SocketClient.open(url);
    const message = { type: "chat.send", conversationId: "c1", message: "Hello", model: "sim/overloaded" };
    client.send(message);
    client.send(message);
    await until(() => client.errors.length === 1);
    expect(client.got.find(({ type }) => type === "chat.error")).toEqual({
      type: "chat.error",
      message: "A turn is running in this conversation. Steer it, abort it or wait for its end",
      conversationId: "c1",
    });
  });
});

describe("activity on the WebSocket", () => {
  test("K6: sends what is under way, then changes, many in one message, until unsubscribed", async () => {
    const { url, service, activity } = await startChat();
    await service.send({ conversationId: "c1", message: "Hello", model: "sim/overloaded" });
    const client = await SocketClient.open(url);
    client.send({ type: "activity.subscribe" });
    client.send({ type: "activity.subscribe" });
    await until(() => client.got.length > 0);
    expect(client.got[0]).toMatchObject({
      type: "activity.delta",
      records: [{ conversationId: "c1" }],
      health: { items: [] },
    });
    const [first] = activity.running();
    for (let n = 0; n < 1000; n++) if (first !== undefined) activity.tell({ ...first, id: `g${n}`, attemptCount: n });
    await new Promise((resolve) => setTimeout(resolve, 350));
    const later = client.got.slice(1) as { records: { id: string }[]; health?: unknown }[];
    expect(later.length).toBeLessThanOrEqual(4);
    expect(
      later.flatMap(({ records }) => records.filter(({ id }) => id.startsWith("g"))).length,
    ).toBeGreaterThanOrEqual(1000);
    expect(later.every(({ health }) => health === undefined)).toBe(true);
    client.send({ type: "activity.unsubscribe" });
    await until(() => activity.listeners === 0);
  });

  test("K6: a closed connection leaves no listener behind", async () => {
    const { url, activity } = await startChat();
    const client = await SocketClient.open(url);
    client.send({ type: "activity.subscribe" });
    await until(() => activity.listeners === 1);
    client.socket.close();
    await until(() => activity.listeners === 0);
  });
});
