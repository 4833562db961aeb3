import { describe, expect, test } from "vitest";
import { chatAnswer, sendJson } from "../../../adapters/fetch/server.ts";
import { until } from "../../../support/until.ts";
import { startGatewayServer } from "./gateway-server.ts";

interface Page {
  readonly records: readonly { readonly id: string; readonly [name: string]: unknown }[];
}

const limited: Parameters<typeof startGatewayServer>[0] = ({ body }, response, count) => {
  if (count > 1 && !body.includes("never")) return sendJson(response, 200, chatAnswer("hi"));
  sendJson(response, 429, { error: { message: "Slow down" } }, { "retry-after": "60" });
};
const chat = (model: string) => ({
  method: "POST",
  body: { model, messages: [] },
  headers: { authorization: "Bearer k" },
});

describe("B4: generations of the gateway in the server's activity", () => {
  test("B4: have the door gateway, the model that was asked for, and count in the metrics", async () => {
    const server = await startGatewayServer((_, response) => sendJson(response, 200, chatAnswer("hi")));
    await server.ask("/v1/chat/completions", { ...chat("gpt-x"), headers: { "x-secondwind-id": "my-id" } });
    await server.ask("/v1/models");
    const { records } = (await server.ask("/api/activity?door=gateway")).json as Page;
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ id: "my-id", door: "gateway", asked: "openai/gpt-x" });
    expect((await server.ask("/metrics")).text).toMatch(/door="gateway".* 1\b/);
  });

  test("B8: Retry now ends the wait, and the client gets its answer", async () => {
    const server = await startGatewayServer(limited);
    const asked = server.ask("/v1/chat/completions", { ...chat("m"), headers: { "x-secondwind-id": "waits" } });
    await until(() => server.activity.summary !== undefined && server.upstream.received.length === 1);
    const headers = { "x-secondwind-token": server.token };
    let status = 0;
    for (let n = 0; n < 50 && status !== 204 && status !== 200; n++) {
      ({ status } = await server.ask("/api/generations/waits/retry-now", { method: "POST", headers }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const answer = await asked;
    expect([answer.status, answer.headers["x-secondwind-attempts"]]).toEqual([200, "2"]);
    expect(server.upstream.received).toHaveLength(2);
  });

  test("B8: Give up ends it with the endpoint's error, which says not to retry", async () => {
    const server = await startGatewayServer(limited);
    const asked = server.ask("/v1/chat/completions", { ...chat("never"), headers: { "x-secondwind-id": "waits" } });
    await until(() => server.upstream.received.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const headers = { "x-secondwind-token": server.token };
    await server.ask("/api/generations/waits/give-up", { method: "POST", headers });
    const answer = await asked;
    expect(answer).toMatchObject({
      status: 429,
      headers: { "x-should-retry": "false", "x-secondwind-reason": "gave-up", "retry-after": "60" },
      json: { error: { message: "Slow down" } },
    });
    expect(server.upstream.received).toHaveLength(1);
  });

  test("K5: a server that stops lets an answer finish, and ends a wait with an error", async () => {
    const server = await startGatewayServer(({ body }, response) => {
      if (body.includes("never")) return sendJson(response, 429, {}, { "retry-after": "60" });
      setTimeout(() => sendJson(response, 200, chatAnswer("hi")), 150);
    });
    const slow = server.ask("/v1/chat/completions", chat("slow"));
    const waiting = server.ask("/v1/chat/completions", chat("never"));
    await until(() => server.upstream.received.length === 2);
    await server.stop(500);
    expect((await slow).status).toBe(200);
    expect((await waiting).status).toBe(503);
  });
});
