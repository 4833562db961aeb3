import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Agent } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { resilientFetch } from "../../../../src/adapters/fetch/index.ts";
import type { Transport } from "../../../../src/adapters/fetch/transport/transport.ts";
import { CancelMark } from "../../../../src/library/cancel-mark.ts";
import { until } from "../../../support/until.ts";
import { learnLoopback } from "../ways.ts";
import { directly, outgoing, plain, platform } from "./sending.ts";

const agent = new Agent();
const KINDS: readonly (readonly [string, Transport])[] = [
  ["the platform's dispatcher", platform],
  ["callbacks of undici 8", directly("controller", agent)],
  ["plain fetch", plain],
];
/** Those that carry a request: after one that was ended, undici opens another connection, which stays idle for some seconds. */
const sockets = new Set<Socket>();
const allSockets = new Set<Socket>();
let server: Server;
let url = "";
let requests = 0;
let answer: (response: ServerResponse) => void = () => undefined;

beforeAll(async () => {
  await learnLoopback();
  server = createServer((request, response) => {
    requests += 1;
    sockets.add(request.socket);
    request.resume().on("end", () => answer(response));
  });
  server.on("connection", (socket) => {
    allSockets.add(socket);
    socket.on("close", () => {
      allSockets.delete(socket);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
});
afterEach(async () => {
  for (const socket of allSockets) socket.destroy();
  await until(() => allSockets.size === 0);
  // The pools have to notice, before the next request.
  await new Promise((resolve) => setTimeout(resolve, 20));
  requests = 0;
});
afterAll(async () => {
  await agent.destroy();
  server.close();
});

const CHUNK = Buffer.alloc(65_536, "a");

describe.each(KINDS)("%s", (_, transport) => {
  test("E13: a request that was ended before it was sent is not sent", async () => {
    const cancel = new CancelMark();
    cancel.abort(new Error("enough"));
    await expect(transport(outgoing(url, { cancel }))).rejects.toThrow("enough");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(requests).toBe(0);
  });

  test("E13: a request that ends before it has a connection rejects at once, and is not sent when it has one", async () => {
    const cancel = new CancelMark();
    const asked = transport(outgoing(url, { cancel }));
    cancel.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(requests).toBe(0);
  });

  test("E13: a request that ends while it waits for its answer closes the socket", async () => {
    answer = () => undefined;
    const cancel = new CancelMark();
    const asked = transport(outgoing(url, { cancel }));
    asked.catch(() => undefined);
    await until(() => requests === 1);
    cancel.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await until(() => sockets.size === 0);
  });

  test("E13: a request that ends in the middle of its answer closes the socket, and its reader gets the reason", async () => {
    answer = (response) => void response.write("some");
    const cancel = new CancelMark();
    const { body } = await transport(outgoing(url, { cancel }));
    const reader = body?.getReader();
    expect(await reader?.read()).toMatchObject({ done: false });
    const next = reader?.read();
    cancel.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await until(() => sockets.size === 0);
  });

  test("E15: a body that is cancelled closes the socket", async () => {
    answer = (response) => void response.write("some");
    const { body } = await transport(outgoing(url));
    await body?.cancel();
    await until(() => sockets.size === 0);
  });

  test("E13: an answer that has come to its end leaves its connection for the next request", async () => {
    answer = (response) => void response.end("all");
    for (let call = 0; call < 10; call += 1) {
      const cancel = new CancelMark();
      expect(await (await transport(outgoing(url, { cancel }))).text()).toBe("all");
      cancel.abort(new Error("too late"));
    }
    // Two, as with fetch: a connection is free one turn of the loop after its answer.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  test("E15: an answer that nobody reads stays with the server, and comes whole when somebody does", async () => {
    const total = 800;
    let written = 0;
    answer = (response) => {
      const write = (): void => {
        while (written < total) {
          written += 1;
          if (!response.write(CHUNK)) return void response.once("drain", write);
        }
        response.end();
      };
      write();
    };
    const { body } = await transport(outgoing(url));
    const reader = body?.getReader();
    let before = -1;
    await until(() => {
      const isStill = written === before;
      before = written;
      return isStill && written > 0;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The kernel has buffers of its own for a socket, some megabytes.
    expect(written).toBeLessThan(total / 3);
    let bytes = 0;
    for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
      bytes += next.value.length;
      // As from fetch: a piece that is transferred takes no other with it.
      expect(next.value.buffer.byteLength).toBe(next.value.length);
      expect(Buffer.isBuffer(next.value)).toBe(false);
    }
    expect(bytes).toBe(total * CHUNK.length);
  });
});

describe("the door on the platform's dispatcher", () => {
  const stream = (text: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\n`;
  const END = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;
  const body = JSON.stringify({ model: "m", stream: true });
  const events = { "content-type": "text/event-stream" };

  test("E15: a watchdog closes the socket of an attempt that is silent", async () => {
    answer = (response) => void (requests === 1 ? undefined : response.writeHead(200, events).end(stream("Hi") + END));
    const policy = {
      watchdog: { firstContentMs: 250, idleMs: 250 },
      schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } },
    } as const;
    const response = await resilientFetch(policy)(url, { method: "POST", body });
    expect(await response.text()).toContain("Hi");
    expect(requests).toBe(2);
    await until(() => sockets.size === 1);
  });

  test("E13: the caller's signal ends a stream with its reason and closes the socket", async () => {
    answer = (response) => void response.writeHead(200, events).write(stream("Hi"));
    const controller = new AbortController();
    const response = await resilientFetch()(url, { method: "POST", body, signal: controller.signal });
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value as Uint8Array)).toContain("Hi");
    const next = reader?.read();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
    await until(() => sockets.size === 0);
  });

  test("B4: a listener runs in the async context of its own call, though calls share a connection", async () => {
    answer = (response) => void response.writeHead(200, events).end(stream("Hi") + END);
    const context = new AsyncLocalStorage<number>();
    const heard: unknown[] = [];
    const ours = resilientFetch({}, { on: ({ type }) => void heard.push([type, context.getStore()]) });
    for (const call of [1, 2, 3])
      await context.run(call, async () => (await ours(url, { method: "POST", body })).text());
    const types = ["attempt-start", "attempt-end", "generation-end"];
    expect(heard).toEqual([1, 2, 3].flatMap((call) => types.map((type) => [type, call])));
  });
});
