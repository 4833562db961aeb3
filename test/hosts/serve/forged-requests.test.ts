import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openStore } from "../../../src/store/index.ts";
import { type AskOptions, startServer, type TestServer } from "./support/test-server.ts";

/** A body that would have an effect if the request were let through. */
const BODIES: Readonly<Record<string, unknown>> = {
  "/api/settings": { api_retry_max_delay: 9 },
  "/api/weather": { weather: "storm" },
};
const ANY_BODY = { message: "Hello", title: "Other", policy: {}, content: "x", text: "x", seq: 1 };

interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Every operation of the server's own document. */
async function operations(server: TestServer): Promise<readonly Operation[]> {
  const { json } = await server.ask("/api/openapi.json");
  const { paths } = json as { readonly paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, "x1") })),
  );
}

/** What a forged request could change. */
async function stateOf({ storePath }: TestServer): Promise<unknown> {
  const store = await openStore({ path: storePath });
  const [config, conversations] = await Promise.all([store.config.list(), store.conversations.list()]);
  await store.close();
  return { config, conversations };
}

const FORGERIES: readonly (readonly [string, (server: TestServer) => Readonly<Record<string, string>>])[] = [
  ["another host", () => ({ host: "evil.example" })],
  ["a name that points here", ({ port }) => ({ host: `rebound.example:${port}` })],
  ["another site's origin", () => ({ origin: "https://evil.example" })],
  ["an opaque origin", () => ({ origin: "null" })],
  ["the origin of another local page", () => ({ origin: "http://127.0.0.1:3000" })],
  ["a cross-site fetch", () => ({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" })],
  ["a same-site fetch", () => ({ "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" })],
];

const withBody = ({ method, path }: Operation, headers: Readonly<Record<string, string>>): AskOptions => ({
  method,
  headers,
  ...(method !== "GET" && { body: BODIES[path] ?? ANY_BODY }),
});

describe("K6: forged requests", () => {
  test.each(FORGERIES)("K6: every path refuses %s with one constant answer, even with the token", async (_, forge) => {
    const server = await startServer();
    const before = await stateOf(server);
    const all = await operations(server);
    expect(all.length).toBeGreaterThan(5);
    const answers = new Set<string>();
    for (const operation of [...all, { method: "GET", path: "/assets/x.js" }, { method: "POST", path: "/nothing" }]) {
      const headers = { "x-secondwind-token": server.token, ...forge(server) };
      const { status, text, headers: got } = await server.ask(operation.path, withBody(operation, headers));
      expect(got["access-control-allow-origin"]).toBeUndefined();
      expect(got["cross-origin-resource-policy"]).toBe("same-origin");
      answers.add(`${status} ${text}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^403 /)]);
    expect(await stateOf(server)).toEqual(before);
  });

  test.each([
    ["no token", {}],
    ["a wrong token", { "x-secondwind-token": "x".repeat(43) }],
    ["an access key, where the server has none", { authorization: "Bearer x" }],
  ])("K6: every request that changes something is refused with %s", async (_, headers) => {
    const server = await startServer();
    const before = await stateOf(server);
    const changing = (await operations(server)).filter(({ method }) => method !== "GET");
    const answers = new Set<string>();
    for (const operation of changing) {
      // A browser's request: from programs, /chat takes none.
      const own = { origin: `http://${server.host}`, ...headers };
      const { status, text } = await server.ask(operation.path, withBody(operation, own));
      answers.add(`${status} ${text}`);
    }
    expect([...answers]).toEqual([expect.stringMatching(/^403 /)]);
    expect(await stateOf(server)).toEqual(before);
  });

  test("K6: the same request with the token is let through", async () => {
    const server = await startServer();
    const headers = { "x-secondwind-token": server.token, origin: `http://${server.host}` };
    const options = withBody({ method: "PUT", path: "/api/settings" }, headers);
    expect(await server.ask("/api/settings", options)).toMatchObject({ status: 200 });
    expect(JSON.stringify(await stateOf(server))).toContain('"key":"api_retry_max_delay","value":9');
  });

  test.each(FORGERIES)("K6: the WebSocket refuses %s, even with the token", async (_, forge) => {
    const server = await startServer();
    const url = `ws://${server.host}/ws?token=${server.token}`;
    expect(await handshake(url, forge(server))).toBe(403);
  });

  test.each([
    ["without a token from a browser", "", 403],
    ["with a wrong token from a browser", "?token=wrong", 403],
  ])("K6: the WebSocket is refused %s", async (_, query, status) => {
    const server = await startServer();
    expect(await handshake(`ws://${server.host}/ws${query}`, { origin: `http://${server.host}` })).toBe(status);
  });

  test("K6: the WebSocket opens for the page with its token, and for a program without one", async () => {
    const server = await startServer();
    const own = { origin: `http://${server.host}`, "sec-fetch-site": "same-origin" };
    expect(await handshake(`ws://${server.host}/ws?token=${server.token}`, own)).toBe(101);
    expect(await handshake(`ws://${server.host}/ws`, {})).toBe(101);
    expect(await handshake(`ws://${server.host}/api/session`, {})).toBe(400);
  });
});

/** The status of the answer; 101: it opened. */
function handshake(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers: { ...headers } });
    socket.on("open", () => {
      socket.close();
      resolve(101);
    });
    socket.on("unexpected-response", (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", reject);
  });
}
