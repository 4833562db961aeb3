import OpenAI, { AzureOpenAI } from "openai";
import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { chatAnswer, QUOTA, type Received, sendJson, serve } from "../adapters/fetch/server.ts";

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

test("E17: a fallback of a client of Azure gets its key where everyone but Azure looks for it", async () => {
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
