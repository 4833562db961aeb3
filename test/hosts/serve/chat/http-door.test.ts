import { describe, expect, test } from "vitest";
import type { Provider } from "../../../../src/providers/provider.ts";
import { until } from "../../../support/until.ts";
import { startChat } from "./start-chat.ts";

const post = (url: string, body: unknown, init: RequestInit = {}): Promise<Response> =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...init });

describe("POST /chat", () => {
  test("K6: streams the events of the turn as NDJSON, and the header names the conversation", async () => {
    const { url } = await startChat();
    const response = await post(`${url}/chat`, { message: "Hello", model: "sim/overloaded-twice" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/x-ndjson/);
    const id = response.headers.get("x-conversation-id");
    expect(id).toMatch(/^[\w-]{1,64}$/);
    const text = await response.text();
    expect(text.endsWith("\n")).toBe(true);
    const events = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
      "turn-start",
      "user-message",
      "provider-retry",
      "provider-retry",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "turn-sealed", status: "done", conversationId: id });
  });

  test("K6: sends each event at once, not when the answer is complete", async () => {
    const slow: Provider = {
      name: "slow",
      async *stream(_, signal) {
        yield { type: "text", text: "first" };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    };
    const { url, service } = await startChat({ more: [slow] });
    const response = await post(`${url}/chat`, { conversationId: "c1", message: "Hello", model: "slow/x" });
    const reader = response.body?.getReader();
    let text = "";
    while (!text.includes("first")) text += new TextDecoder().decode((await reader?.read())?.value);
    expect(service.running).toBe(1);
    service.abort("c1");
  });

  test("K2: an answer that breaks off ends with what happened to the connection, not with the status of its beginning", async () => {
    const { url } = await startChat();
    const text = await (await post(`${url}/chat`, { message: "Hello", model: "sim/cut-12" })).text();
    const error = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === "error");
    expect(error).toMatchObject({
      message: "The connection closed before the answer was complete",
      code: "ECONNRESET",
      receipt: { truncated: true },
    });
  });

  test("K6: a client that disconnects does not end the turn", async () => {
    const { url, service } = await startChat();
    const controller = new AbortController();
    const body = { conversationId: "c1", message: "Hello", model: "sim/overloaded-twice" };
    await post(`${url}/chat`, body, { signal: controller.signal });
    controller.abort();
    await until(() => service.running === 0);
    expect((await service.open("c1")).lines.at(-1)).toMatchObject({
      message: { role: "assistant", stopReason: "end" },
    });
  });

  test("K6: a client that does not read is disconnected; the turn is not slowed down and goes on", async () => {
    const piece = "x".repeat(100_000);
    const flood: Provider = {
      name: "flood",
      async *stream() {
        for (let n = 0; n < 400; n++) yield { type: "text", text: piece };
        yield { type: "finish", reason: "end" };
      },
    };
    const { url, service } = await startChat({ more: [flood] });
    const response = await post(`${url}/chat`, { conversationId: "c1", message: "Hello", model: "flood/x" });
    await until(() => service.running === 0, 10_000);
    await expect(response.text()).rejects.toThrow();
    expect((await service.open("c1")).state).toBe("idle");
  });

  test.each([
    [{}, "message"],
    [{ message: "" }, "message"],
    [{ message: 7 }, "message"],
    [{ message: "x", conversationId: "../../etc" }, "conversationId"],
    [{ message: "x", model: "no-provider" }, "model"],
    [{ message: "x", model: "nobody/x" }, "model"],
    [{ message: "x", policy: "constructor" }, "policy"],
  ])("K6: %j is refused with the name of its field %s", async (body, field) => {
    const { url, service } = await startChat();
    const response = await post(`${url}/chat`, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { field, message: expect.any(String) } });
    expect(await service.list()).toEqual([]);
  });
});

describe("/api/conversations", () => {
  test("K6: opens, lists, renames, exports and deletes over HTTP", async () => {
    const { url } = await startChat();
    await (await post(`${url}/chat`, { conversationId: "c1", message: "Hello there" })).text();
    const path = `${url}/api/conversations`;
    expect(await (await fetch(path)).json()).toMatchObject({
      conversations: [{ id: "c1", title: "Hello there", state: "idle" }],
    });
    expect(await (await fetch(`${path}/c1`)).json()).toMatchObject({ id: "c1", lines: [{ seq: 2 }, {}] });
    const renamed = await fetch(`${path}/c1`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "  Better  " }),
    });
    expect(renamed.status).toBe(204);
    const markdown = await fetch(`${path}/c1/export`);
    expect(markdown.headers.get("content-type")).toMatch(/^text\/markdown/);
    expect(markdown.headers.get("content-disposition")).toBe('attachment; filename="conversation-c1.md"');
    expect(await markdown.text()).toMatch(/^# Better\n\n## You\n\nHello there\n\n## Assistant\n\n/);
    expect(await (await fetch(`${path}/c1/export?format=json`)).json()).toMatchObject({ title: "Better" });
    expect((await fetch(`${path}/c1`, { method: "DELETE" })).status).toBe(204);
    expect((await fetch(`${path}/c1`)).status).toBe(404);
  });

  test("K6: continues, edits, steers and aborts over HTTP", async () => {
    const { url, service } = await startChat();
    const path = `${url}/api/conversations/c1`;
    await (await post(`${url}/chat`, { conversationId: "c1", message: "Hello", model: "sim/unauthorized" })).text();
    expect((await service.open("c1")).state).toBe("failed");
    const continued = await post(`${path}/continue`, { model: "sim/overloaded" });
    expect(await continued.json()).toMatchObject({ conversationId: "c1", turnId: expect.any(String) });
    expect((await post(`${path}/steer`, { content: "And this" })).status).toBe(204);
    expect((await post(`${path}/continue`, {})).status).toBe(409);
    expect(await (await post(`${path}/abort`, {})).json()).toEqual({ aborted: true });
    await until(() => service.running === 0);
    const [first] = (await service.open("c1")).lines;
    expect((await post(`${path}/resend`, { seq: first?.seq, message: "Hi", model: "sim/ok" })).status).toBe(200);
    await until(() => service.running === 0);
    expect((await service.open("c1")).lines.filter(({ type }) => type === "message")).toHaveLength(2);
    expect(await (await post(`${path}/abort`, {})).json()).toEqual({ aborted: false });
    expect((await post(`${path}/steer`, { content: "late" })).status).toBe(409);
  });

  test.each([
    ["GET", "/api/conversations/nope", undefined],
    ["GET", "/api/conversations/..%2F..%2Fx", undefined],
    ["GET", "/api/conversations/nope/export", undefined],
    ["PATCH", "/api/conversations/nope", { title: "x" }],
    ["DELETE", "/api/conversations/nope", undefined],
    ["POST", "/api/conversations/nope/continue", {}],
    ["POST", "/api/conversations/nope/resend", { seq: 1, message: "x" }],
  ])("K6: %s %s of an unknown conversation is a 404", async (method, path, body) => {
    const { url } = await startChat();
    const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, ...(body !== undefined && json) });
    expect([response.status, await response.json()]).toEqual([404, { error: { message: "Unknown conversation" } }]);
  });
});
