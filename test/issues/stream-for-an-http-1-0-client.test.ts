import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openSocket } from "../gateway/support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "../gateway/support/start-gateway.ts";

const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const EVENTS = `${event({ content: "Hello" })}${event({}, "stop")}data: [DONE]\n\n`;

test("E14: a client of HTTP/1.0 gets a whole stream, which HTTP/1.0 ends with the connection", async () => {
  const endpoint = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "text/event-stream").end(EVENTS);
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void endpoint.close());
  const { port, faults } = await gatewayOfTest({
    endpoints: endpointsAt(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`),
  });
  const body = JSON.stringify({ model: "m", stream: true, messages: [] });
  const head = "POST /v1/chat/completions HTTP/1.0\r\nhost: 127.0.0.1\r\nauthorization: Bearer k\r\n";
  const socket = openSocket(port, Buffer.from(`${head}content-length: ${body.length}\r\n\r\n${body}`));
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString();
  });
  await once(socket, "close");
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).not.toMatch(/^(?:trailer|transfer-encoding):/im);
  expect(answer.split("\r\n\r\n")[1]).toBe(EVENTS);
  expect(faults).toEqual([]);
});
