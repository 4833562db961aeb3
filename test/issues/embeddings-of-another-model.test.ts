import { afterAll, beforeAll, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { QUOTA, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

const VECTORS = { data: [{ embedding: [0.1] }] };

let first: TestServer;
let second: TestServer;

beforeAll(async () => {
  first = await serve((_, response) => sendJson(response, 429, QUOTA));
  second = await serve((_, response) => sendJson(response, 200, VECTORS));
});

afterAll(() => Promise.all([first.close(), second.close()]));

const embed = (model: string): Promise<Response> =>
  resilientFetch({}, { fallbacks: [{ baseURL: `${second.url}/v1`, model }] })(`${first.url}/v1/embeddings`, {
    method: "POST",
    body: '{"model":"small","input":"sky"}',
  });

test("E17: embeddings do not fall back to another model, because its vectors can't be compared", async () => {
  const response = await embed("large");
  expect(response.status).toBe(429);
  expect(second.received).toEqual([]);
});

test("E17: embeddings fall back to another endpoint that has the same model", async () => {
  const response = await embed("small");
  expect(await response.json()).toEqual(VECTORS);
});
