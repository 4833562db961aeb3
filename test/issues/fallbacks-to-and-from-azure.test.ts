import OpenAI, { AzureOpenAI } from "openai";
import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, QUOTA, type Received, sendJson, serve } from "../adapters/fetch/server.ts";
import { askRaw } from "../gateway/support/raw-request.ts";
import { gatewayOfTest } from "../gateway/support/start-gateway.ts";

const messages = [{ role: "user" as const, content: "Hi" }];

interface Asked {
  readonly path: string;
  readonly ask: (url: string, fetch: typeof globalThis.fetch) => Promise<unknown>;
}

/** The request that a fallback at this path gets. */
async function atFallback({ path, ask }: Asked): Promise<Received | undefined> {
  const dry = await serve((_, response) => sendJson(response, 429, QUOTA));
  const spare = await serve((_, response) => sendJson(response, 200, chatAnswer("Spare")));
  onTestFinished(async () => void (await Promise.all([dry.close(), spare.close()])));
  const fetch = resilientFetch({}, { fallbacks: [{ baseURL: spare.url + path, model: "spare", keys: "theirs" }] });
  await ask(dry.url, fetch);
  return spare.received[0];
}

const askAzure: Asked["ask"] = (endpoint, fetch) =>
  new AzureOpenAI({ endpoint, fetch, apiKey: "own", apiVersion: "2024-10-21", maxRetries: 0 }).chat.completions.create({
    model: "first",
    messages,
  });
const askOpenAi: Asked["ask"] = (url, fetch) =>
  new OpenAI({ baseURL: `${url}/v1`, fetch, apiKey: "own", maxRetries: 0 }).chat.completions.create({
    model: "first",
    messages,
  });

test("E17: a fallback of a client of Azure gets its key as a bearer token too", async () => {
  const got = await atFallback({ path: "/v1", ask: askAzure });
  expect(got?.url).toMatch(/^\/v1\/chat\/completions/);
  expect(got?.headers.authorization).toBe("Bearer theirs");
});

test("E17: a deployment of Azure gets its key in Azure's header, and the API version of its base URL", async () => {
  const path = "/openai/deployments/spare?api-version=2025-01-01";
  for (const ask of [askAzure, askOpenAi]) {
    const got = await atFallback({ path, ask });
    expect(got?.url).toBe("/openai/deployments/spare/chat/completions?api-version=2025-01-01");
    expect(got?.headers["api-key"]).toBe("theirs");
    expect(got?.headers.authorization).toBeUndefined();
  }
});

test.each([
  ["https://spare.openai.azure.com/openai/v1", "api-key", "theirs"],
  ["https://spare.services.ai.azure.com/openai/v1", "api-key", "theirs"],
  ["https://spare.eastus.cloudapp.azure.com/v1", "authorization", "Bearer theirs"],
  ["https://spare.azurewebsites.net/v1", "authorization", "Bearer theirs"],
])("E17: a request to %s has its key in %s", async (baseURL, name, value) => {
  const sent: Headers[] = [];
  const own: typeof globalThis.fetch = async (_, init) => {
    sent.push(new Headers(init?.headers));
    return sent.length === 1 ? Response.json(QUOTA, { status: 429 }) : Response.json(chatAnswer("Spare"));
  };
  const fallbacks = [{ baseURL, model: "spare", keys: "theirs" }];
  await askOpenAi("https://api.openai.com", resilientFetch({}, { fetch: own, fallbacks }));
  const keys = ["api-key", "authorization"].filter((header) => sent[1]?.has(header));
  expect(keys).toEqual([name]);
  expect(sent[1]?.get(name)).toBe(value);
});

test.each([
  ["", "api-key", ["api-key", "authorization"]],
  ["", "authorization", ["authorization"]],
  ["/openai/deployments/own", "authorization", ["api-key"]],
])(
  "E17: the gateway's endpoint with the base path %j gets its key for a client with %s in %j",
  async (path, header, names) => {
    const upstream = await serve((_, response) => sendJson(response, 200, chatAnswer("Hi")));
    const endpoints = { lab: { baseURL: upstream.url + path, format: "openai" as const, keys: "own-key" } };
    const gateway = await gatewayOfTest({ endpoints });
    onTestFinished(async () => void (await upstream.close()));
    await askRaw(gateway.port, "/lab/chat/completions", {
      body: { model: "m" },
      headers: { [header]: "Bearer client" },
    });
    const sent = upstream.received[0]?.headers;
    expect(["api-key", "authorization"].filter((name) => sent?.[name]?.includes("own-key"))).toEqual(names);
    expect(JSON.stringify(sent)).not.toContain("client");
  },
);

test("E17: OpenAI's count of tokens keeps its path at the gateway, whatever its model's endpoint", async () => {
  const upstream = await serve((_, response) => sendJson(response, 200, { input_tokens: 3 }));
  const endpoints = { lab: { baseURL: `${upstream.url}/v1`, format: "openai" as const, keys: "own-key" } };
  const gateway = await gatewayOfTest({ endpoints, aliases: { fast: ["lab/m"] } });
  onTestFinished(async () => void (await upstream.close()));
  await askRaw(gateway.port, "/v1/responses/input_tokens", { body: { model: "fast" } });
  expect(upstream.received[0]?.url).toBe("/v1/responses/input_tokens");
});
