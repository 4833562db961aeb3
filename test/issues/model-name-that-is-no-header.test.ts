import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { askRaw } from "../gateway/support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "../gateway/support/start-gateway.ts";

const ANSWER = JSON.stringify({ choices: [{ index: 0, message: { content: "hi" }, finish_reason: "stop" }] });
/** Beyond the first plane, half of such a character, and a line end. */
const MODELS = [
  ["m😀", "m%F0%9F%98%80"],
  ["m\ud83d", "m%EF%BF%BD"],
  ["m\r\nx-evil: 1", "m%0D%0Ax-evil: 1"],
] as const;

async function endpointUrl(): Promise<string> {
  const endpoint = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json").end(ANSWER);
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    endpoint.closeAllConnections();
    endpoint.close();
  });
  return `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
}

describe("B4: a model name that no header can hold costs nobody the answer", () => {
  test.each(MODELS)("in the gateway: %j", async (model, shown) => {
    const { port } = await gatewayOfTest({ endpoints: endpointsAt(await endpointUrl()) });
    const answer = await askRaw(port, "/v1/chat/completions", {
      headers: { authorization: "Bearer k" },
      body: { model, messages: [] },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers["x-secondwind-target"]).toContain(shown);
  });

  test.each(MODELS)("in the fetch door: %j", async (model, shown) => {
    const url = `${await endpointUrl()}/v1/chat/completions`;
    const response = await resilientFetch()(url, { method: "POST", body: JSON.stringify({ model, messages: [] }) });
    expect(response.headers.get("x-secondwind-target")).toContain(shown);
    expect(await response.text()).toBe(ANSWER);
  });
});
