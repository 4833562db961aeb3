import { afterAll, beforeAll, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await serve(({ url }, response) => {
    if (!url.startsWith("/old")) return sendJson(response, 200, chatAnswer("Hi"));
    response.writeHead(307, { location: url.slice("/old".length) });
    response.end();
  });
});

afterAll(() => server.close());

test.each([
  ["an answer", "POST", "/v1/chat/completions"],
  ["the response of another call", "GET", "/v1/models"],
])("E14: %s that came by a redirect says so, and one that did not does not", async (_, method, path) => {
  const fetch = resilientFetch();
  const init: RequestInit = method === "POST" ? { method, body: '{"model":"m"}' } : { method };
  for (let call = 0; call < 2; call++) {
    const moved = await fetch(`${server.url}/old${path}`, init);
    expect([moved.redirected, moved.url, moved.status]).toEqual([true, server.url + path, 200]);
    await moved.text();
    const direct = await fetch(server.url + path, init);
    expect(direct.redirected).toBe(false);
    await direct.text();
  }
});
