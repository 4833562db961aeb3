import type { ServerResponse } from "node:http";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, QUOTA, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

const BODY = '{"model":"first","stream":true,"messages":[{"role":"user","content":"Hello!"}]}   ';
const CONTENT = `data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n`;
const END = `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

let server: TestServer;
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = await serve((_, response) => answer(response));
});

afterAll(() => server.close());

test.each<[string, () => RequestInit]>([
  ["a stream", () => ({ body: new Blob([BODY]).stream(), duplex: "half" })],
  ["a Blob", () => ({ body: new Blob([BODY]) })],
  ["a view of two bytes each", () => ({ body: new Uint16Array(new TextEncoder().encode(BODY).buffer) })],
])("E14: an answer streams to the caller though the request is %s", async (_, init) => {
  let finish = (): void => undefined;
  answer = (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(CONTENT);
    finish = () => response.end(END);
  };
  const response = await resilientFetch()(`${server.url}/v1/chat/completions`, { method: "POST", ...init() });
  expect(receiptOf(response)?.outcome).toBe("running");
  finish();
  expect(await response.text()).toBe(CONTENT + END);
  expect(receiptOf(response)).toMatchObject({ complete: true });
});

test("E14: an answer that does not stream comes whole though the request is a stream", async () => {
  answer = (response) => sendJson(response, 200, chatAnswer("Hi"));
  const init = { method: "POST", body: new Blob([BODY]).stream(), duplex: "half" as const };
  const response = await resilientFetch()(`${server.url}/v1/chat/completions`, init);
  expect(await response.json()).toEqual(chatAnswer("Hi"));
});

const OTHER_REALM: ArrayBuffer = runInNewContext(`Uint8Array.from(${JSON.stringify([...Buffer.from(BODY)])}).buffer`);

test.each<[string, (url: string) => [input: string | Request, init?: RequestInit]]>([
  ["A view of bytes", (url) => [url, { method: "POST", body: new DataView(new TextEncoder().encode(BODY).buffer) }]],
  [
    "A Request in a context of node:vm",
    (url) => [
      Object.assign(new Request(url, { method: "POST", body: BODY }), { arrayBuffer: async () => OTHER_REALM }),
    ],
  ],
])("E17: %s goes to another endpoint with that one's model", async (_, args) => {
  answer = (response) => sendJson(response, 429, QUOTA);
  const other = await serve((_, response) => sendJson(response, 200, chatAnswer("Hi")));
  const fallbacks = [{ baseURL: `${other.url}/v1`, model: "second" }];
  await resilientFetch({}, { fallbacks })(...args(`${server.url}/v1/chat/completions`));
  expect(other.received[0]?.body).toBe(BODY.replace("first", "second"));
  await other.close();
});
