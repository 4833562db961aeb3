import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

const EVENTS = `data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
const WAYS = [
  ["an answer", "/v1/chat/completions", '{"model":"m"}'],
  ["a streamed answer", "/v1/chat/completions", '{"model":"m","stream":true}'],
  ["the response of another call", "/v1/threads", "{}"],
] as const;

let server: TestServer;

beforeAll(async () => {
  server = await serve(({ body }, response) => {
    if (!body.includes("stream")) return sendJson(response, 200, chatAnswer("Hi"));
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(EVENTS);
  });
});

afterAll(() => server.close());

describe.each(WAYS)("%s", (_, path, body) => {
  // The second answer comes by the short cut.
  const ask = async (): Promise<Response> => {
    const fetch = resilientFetch();
    await (await fetch(server.url + path, { method: "POST", body })).text();
    return fetch(server.url + path, { method: "POST", body });
  };

  test("B4: is printed like any response, with its receipt among the headers", async () => {
    const response = await ask();
    expect(inspect(response)).toMatch(
      /^Response \{[\s\S]+status: 200[\s\S]+'x-secondwind-attempts': '1'[\s\S]+bodyUsed: false/,
    );
    expect(inspect(response)).toContain(server.url + path);
    expect(inspect(response.headers)).toMatch(/^Headers \{[\s\S]+'x-secondwind-attempts': '1'/);
    expect((await response.text()).length).toBeGreaterThan(0);
  });

  test("B4: is printed after it was read, and still has a body, which is used and locked", async () => {
    const response = await ask();
    await response.text();
    expect(inspect(response)).toContain("bodyUsed: true");
    expect(response.body).toBeInstanceOf(ReadableStream);
    expect(() => response.clone()).toThrow(TypeError);
    await expect(response.arrayBuffer()).rejects.toBeInstanceOf(TypeError);
    await expect(response.text()).rejects.toBeInstanceOf(TypeError);
  });

  test("B4: is an empty object in JSON, as any response is, before and after it was read", async () => {
    const response = await ask();
    expect(JSON.stringify({ response })).toBe('{"response":{}}');
    await response.text();
    expect(JSON.stringify({ response })).toBe('{"response":{}}');
  });
});
