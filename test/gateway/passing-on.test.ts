import { describe, expect, onTestFinished, test } from "vitest";
import { chatAnswer, type Received, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";
import { askRaw } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest } from "./support/start-gateway.ts";

/** An endpoint that answers everything with the same, and a gateway before it. */
async function passing(answer: Parameters<typeof serve>[0]) {
  const upstream = await serve(answer);
  onTestFinished(() => upstream.close());
  return { upstream, ...(await gatewayOfTest({ endpoints: endpointsAt(upstream.url) })) };
}

const first = ({ received }: TestServer): Received => received[0] as Received;

describe("E14: what the gateway passes on", () => {
  test("E14: query, beta headers and unknown fields of a generation arrive unchanged, byte by byte", async () => {
    const { upstream, port } = await passing((_, response) => sendJson(response, 200, chatAnswer("hi")));
    const body = '{ "x_new":{"a":[1,2,{"b":"}\\"{"}]},\n"model" : "m\\u006f", "n":1e2, "stream":false ,"\u00fc":"風" }';
    await askRaw(port, "/v1/chat/completions?api-version=2026-01&x=%2F%20y", {
      headers: { "openai-beta": "a=b", "anthropic-beta": "x,y", "X-Custom": "kept", "user-agent": "me/1" },
      body,
    });
    const { url, headers, body: got } = first(upstream);
    expect(url).toBe("/v1/chat/completions?api-version=2026-01&x=%2F%20y");
    expect(got).toBe(body);
    expect(headers).toMatchObject({
      ...{ "openai-beta": "a=b", "anthropic-beta": "x,y", "x-custom": "kept", "user-agent": "me/1" },
      "content-length": String(Buffer.byteLength(body)),
      "accept-encoding": "identity",
    });
  });

  test("E14: nothing of the connection and none of the gateway's own headers is passed on", async () => {
    const { upstream, port, url } = await passing((_, response) =>
      sendJson(response, 200, chatAnswer("hi"), { "x-secondwind-id": "theirs", "keep-alive": "timeout=1" }),
    );
    const { head } = await askRaw(port, "/v1/chat/completions", {
      headers: {
        ...{ "x-secondwind-id": "mine", "x-secondwind-max-wait": "5", te: "trailers", "keep-alive": "x=1" },
        ...{ connection: "close, x-hop", "x-hop": "secret" },
      },
      body: { model: "m" },
    });
    const { headers } = first(upstream);
    for (const name of ["x-secondwind-id", "x-secondwind-max-wait", "te", "x-hop"])
      expect(headers[name], name).toBeUndefined();
    expect(headers.host).toBe(new URL(upstream.url).host);
    expect(url).not.toContain(headers.host ?? "");
    expect(head.match(/^x-secondwind-id: .*$/gm)).toEqual(["x-secondwind-id: mine"]);
  });

  test.each([
    ["GET", "/v1/files/file-1/content?x=1", "/v1/files/file-1/content?x=1"],
    ["DELETE", "/v1/files/file-1", "/v1/files/file-1"],
    ["POST", "/v1/something/new", "/v1/something/new"],
    ["PATCH", "/openai/v1/x%2Fy", "/v1/x%2Fy"],
    ["POST", "/openai/chat/completions", "/v1/chat/completions"],
    ["POST", "/anthropic/v1/messages", "/v1/messages"],
    ["GET", "/anthropic/api/hello", "/api/hello"],
    ["GET", "/google/v1beta/models", "/v1beta/models"],
    ["POST", "/google/upload/v1beta/files", "/upload/v1beta/files"],
    ["POST", "/v1beta/openai/chat/completions", "/v1beta/openai/chat/completions"],
  ])("E14: %s %s reaches the endpoint as %s", async (method, path, arrives) => {
    const { upstream, port } = await passing((_, response) => sendJson(response, 200, chatAnswer("hi")));
    const { status, body } = await askRaw(port, path, { method, ...(method !== "GET" && { body: "{}" }) });
    expect([status, body.toString()]).toEqual([200, JSON.stringify(chatAnswer("hi"))]);
    expect(first(upstream)).toMatchObject({ method, url: arrives });
  });

  test.each([
    ["/v1/completions", "application/json", '{ "choices": [{"text":"hi","index":0,"finish_reason":"stop"}] }\n'],
    [
      "/v1/completions",
      "text/event-stream",
      'data: {"choices":[{"text":"h","index":0,"finish_reason":null}]}\n\ndata: {"choices":[{"text":"i","index":0,"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ],
    ["/v1/messages/count_tokens", "application/json", '{"input_tokens": 12}'],
    ["/v1beta/models/m:countTokens", "application/json; charset=UTF-8", '{\n  "totalTokens": 31\n}\n'],
    ["/v1beta/models/m:batchEmbedContents", "application/json", '{"embeddings":[{"values":[0.1]}]}'],
    ["/v1/moderations", "application/json", '{"id":"modr-1","results":[]}'],
  ])("E14: %s as %s comes back as it was sent, after a refusal", async (path, type, text) => {
    const { upstream, port } = await passing((_, response, count) => {
      if (count === 1) return sendJson(response, 503, {});
      response.writeHead(200, { "content-type": type }).end(text);
    });
    const answer = await askRaw(port, path, { body: { model: "m", stream: type.startsWith("text") } });
    expect(answer).toMatchObject({ status: 200, isWhole: true, headers: { "content-type": type } });
    expect([answer.body.toString(), upstream.received.length]).toEqual([text, 2]);
  });

  test("E14: a body of any kind passes both ways as it is", async () => {
    const bytes = Buffer.from(Array.from({ length: 4096 }, (_, at) => at % 256));
    const { upstream, port } = await passing((_, response) => {
      response.writeHead(201, "Made", { "content-type": "audio/mpeg", "set-cookie": ["a=1", "b=2"] });
      response.end(bytes);
    });
    const answer = await askRaw(port, "/v1/audio/speech", { body: bytes, headers: { "content-encoding": "x-own" } });
    expect(answer).toMatchObject({ status: 201, isWhole: true, headers: { "content-type": "audio/mpeg" } });
    expect(answer.body.equals(bytes)).toBe(true);
    expect(first(upstream).headers).toMatchObject({ "content-length": "4096", "content-encoding": "x-own" });
  });

  test.each([
    ["GET", 3],
    ["DELETE", 3],
    ["POST", 1],
    ["PATCH", 1],
  ])("E4: what is no generation: %s is sent %i times if the endpoint is down twice", async (method, times) => {
    const { upstream, port } = await passing((_, response, count) =>
      sendJson(response, count < 3 ? 503 : 200, { ok: count === 3 }),
    );
    const { status } = await askRaw(port, "/v1/files", { method, ...(method !== "GET" && { body: "{}" }) });
    expect([upstream.received.length, status]).toEqual([times, times === 3 ? 200 : 503]);
  });

  test("E14: HEAD has no body, 204 and 304 pass as they are", async () => {
    const { port } = await passing(({ method, url }, response) => {
      const status = url.endsWith("204") ? 204 : url.endsWith("304") ? 304 : 200;
      response.writeHead(status, { etag: '"x"', ...(status === 200 && { "content-length": "12" }) });
      response.end(method === "HEAD" || status !== 200 ? undefined : "x".repeat(12));
    });
    expect(await askRaw(port, "/v1/models", { method: "HEAD" })).toMatchObject({
      status: 200,
      headers: { "content-length": "12", etag: '"x"' },
    });
    for (const status of [204, 304])
      expect(await askRaw(port, `/v1/x/${status}`, { method: "GET", isKept: false })).toMatchObject({
        status,
        headers: { etag: '"x"' },
      });
  });

  test("E14: a path of no endpoint is 404, and nothing is sent", async () => {
    const { upstream, port } = await passing((_, response) => sendJson(response, 200, {}));
    for (const path of [
      "/",
      "/v2/chat",
      "/nobody/v1/chat/completions",
      "/openai",
      "/%6fpenai/v1/models",
      "//v1/models",
    ])
      expect((await askRaw(port, path, { method: "GET" })).status, path).toBe(404);
    expect(upstream.received).toHaveLength(0);
  });
});
