import { afterEach, describe, expect, test } from "vitest";
import { receiptOf, resilientFetch } from "../../../src/adapters/fetch/index.ts";
import { chatAnswer, QUOTA, type Received, sendJson, serve, type TestServer } from "./server.ts";
import { useWay, WAYS } from "./ways.ts";

const QUICK = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } } } as const;
const open: TestServer[] = [];
async function listen(...parameters: Parameters<typeof serve>): Promise<TestServer> {
  const server = await serve(...parameters);
  open.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const keyIn = ({ headers }: Received): string | undefined => headers.authorization?.replace("Bearer ", "");
function chat(fetch: typeof globalThis.fetch | ReturnType<typeof resilientFetch>, url: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions?tier=flex`, {
    method: "POST",
    headers: { authorization: "Bearer own", "content-type": "application/json", "openai-organization": "org-1" },
    body: JSON.stringify({ messages: [{ content: '"model":"trap"' }], model: "first", stream: false }),
  });
}

describe.each(WAYS)("keys, by %s", (way) => {
  useWay(way);

  test("E17: another key of the list is tried at once when one is used up, and goes first the next time", async () => {
    const server = await listen((request, response) =>
      keyIn(request) === "dry" ? sendJson(response, 429, QUOTA) : sendJson(response, 200, chatAnswer("Hi")),
    );
    const fetch = resilientFetch(QUICK, { keys: { [server.url]: ["dry", "full"] } });
    const response = await chat(fetch, server.url);
    expect(await response.json()).toEqual(chatAnswer("Hi"));
    expect(server.received.map(keyIn)).toEqual(["dry", "full"]);
    expect(receiptOf(response)?.targets.map(({ credential }) => credential)).toEqual(["key 1", "key 2"]);
    await chat(fetch, server.url);
    expect(server.received.map(keyIn)).toEqual(["dry", "full", "full"]);
  });

  test("E17: with every key used up it ends after one call each, with the provider's own words", async () => {
    const server = await listen((_, response) => sendJson(response, 429, QUOTA));
    const response = await chat(resilientFetch(QUICK, { keys: { [server.url]: ["one", "two"] } }), server.url);
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual(QUOTA);
    expect(server.received.map(keyIn)).toEqual(["one", "two"]);
  });

  test("E17: the keys of one origin never reach another, not over a redirect either", async () => {
    const other = await listen((_, response) => sendJson(response, 200, chatAnswer("Elsewhere")));
    const server = await listen((_, response) => {
      response.writeHead(307, { location: `${other.url}/v1/chat/completions` });
      response.end();
    });
    const response = await chat(resilientFetch(QUICK, { keys: { [server.url]: "secret" } }), server.url);
    expect(await response.text()).toContain("Elsewhere");
    expect(server.received.map(keyIn)).toEqual(["secret"]);
    expect(JSON.stringify(other.received)).not.toContain("secret");
    expect(other.received[0]?.headers["openai-organization"]).toBeUndefined();
    expect(other.received[0]?.body).toBe(server.received[0]?.body);
  });

  test("E17: a redirect on the same origin keeps the key", async () => {
    const server = await listen((request, response) => {
      if (request.url.startsWith("/moved")) return sendJson(response, 200, chatAnswer("Hi"));
      response.writeHead(308, { location: "/moved/v1/chat/completions" });
      response.end();
    });
    await chat(resilientFetch(QUICK), server.url);
    expect(server.received.map(keyIn)).toEqual(["own", "own"]);
  });

  test("E17: two callers with their own keys do not share a cooldown", async () => {
    const server = await listen((request, response) =>
      keyIn(request) === "dry" ? sendJson(response, 429, QUOTA) : sendJson(response, 200, chatAnswer("Hi")),
    );
    const fetch = resilientFetch(QUICK);
    const ask = (key: string): Promise<Response> =>
      fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: '{"model":"m"}',
      });
    expect((await ask("dry")).status).toBe(429);
    expect((await ask("full")).status).toBe(200);
  });
});

describe.each(WAYS)("fallbacks, by %s", (way) => {
  useWay(way);

  test("E17: another endpoint gets the same request with its own model and key, and nothing of the first account", async () => {
    const spare = await listen((_, response) => sendJson(response, 200, chatAnswer("Spare")));
    const server = await listen((_, response) => sendJson(response, 429, QUOTA));
    const fallbacks = [{ baseURL: `${spare.url}/api/v1/`, model: 'sp"are', keys: "theirs" }];
    const response = await chat(resilientFetch(QUICK, { fallbacks }), server.url);
    expect(await response.text()).toContain("Spare");
    const [got] = spare.received;
    expect(got?.url).toBe("/api/v1/chat/completions?tier=flex");
    expect(got && keyIn(got)).toBe("theirs");
    expect(JSON.parse(got?.body ?? "")).toEqual({
      messages: [{ content: '"model":"trap"' }],
      model: 'sp"are',
      stream: false,
    });
    expect(JSON.stringify(got?.headers)).not.toMatch(/own|org-1/);
  });

  test("E17: Gemini's model stands in the path, and its key in its own header", async () => {
    const answer = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };
    const spare = await listen((_, response) => sendJson(response, 200, answer));
    const server = await listen((_, response) =>
      sendJson(response, 403, { error: { message: "no", status: "PERMISSION_DENIED" } }),
    );
    const fallbacks = [{ baseURL: spare.url, model: "other/one", keys: "theirs", format: "gemini" as const }];
    const response = await resilientFetch(QUICK, { fallbacks })(
      `${server.url}/v1beta/models/first:generateContent?key=mine`,
      { method: "POST", body: "{}" },
    );
    expect(response.status).toBe(200);
    expect(spare.received[0]?.url).toBe("/v1beta/models/other%2Fone:generateContent");
    expect(spare.received[0]?.headers["x-goog-api-key"]).toBe("theirs");
  });

  test("E19: a model in the path that is not encoded well is left to the endpoint", async () => {
    const server = await listen((_, response) => sendJson(response, 404, { error: { message: "no such model" } }));
    const url = `${server.url}/v1beta/models/100%:generateContent`;
    expect((await resilientFetch(QUICK)(url, { method: "POST", body: "{}" })).status).toBe(404);
    expect(server.received[0]?.url).toBe("/v1beta/models/100%:generateContent");
  });

  test("E17: a fallback of Anthropic's format is reached with the version in its base URL, as the AI SDK has it, and without", async () => {
    const server = await listen((_, response) => sendJson(response, 404, {}));
    const fallbacks = ["", "/v1", "/sub/v1/"].map((path) => ({
      ...{ baseURL: server.url + path, model: `claude${path}`, keys: "theirs", format: "anthropic" as const },
    }));
    const init = { method: "POST", body: '{"model":"first","messages":[]}' };
    await resilientFetch(QUICK, { fallbacks })(`${server.url}/v1/messages`, init);
    expect(server.received.map(({ url }) => url)).toEqual([
      ...["/v1/messages", "/v1/messages", "/v1/messages", "/sub/v1/messages"],
    ]);
  });

  test("E17: a fallback of another wire format is not used", async () => {
    const spare = await listen((_, response) => sendJson(response, 200, {}));
    const server = await listen((_, response) => sendJson(response, 429, QUOTA));
    const fallbacks = [{ baseURL: spare.url, model: "claude", format: "anthropic" as const }];
    expect((await chat(resilientFetch(QUICK, { fallbacks }), server.url)).status).toBe(429);
    expect(spare.received).toHaveLength(0);
  });
});

describe("options", () => {
  test.each([
    [{ keys: { "not a url": "k" } }, /options\.keys\["not a url"\] must be an http or https URL/],
    [{ keys: { "https://a.example": [] } }, /options\.keys\["https:\/\/a\.example"\] must be a key/],
    [{ fallbacks: [{ baseURL: "https://a.example", model: " " }] }, /options\.fallbacks\[0\]\.model must be the name/],
    [{ fallbacks: [{ baseURL: "ftp://a", model: "m" }] }, /options\.fallbacks\[0\]\.baseURL must be an http/],
    [
      { fallbacks: [{ baseURL: "https://a.example", model: "m", format: "cohere" }] },
      /format must be .*openai.*anthropic/,
    ],
    [{ retries: 3 }, /retries/],
    [{ fetch: 1 }, /options\.fetch must be a function/],
    [{ on: "log" }, /options\.on must be a function; got "log"/],
    [
      { keys: { "https://a.example": ["k", ""] } },
      /options\.keys\["https:\/\/a\.example"\]\[1\] must be a key.*got ""$/,
    ],
  ])("E19: %j is refused, and the error names the field and what is allowed", (options, words) => {
    expect(() => resilientFetch(undefined, options as never)).toThrow(words);
  });

  test("E19: an error about a key never shows it", () => {
    const act = (): unknown => resilientFetch(undefined, { keys: { "https://a.example": ["sk-secret with space"] } });
    expect(act).toThrow(/\[0\] must be a key: printable ASCII without spaces; got "…"/);
    expect(act).not.toThrow(/sk-secret/);
  });
});
