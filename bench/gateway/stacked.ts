/**
 * Counts the calls that reach a provider which is always down: the gateway alone, and SDKs with their own retries on top of it, all with the
 * default policy in real time (six minutes).
 *
 *   node --import tsx bench/gateway/stacked.ts [--patience 300]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import OpenAI from "openai";
import { createGateway } from "../../src/gateway/index.ts";
import { startSimulator } from "../../src/simulator/http/index.ts";

const { values } = parseArgs({ options: { patience: { type: "string", default: "300" } } });
const patienceMs = Number(values.patience) * 1000;
const messages = [{ role: "user" as const, content: "Hello" }];
const body = JSON.stringify({ model: "down", messages });

/** None has a limit of its own: only retries are counted. */
const CLIENTS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "the gateway alone": async (url) => {
    const headers = { authorization: "Bearer k", "content-type": "application/json" };
    const response = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
    throw new Error(`${response.status} ${await response.text()}`);
  },
  "OpenAI SDK": (url) =>
    new OpenAI({ apiKey: "k", baseURL: `${url}/v1` }).chat.completions.create({ model: "down", messages }),
  "Anthropic SDK": (url) =>
    new Anthropic({ apiKey: "k", baseURL: url }).messages.create({ model: "down", messages, max_tokens: 10 }),
  "AI SDK": (url) =>
    generateText({ model: createOpenAI({ apiKey: "k", baseURL: `${url}/v1` }).chat("down"), prompt: "Hello" }),
  LangChain: (url) =>
    new ChatOpenAI({ apiKey: "k", model: "down", configuration: { baseURL: `${url}/v1` } }).invoke("Hello"),
};

/** Each has a gateway and a provider of its own: what one has learned must not help another. */
async function countCalls(ask: (url: string) => Promise<unknown>): Promise<{ calls: number; seconds: number }> {
  const sim = await startSimulator();
  const gateway = createGateway({
    endpoints: {
      openai: { baseURL: `${sim.url}/v1`, format: "openai" },
      anthropic: { baseURL: `${sim.url}/v1`, format: "anthropic" },
    },
    policy: { patienceMs },
  });
  const server = createServer((request, response) => gateway.handle(request, response));
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const startedAt = performance.now();
  const ended = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then(
    () => "answered",
    () => "failed",
  );
  if (ended !== "failed") throw new Error("A provider that is down has answered");
  const result = { calls: sim.requests.length, seconds: Math.round((performance.now() - startedAt) / 1000) };
  server.closeAllConnections();
  server.close();
  await gateway.close();
  await sim.close();
  return result;
}

const names = Object.keys(CLIENTS);
const results = await Promise.all(Object.values(CLIENTS).map(countCalls));
const alone = results[0]?.calls ?? 0;
for (const [at, { calls, seconds }] of results.entries())
  process.stdout.write(
    `${(names[at] ?? "").padEnd(18)} ${calls} calls in ${seconds} s, ${(calls / alone).toFixed(2)}x\n`,
  );
