import { describe, expect, onTestFinished, test } from "vitest";
import type { GatewayOptions } from "../../src/gateway/index.ts";
import { chatAnswer, QUOTA, sendJson, serve, type TestServer } from "../adapters/fetch/server.ts";
import { askRaw } from "./support/raw-request.ts";
import { endpointsAt, gatewayOfTest, type TestGateway } from "./support/start-gateway.ts";

async function upstreamOf(answer: Parameters<typeof serve>[0]): Promise<TestServer> {
  const upstream = await serve(answer);
  onTestFinished(() => upstream.close());
  return upstream;
}

const good = (): Promise<TestServer> => upstreamOf((_, response) => sendJson(response, 200, chatAnswer("hi")));
const refusing = (status: number, body: object = {}): Promise<TestServer> =>
  upstreamOf((_, response) => sendJson(response, status, body));

/** The client's account in every place where one may stand. */
const ACCOUNT = {
  authorization: "Bearer client-key",
  "x-api-key": "client-key",
  "x-goog-api-key": "client-key",
  "api-key": "client-key",
  cookie: "client-key",
  "openai-organization": "client-key",
  "openai-project": "client-key",
};

const ask = (gateway: TestGateway, body: unknown, headers: Record<string, string> = {}, query = "") =>
  askRaw(gateway.port, `/v1/chat/completions${query}`, { body, headers });

describe("E17: an alias", () => {
  test("E17: goes through its chain, with the model's bytes replaced and nothing else", async () => {
    const [first, second] = [await refusing(404, { error: { message: "no such model" } }), await good()];
    const gateway = await gatewayOfTest({
      endpoints: {
        one: { baseURL: `${first.url}/v1`, format: "openai", keys: "key-1" },
        two: { baseURL: `${second.url}/openai/v9`, format: "openai", keys: "key-2" },
      },
      aliases: { fast: ["one/gpt-x", "two/org/lläma 風"] },
    });
    const { status, headers } = await ask(
      gateway,
      '{"a": "ü", "model": "fast" ,"stream":false,"z":[{"model":"fast"}]}',
    );
    expect(status).toBe(200);
    expect(first.received[0]).toMatchObject({
      url: "/v1/chat/completions",
      body: '{"a": "ü", "model": "gpt-x" ,"stream":false,"z":[{"model":"fast"}]}',
    });
    expect(second.received[0]).toMatchObject({
      url: "/openai/v9/chat/completions",
      body: '{"a": "ü", "model": "org/lläma 風" ,"stream":false,"z":[{"model":"fast"}]}',
    });
    expect(headers["x-secondwind-target"]).toContain("two/org/");
  });

  test("E17: has a name in any script, and a policy of its own", async () => {
    const upstream = await upstreamOf((_, response, count) =>
      sendJson(response, count < 3 ? 503 : 200, chatAnswer("hi")),
    );
    const gateway = await gatewayOfTest({
      endpoints: endpointsAt(upstream.url),
      aliases: { 風: { models: ["openai/real"], policy: { enabled: false } } },
    });
    const { status } = await ask(gateway, { model: "風" });
    expect(status).toBe(503);
    expect(upstream.received.map(({ body }) => JSON.parse(body).model)).toEqual(["real"]);
  });

  test("E17: replaces Gemini's model in the path", async () => {
    const upstream = await good();
    const gateway = await gatewayOfTest({
      endpoints: { ...endpointsAt(upstream.url), own: { baseURL: `${upstream.url}/proxy/v1beta`, format: "gemini" } },
      aliases: { quick: ["google/gemini a/b", "own/x"], other: ["own/x y"] },
    });
    for (const path of [
      "/v1beta/models/quick:streamGenerateContent?alt=sse&key=k",
      "/google/v1beta/models/quick:countTokens",
      "/v1beta/models/other:generateContent",
    ])
      await askRaw(gateway.port, path, { body: '{"contents":[{"parts":[{"text":"quick"}]}]}' });
    expect(upstream.received.map(({ url }) => url)).toEqual([
      "/v1beta/models/gemini%20a%2Fb:streamGenerateContent?alt=sse&key=k",
      "/v1beta/models/gemini%20a%2Fb:countTokens",
      "/proxy/v1beta/models/x%20y:generateContent",
    ]);
    expect(upstream.received.every(({ body }) => body.includes('"text":"quick"'))).toBe(true);
  });

  test.each([
    ["anthropic", "/v1/messages", ["/v1/messages", "/sub/v1/messages", "/v1/messages"]],
    [
      "gemini",
      "/v1beta/models/fast:generateContent",
      ["/v1beta/models/a:generateContent", "/sub/v1beta/models/b:generateContent", "/v1beta/models/c:generateContent"],
    ],
  ] as const)("E17: reaches endpoints whose base URL has no version: %s", async (format, path, urls) => {
    const { url, received } = await refusing(404);
    const bases = [format === "gemini" ? `${url}/v1beta` : `${url}/v1`, `${url}/sub`, url];
    const gateway = await gatewayOfTest({
      endpoints: Object.fromEntries(bases.map((baseURL, at) => [`e${at}`, { baseURL, format, keys: `key-${at}` }])),
      aliases: { fast: ["e0/a", "e1/b", "e2/c"] },
    });
    await askRaw(gateway.port, `/e0${path}`, { body: { model: "fast", messages: [] } });
    expect(received.map((request) => request.url)).toEqual(urls);
  });

  test("E17: of another format is no alias: the request goes where its path says", async () => {
    const upstream = await good();
    const gateway = await gatewayOfTest({ endpoints: endpointsAt(upstream.url), aliases: { a: ["anthropic/claude"] } });
    await ask(gateway, { model: "a" });
    expect(upstream.received[0]?.body).toBe('{"model":"a"}');
  });

  test.each<[string, Partial<GatewayOptions>, RegExp]>([
    ["an unknown endpoint", { aliases: { a: ["nobody/x"] } }, /aliases\.a\.models\[0\].*nobody\/x/],
    ["two formats", { aliases: { a: ["openai/x", "anthropic/y"] } }, /aliases\.a\.models\[1\].*openai/],
    ["no models", { aliases: { a: [] } }, /aliases\.a\.models.*at least one/],
    ["no URL", { endpoints: { x: { baseURL: "nope", format: "openai" } } }, /endpoints\.x\.baseURL.*http/],
    ["a path as a name", { endpoints: { api: { baseURL: "http://x", format: "openai" } } }, /endpoints\.api/],
  ])("E17: %s is refused, with the field and what is allowed", async (_, options, says) => {
    await expect(gatewayOfTest(options)).rejects.toThrow(says);
  });
});

describe("E17: keys", () => {
  test.each([
    ["openai", "authorization", "Bearer own-key", "/v1/chat/completions"],
    ["anthropic", "x-api-key", "own-key", "/v1/messages"],
    ["google", "x-goog-api-key", "own-key", "/v1beta/models/m:generateContent"],
  ])(
    "E17: an endpoint %s with its own key gets it as %s, and nothing of the client's account",
    async (name, header, value, path) => {
      const upstream = await good();
      const endpoints = endpointsAt(upstream.url);
      const gateway = await gatewayOfTest({
        endpoints: { ...endpoints, [name]: { ...endpoints[name], keys: "own-key" } } as GatewayOptions["endpoints"] &
          object,
      });
      await askRaw(gateway.port, `${path}?key=client-key&a=1&xkey=2`, {
        body: { model: "m" },
        headers: { ...ACCOUNT, "api-key": "" },
      });
      const [got] = upstream.received;
      expect(JSON.stringify(got)).not.toContain("client-key");
      expect(got?.headers[name === "openai" ? "api-key" : header]).toBe(name === "openai" ? "own-key" : value);
      expect(got?.url).toBe(`${path}?a=1&xkey=2`);
      upstream.close();
    },
  );

  test("E17: a bearer token of the client does not make the endpoint's key one", async () => {
    const upstream = await good();
    const gateway = await gatewayOfTest({
      endpoints: { anthropic: { baseURL: `${upstream.url}/v1`, format: "anthropic", keys: "own-key" } },
    });
    await askRaw(gateway.port, "/v1/messages", { body: { model: "m" }, headers: { authorization: "Bearer token" } });
    expect(upstream.received[0]?.headers).toMatchObject({ "x-api-key": "own-key" });
    expect(upstream.received[0]?.headers.authorization).toBeUndefined();
  });

  test("E17: an endpoint without keys gets the client's own, unless it is reached by an alias from elsewhere", async () => {
    const [home, elsewhere] = [await refusing(401, { error: { message: "Incorrect API key" } }), await good()];
    const gateway = await gatewayOfTest({
      endpoints: { ...endpointsAt(home.url), two: { baseURL: `${elsewhere.url}/v1`, format: "openai" } },
      aliases: { both: ["openai/a", "two/b"] },
    });
    const { status } = await ask(gateway, { model: "both" }, ACCOUNT, "?key=client-key");
    expect(status).toBe(200);
    expect(home.received[0]?.headers).toMatchObject(ACCOUNT);
    expect(home.received[0]?.url).toContain("key=client-key");
    expect(JSON.stringify(elsewhere.received)).not.toContain("client-key");
  });

  test("E17: a used-up key is followed by the next one at once, and is left out afterwards", async () => {
    const upstream = await upstreamOf(({ headers }, response) =>
      headers.authorization === "Bearer empty"
        ? sendJson(response, 429, QUOTA)
        : sendJson(response, 200, chatAnswer("hi")),
    );
    const gateway = await gatewayOfTest({
      endpoints: { openai: { baseURL: `${upstream.url}/v1`, format: "openai", keys: ["empty", "full"] } },
    });
    for (const content of ["1", "2"]) expect((await ask(gateway, { model: "m", content })).status).toBe(200);
    expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer empty",
      "Bearer full",
      "Bearer full",
    ]);
  });

  test("E17: what one client's key has used up does not hold back another's", async () => {
    const upstream = await upstreamOf(({ headers }, response) =>
      headers.authorization === "Bearer b" ? sendJson(response, 200, chatAnswer("hi")) : sendJson(response, 429, QUOTA),
    );
    const gateway = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
    expect((await ask(gateway, { model: "m" }, { authorization: "Bearer a" })).status).toBe(429);
    expect((await ask(gateway, { model: "m" }, { authorization: "Bearer b" })).status).toBe(200);
  });

  test.each([301, 302, 307, 308])(
    "E17: a redirect (%i) is refused: no client is sent elsewhere with its key",
    async (status) => {
      const elsewhere = await good();
      const upstream = await upstreamOf((_, response) =>
        sendJson(response, status, {}, { location: `${elsewhere.url}/v1/chat/completions` }),
      );
      const gateway = await gatewayOfTest({ endpoints: endpointsAt(upstream.url) });
      for (const [method, path] of [
        ["POST", "/v1/chat/completions"],
        ["GET", "/v1/models"],
      ] as const) {
        const answer = await askRaw(gateway.port, path, {
          method,
          ...(method === "POST" && { body: { model: "m" } }),
          headers: ACCOUNT,
        });
        expect(answer.status).toBe(502);
        expect(answer.headers.location).toBeUndefined();
        expect(JSON.parse(answer.body.toString()).error).toMatchObject({ type: "secondwind_error" });
      }
      expect(elsewhere.received).toHaveLength(0);
    },
  );
});
