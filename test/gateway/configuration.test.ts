import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createGateway } from "../../src/gateway/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";
import { until } from "../support/until.ts";
import { askRaw, openSocket, requestBytes } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest, QUICK } from "./support/start-gateway.ts";

async function upstreamOf(status: number): Promise<TestServer> {
  const upstream = await serve((_, response) => sendJson(response, status, chatAnswer("hi")));
  onTestFinished(() => upstream.close());
  return upstream;
}

test("E14: paths of Google's versions go to Google, in OpenAI's format too", async () => {
  const [google, openai] = [await upstreamOf(200), await upstreamOf(200)];
  const { port } = await gatewayOfTest({
    endpoints: { ...endpointsAt(openai.url), google: { baseURL: `${google.url}/v1beta`, format: "gemini" } },
  });
  const path = "/v1beta/openai/chat/completions";
  await askRaw(port, path, { body: { model: "m" }, headers: { authorization: "Bearer google-key" } });
  expect([google.received[0]?.url, openai.received.length]).toEqual([path, 0]);
});

test("E17: a configuration that changes while a body comes does not take the client's key away", async () => {
  const upstream = await upstreamOf(200);
  const config = { endpoints: endpointsAt(upstream.url), aliases: { fast: ["openai/real"] } };
  const { port, gateway } = await gatewayOfTest(config);
  const headers = { authorization: "Bearer own-key" };
  const bytes = requestBytes("/v1/chat/completions", { body: { model: "fast" }, headers });
  const socket = openSocket(port, bytes.subarray(0, -5)).resume();
  onTestFinished(() => void socket.destroy());
  await until(() => gateway.inFlight === 1);
  gateway.configure(config);
  socket.write(bytes.subarray(-5));
  await until(() => upstream.received.length === 1);
  expect(upstream.received[0]).toMatchObject({ headers, body: '{"model":"real"}' });
});

test("B3: what one known client gave up is not given up for another", async () => {
  const upstream = await upstreamOf(503);
  const gateway = createGateway({ endpoints: endpointsAt(upstream.url), policy: QUICK });
  const server = createServer((request, response) =>
    gateway.handle(request, response, { name: String(request.headers["x-client"]), isKnown: true }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.close();
    await gateway.close();
  });
  const counts: number[] = [];
  for (const client of ["one", "one", "two"]) {
    const before = upstream.received.length;
    const { port } = server.address() as AddressInfo;
    await askRaw(port, "/v1/chat/completions", { body: { model: "m" }, headers: { "x-client": client } });
    counts.push(upstream.received.length - before);
  }
  expect(counts).toEqual([4, 1, 4]);
});
