import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { systemPorts } from "../../src/system/index.ts";
import { askRaw, openSocket, requestBytes } from "../gateway/support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "../gateway/support/start-gateway.ts";
import { until } from "../support/until.ts";

const answerTo = (model: string): string =>
  JSON.stringify({ choices: [{ index: 0, message: { content: `to ${model}` }, finish_reason: "stop" }] });

test("E13: a client that leaves while its answer is checked does not end the request that has its connection now", async () => {
  const held = new Map<string, ServerResponse>();
  const connections = new Set<unknown>();
  const endpoint = createServer(async (request, response) => {
    connections.add(request.socket);
    let text = "";
    for await (const chunk of request) text += chunk;
    const { model } = JSON.parse(text) as { model: string };
    response.setHeader("content-type", "application/json");
    if (model === "second") held.set(model, response);
    else response.setHeader("content-encoding", "gzip").end(gzipSync(answerTo(model)));
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    endpoint.closeAllConnections();
    endpoint.close();
  });
  let checks = 0;
  const { port, gateway } = await gatewayOfTest({
    endpoints: endpointsAt(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`),
    policy: { require: { pattern: "to" } },
    ports: {
      ...systemPorts(),
      checkContent: () => {
        checks += 1;
        return checks === 1 ? new Promise(() => undefined) : "present";
      },
    },
  });
  const bodyOf = (model: string) => ({ body: { model, messages: [] }, headers: { authorization: "Bearer k" } });
  const leaving = openSocket(port, requestBytes("/v1/chat/completions", { ...bodyOf("first"), isKept: true }));
  await until(() => checks === 1);
  const second = askRaw(port, "/v1/chat/completions", bodyOf("second"));
  await until(() => held.has("second"));
  expect(connections.size).toBe(1);
  leaving.destroy();
  await until(() => gateway.inFlight === 1);
  held.get("second")?.end(answerTo("second"));
  expect(await second).toMatchObject({ status: 200, headers: { "x-secondwind-attempts": "1" } });
});
