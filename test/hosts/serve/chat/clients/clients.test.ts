import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../support/test-server.ts";
import { chatOverHttp } from "./ndjson-client.ts";
import { ChatSocket } from "./socket-client.ts";

async function openSocket(url: string): Promise<ChatSocket> {
  const socket = new ChatSocket(url);
  onTestFinished(() => socket.close());
  await socket.opened();
  return socket;
}

test("K6: the clients that are written from docs/events.md import nothing from the program", () => {
  for (const name of ["ndjson-client.ts", "socket-client.ts"]) {
    expect(readFileSync(join(import.meta.dirname, name), "utf8")).not.toContain("src/");
  }
});

test("K6: a WebSocket client and an NDJSON client get the same events of the same turn", async () => {
  const { url } = await startServer();
  const { conversationId } = await chatOverHttp(url, { message: "Hello", model: "sim/ok" });
  const socket = await openSocket(url);
  socket.request({ type: "chat.subscribe", conversationId });
  const { events } = await chatOverHttp(url, { conversationId, message: "And again" });
  await socket.got("turn-sealed");
  expect(events.length).toBeGreaterThan(5);
  expect(socket.events).toEqual(events);
});

test("K6: a message over the WebSocket gives the same kinds of events as one over HTTP, and the same answer", async () => {
  const { url } = await startServer();
  const socket = await openSocket(url);
  socket.request({ type: "chat.send", message: "Hello", model: "sim/echo" });
  await socket.got("turn-sealed");
  const { events } = await chatOverHttp(url, { message: "Hello", model: "sim/echo" });
  expect(socket.events.map(({ type }) => type)).toEqual(events.map(({ type }) => type));
  expect(socket.text).toBe(events.map(({ type, text }) => (type === "text-delta" ? String(text) : "")).join(""));
  expect(socket.text).not.toBe("");
});

test("K6: what is refused over HTTP and over the WebSocket has the same words", async () => {
  const { url } = await startServer();
  const refusal = "model must be of a known provider";
  await expect(chatOverHttp(url, { message: "Hello", model: "nobody/x" })).rejects.toThrow(refusal);
  const socket = await openSocket(url);
  socket.request({ type: "chat.send", message: "Hello", model: "nobody/x" });
  await expect(socket.got("turn-start")).rejects.toThrow(refusal);
});
