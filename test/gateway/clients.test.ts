import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { selfSigned } from "../../src/simulator/http/connect/self-signed.ts";
import { often } from "../support/soak.ts";
import { until } from "../support/until.ts";
import { openSocket, readAnswer, requestBytes } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "./support/start-gateway.ts";

const TOKEN = 'data: {"choices":[{"index":0,"delta":{"content":"hello"}}]}\n\n';
const END = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

interface Upstream {
  readonly url: string;
  readonly sockets: ReadonlySet<Socket>;
  readonly requests: { count: number };
}

async function upstreamOf(answer: Parameters<Server["on"]>[1], scheme = "http"): Promise<Upstream> {
  const sockets = new Set<Socket>();
  const requests = { count: 0 };
  const listener = (request: IncomingMessage, response: Response): void => {
    requests.count += 1;
    request.resume();
    (answer as (request: unknown, response: unknown) => void)(request, response);
  };
  const aDay = 86_400_000;
  const server =
    scheme === "http"
      ? createServer(listener)
      : createTlsServer(selfSigned("localhost", new Date(Date.now() - aDay), new Date(Date.now() + aDay)), listener);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, requests };
}

type Response = import("node:http").ServerResponse;
const body = (stream: boolean) => ({ model: "m", messages: [], stream });
const CLIENTS = often(80, 500);

describe("E13: a client that leaves", () => {
  test.each<[string, boolean, (request: unknown, response: Response) => void]>([
    ["before the headers of a stream", true, () => undefined],
    ["before the headers of a whole answer", false, () => undefined],
    [
      "before the first content",
      true,
      (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(": hi\n\n"),
    ],
    [
      "in the middle of a stream",
      true,
      (_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).write(TOKEN),
    ],
    [
      "in the middle of a whole answer",
      false,
      (_, response) => void response.writeHead(200, { "content-type": "application/json" }).write('{"choices":['),
    ],
  ])("E13: %s, closes the connection to the endpoint within 250 ms, many at a time", async (_, isStream, answer) => {
    const upstream = await upstreamOf(answer as never);
    const { port, gateway, faults } = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
    const bytes = requestBytes("/v1/chat/completions", { body: body(isStream) });
    const sockets = Array.from({ length: CLIENTS }, () => openSocket(port, bytes).resume());
    await until(() => upstream.requests.count === CLIENTS);
    const leftAt = performance.now();
    const cpuBefore = process.cpuUsage();
    sockets.forEach((socket, at) => void (at % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
    await until(() => upstream.sockets.size === 0 && gateway.inFlight === 0);
    const { user, system } = process.cpuUsage(cpuBefore);
    // On a busy machine the clock also counts what others do. Both ends of all connections are in this process.
    expect(Math.min(performance.now() - leftAt, (user + system) / 2000)).toBeLessThan(250);
    expect(upstream.requests.count).toBe(CLIENTS);
    expect([faults, gateway.inFlight]).toEqual([[], 0]);
  });

  test("E13: during a wait, ends the wait, and nothing more is sent", async () => {
    const upstream = await upstreamOf(((_: unknown, response: Response) => response.writeHead(503).end()) as never);
    const { port, gateway } = await gatewayOfTest({
      endpoints: endpointsAt(upstream.url),
      policy: { schedules: { general: { type: "fixed", delayMs: 1500 } }, budget: null, breaker: null },
    });
    const sockets = Array.from({ length: 50 }, (_, at) =>
      openSocket(port, requestBytes("/v1/chat/completions", { body: body(at % 2 === 0) })),
    );
    await until(() => upstream.requests.count === 50);
    for (const socket of sockets) socket.destroy();
    await until(() => gateway.inFlight === 0, 1000);
    await new Promise((resolve) => setTimeout(resolve, 1600));
    expect(upstream.requests.count).toBe(50);
  });

  test("E13: one that leaves a plain download cancels it", async () => {
    const upstream = await upstreamOf(((_: unknown, response: Response) =>
      response.writeHead(200).write("x")) as never);
    const { port, gateway } = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
    const socket = openSocket(port, requestBytes("/v1/files/1/content", { method: "GET" }));
    await new Promise((resolve) => socket.once("data", resolve));
    socket.destroy();
    await until(() => upstream.sockets.size === 0 && gateway.inFlight === 0, 1000);
  });
});

/** An answer that no other is like. */
function answerOf(seed: number, bytes: number): Buffer {
  let text = "";
  for (let at = 0; text.length < bytes; at += 1) {
    const content = `${seed}:${at}${"x".repeat((at * (seed + 3)) % 90)}`;
    text += `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
  }
  return Buffer.from(text + END);
}

/** Writes without an end as long as it is read; counts what was taken. */
function pour(piece: string, count: number, taken: { bytes: number }, end: string) {
  const block = piece.repeat(100);
  return (_: unknown, response: Response): void => {
    response.writeHead(200, { "content-type": piece === TOKEN ? "text/event-stream" : "application/octet-stream" });
    let left = count;
    const more = (): void => {
      for (; left > 0; left -= 1) {
        taken.bytes += block.length;
        if (response.write(block)) continue;
        left -= 1;
        return void response.once("drain", more);
      }
      response.end(end);
    };
    more();
  };
}

describe("E14: a client that reads slowly", () => {
  test.each([
    ["a stream", "POST", "/v1/chat/completions", TOKEN, END],
    ["a download", "GET", "/v1/files/1/content", "x".repeat(60), ""],
  ])(
    "E14: 20 paused readers of 20 MB each stop the endpoint, and cost little memory: %s",
    async (_, method, path, piece, end) => {
      const taken = { bytes: 0 };
      const blocks = Math.ceil(20_000_000 / (piece.length * 100));
      const upstream = await upstreamOf(pour(piece, blocks, taken, end) as never);
      const { port, gateway, faults } = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
      const warnings: Error[] = [];
      const warn = (warning: Error): void => void warnings.push(warning);
      process.on("warning", warn);
      const before = process.memoryUsage();
      const bytes = requestBytes(path, { method, ...(method === "POST" && { body: body(true) }) });
      const sockets = Array.from({ length: 20 }, () => openSocket(port, bytes).pause());
      // Until nothing moves any more.
      for (let last = -1; last !== taken.bytes || last === 0; ) {
        last = taken.bytes;
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      const after = process.memoryUsage();
      // Most of this stands in the buffers of the kernel's sockets.
      expect(taken.bytes).toBeLessThan(20 * 10_000_000);
      expect(after.rss - before.rss).toBeLessThan(150_000_000);
      expect(gateway.inFlight).toBe(20);
      const [reader, ...others] = sockets as [Socket, ...Socket[]];
      for (const socket of others) socket.destroy();
      await until(() => gateway.inFlight === 1);
      const chunks: Buffer[] = [];
      reader.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
      await new Promise((resolve) => reader.once("close", resolve));
      const answer = readAnswer(Buffer.concat(chunks));
      expect(answer.isWhole).toBe(true);
      expect(answer.body.length).toBe(blocks * piece.length * 100 + end.length);
      process.off("warning", warn);
      expect([faults, warnings]).toEqual([[], []]);
    },
  );

  test.each(["http", "https"])(
    "E14: each of many readers that stop and go gets its own answer, byte for byte, from %s",
    async (scheme) => {
      vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
      onTestFinished(() => void vi.unstubAllEnvs());
      const answers = Array.from({ length: 6 }, (_, at) => answerOf(at, 14_000_000));
      const upstream = await upstreamOf(
        ((request: IncomingMessage, response: Response) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          const answer = answers[Number(request.headers["x-answer"])] as Buffer;
          // Tokens, and more at a time than one read takes.
          const sizes = [70, 3000, 64, 200_000, 900, 1100, 16_384];
          let [at, turn] = [0, 0];
          const more = (): void => {
            while (at < answer.length) {
              const end = at + (sizes[turn % sizes.length] as number);
              const part = answer.subarray(at, end);
              [at, turn] = [end, turn + 1];
              if (!response.write(part)) return void response.once("drain", more);
            }
            response.end();
          };
          more();
        }) as never,
        scheme,
      );
      const { port, faults } = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
      await Promise.all(
        answers.map(async (answer, at) => {
          const headers = { "x-answer": String(at) };
          const socket = openSocket(
            port,
            requestBytes("/v1/chat/completions", { body: body(true), headers, isKept: true }),
          ).pause();
          const chunks: Buffer[] = [];
          socket.on("data", (chunk: Buffer) => {
            chunks.push(chunk);
            if (Buffer.concat(chunks.slice(-3)).includes("\r\nx-secondwind-waited-ms: 0\r\n\r\n")) socket.destroy();
            if ((chunks.length + at) % 25 !== 0) return;
            socket.pause();
            setTimeout(() => socket.resume(), 5);
          });
          // More than the kernel takes: by then all but the first have writes that are not done, while others go on.
          setTimeout(() => socket.resume(), 200 + at * 150);
          await new Promise((resolve) => socket.once("close", resolve));
          const got = readAnswer(Buffer.concat(chunks));
          expect(got.isWhole).toBe(true);
          expect(got.body.equals(answer)).toBe(true);
        }),
      );
      expect(faults).toEqual([]);
    },
  );

  test("E15: the time that a client does not read does not count as silence of the endpoint", async () => {
    const upstream = await upstreamOf(pour(TOKEN, 3000, { bytes: 0 }, END) as never);
    const { port } = await gatewayOfTest({
      endpoints: endpointsAt(upstream.url),
      policy: { watchdog: { firstContentMs: 300, idleMs: 300 } },
    });
    const reader = openSocket(port, requestBytes("/v1/chat/completions", { body: body(true) })).pause();
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const chunks: Buffer[] = [];
    reader.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
    await new Promise((resolve) => reader.once("close", resolve));
    expect(readAnswer(Buffer.concat(chunks))).toMatchObject({ status: 200, isWhole: true });
  });
});
