import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { accessFilePath, addAccessKey } from "../../../../src/credentials/index.ts";
import { chatAnswer, sendJson } from "../../../adapters/fetch/server.ts";
import { newFolder } from "../support/test-server.ts";
import { startGatewayServer } from "./gateway-server.ts";

const good: Parameters<typeof startGatewayServer>[0] = (_, response) => sendJson(response, 200, chatAnswer("hi"));
const PATHS = [
  ["POST", "/v1/chat/completions"],
  ["POST", "/v1/messages"],
  ["POST", "/v1beta/models/m:generateContent"],
  ["GET", "/v1/models"],
  ["POST", "/openai/v1/responses"],
  ["OPTIONS", "/v1/chat/completions"],
] as const;
const FORGERIES: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["another host", { host: "evil.example" }],
  ["a name that points here", { host: "rebound.example:80" }],
  ["another site's origin", { origin: "https://evil.example" }],
  ["an opaque origin", { origin: "null" }],
  ["the server's own page", { origin: "http://127.0.0.1" }],
  ["a cross-site fetch", { "sec-fetch-site": "cross-site" }],
  ["a fetch of the server's own page", { "sec-fetch-site": "same-origin" }],
  ["a navigation", { "sec-fetch-site": "none" }],
];

describe("K6: who may use the gateway", () => {
  test.each(FORGERIES)("K6: every path refuses %s with 403, and nothing is sent", async (_, headers) => {
    const server = await startGatewayServer(good);
    for (const [method, path] of PATHS) {
      const answer = await server.ask(path, { method, headers, ...(method === "POST" && { body: { model: "m" } }) });
      expect(answer.status, path).toBe(403);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
    expect(server.upstream.received).toHaveLength(0);
  });

  test("K6: a program needs nothing but the address, and its own key arrives", async () => {
    const server = await startGatewayServer(good);
    const headers = { authorization: "Bearer my-own-key" };
    for (const [method, path] of PATHS.slice(0, 5)) {
      const { status } = await server.ask(path, {
        method,
        headers,
        ...(method === "POST" && { body: { model: "m" } }),
      });
      expect(status, path).toBe(200);
    }
    expect(server.upstream.received.map((one) => one.headers.authorization)).toEqual(
      Array(5).fill("Bearer my-own-key"),
    );
  });

  test("K6: with access keys, one is required wherever the formats have theirs, and none is passed on", async () => {
    const home = newFolder();
    const key = await addAccessKey(accessFilePath({ HOME: home }), "laptop");
    const server = await startGatewayServer(good, { home });
    const ask = (headers: Record<string, string>, query = "") =>
      server.ask(`/v1beta/models/m:generateContent${query}`, { method: "POST", headers, body: {} });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: "Bearer wrong" })).status).toBe(401);
    expect((await ask({}, "?key=wrong")).status).toBe(401);
    expect(server.upstream.received).toHaveLength(0);
    for (const headers of [{ authorization: `Bearer ${key}` }, { "x-api-key": key }, { "x-goog-api-key": key }])
      expect((await ask(headers)).status).toBe(200);
    expect((await ask({ "x-goog-api-key": key }, "?alt=sse")).status).toBe(200);
    expect((await ask({}, `?key=${key}&alt=sse`)).status).toBe(200);
    expect(server.upstream.received).toHaveLength(5);
    expect(JSON.stringify(server.upstream.received)).not.toContain(key);
    expect(server.upstream.received[4]?.url).toBe("/v1beta/models/m:generateContent?alt=sse");
    const { json } = await server.ask("/api/activity?client=laptop", { headers: { authorization: `Bearer ${key}` } });
    expect((json as { readonly records: unknown[] }).records).toHaveLength(5);
  });

  test("K6: a WebSocket on a path of the gateway is 426, so that clients fall back to plain requests", async () => {
    const server = await startGatewayServer(good);
    const status = await new Promise((resolve) => {
      const socket = new WebSocket(`ws://${server.host}/v1/responses`);
      socket.on("unexpected-response", (_, response) => resolve(response.statusCode));
      socket.on("open", () => resolve(101));
      socket.on("error", () => resolve(0));
    });
    expect(status).toBe(426);
    expect(server.upstream.received).toHaveLength(0);
  });

  test("K6: absolute targets and paths of others do not reach an endpoint", async () => {
    const server = await startGatewayServer(good);
    for (const path of ["http://evil.example/v1/models", "//evil.example/v1/models", "/api/v1/models", "/V1/models"])
      expect((await server.ask(path)).json, path).not.toEqual(chatAnswer("hi"));
    expect(server.upstream.received).toHaveLength(0);
  });
});
