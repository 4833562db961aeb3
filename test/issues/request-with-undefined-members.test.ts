import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";

const BODY = '{"model":"m","messages":[]}';
const fetch = resilientFetch({ schedules: { general: { type: "fixed", delayMs: 0, atMost: 1 } } });

let server: TestServer;
let url = "";
let refusals = 0;

beforeAll(async () => {
  server = await serve((_, response) =>
    refusals-- > 0 ? sendJson(response, 503, {}) : sendJson(response, 200, chatAnswer("Hi")),
  );
  url = `${server.url}/v1/chat/completions`;
});

beforeEach(() => {
  refusals = 1;
});

afterAll(() => server.close());

const request = (signal?: AbortSignal): Request =>
  new Request(url, { method: "POST", headers: { "x-caller": "me" }, body: BODY, ...(signal && { signal }) });

test.each<[string, RequestInit | null | undefined]>([
  ["nothing", undefined],
  ["null", null],
  ["a body of undefined", { body: undefined as never }],
  ["a body of null", { body: null }],
  ["everything undefined", { method: undefined, headers: undefined, body: undefined, signal: undefined } as never],
])("E14: a Request is sent as it is, twice, with %s as the second argument", async (_, init) => {
  const response = await fetch(request(), init as RequestInit);
  expect(response.status).toBe(200);
  for (const sent of server.received.slice(-2))
    expect(sent).toMatchObject({ method: "POST", body: BODY, headers: { "x-caller": "me" } });
});

test("E13: a Request keeps its signal if the second argument has none", async () => {
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  await expect(fetch(request(signal), { signal: undefined as never })).rejects.toBe(reason);
});

test("E14: a Request as the second argument gives its method, headers and body, as for fetch", async () => {
  refusals = 0;
  const response = await fetch(url, request());
  expect(response.status).toBe(200);
  expect(server.received.at(-1)).toMatchObject({ method: "POST", body: BODY, headers: { "x-caller": "me" } });
});

test("E14: an address may be any object that becomes one as text", async () => {
  const response = await fetch({ href: url, toString: () => url } as URL, { method: "POST", body: BODY });
  expect(response.status).toBe(200);
});

test("E14: a GET whose Request does not show its body, as in Firefox, is sent without one", async () => {
  refusals = 0;
  const hidden = Object.defineProperty(new Request(`${server.url}/v1/models`), "body", { value: undefined });
  const response = await fetch(hidden);
  expect(response.status).toBe(200);
  expect(server.received.at(-1)).toMatchObject({ method: "GET", body: "" });
});
