import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { ChatOpenAI } from "@langchain/openai";
import { generateText } from "ai";
import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { definePolicy } from "../../src/kernel/index.ts";
import { defaultPolicy } from "../../src/presets/index.ts";
import { startSimulator } from "../../src/simulator/http/index.ts";
import { endpointsAt, gatewayOfTest } from "./support/start-gateway.ts";

/** The default policy, with a second for every hundred. `bench/gateway/stacked.ts` does the same in real time. */
const FAST = definePolicy(
  {
    schedules: { general: { type: "exponential", baseMs: 10, factor: 2, capMs: 120, jitter: "full" } },
    maxDelayMs: 1200,
    patienceMs: 3000,
    breaker: { failures: 5, leastShare: 0.25, cooldownMs: 10, maxCooldownMs: 80, rampMs: 300 },
    budget: { capacity: 100, capacitySeconds: 10, refillPerSuccess: 1, refillPerSecond: 100 },
  },
  defaultPolicy(),
);
const messages = [{ role: "user" as const, content: "Hello" }];

/** As they come, with their own retries. LangChain's default of 6 takes a minute. */
const CLIENTS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "OpenAI's SDK": (url) =>
    new OpenAI({ apiKey: "k", baseURL: `${url}/v1` }).chat.completions.create({ model: "down", messages }),
  "OpenAI's SDK, streaming": (url) =>
    new OpenAI({ apiKey: "k", baseURL: `${url}/v1` }).responses.create({ model: "down", input: "Hello", stream: true }),
  "Anthropic's SDK": (url) =>
    new Anthropic({ apiKey: "k", baseURL: url }).messages.create({ model: "down", messages, max_tokens: 10 }),
  "Google's SDK": (url) =>
    new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: url } }).models.generateContent({
      model: "down",
      contents: "Hello",
    }),
  "the AI SDK": (url) =>
    generateText({ model: createOpenAI({ apiKey: "k", baseURL: `${url}/v1` }).chat("down"), prompt: "Hello" }),
  LangChain: (url) =>
    new ChatOpenAI({ apiKey: "k", model: "down", maxRetries: 2, configuration: { baseURL: `${url}/v1` } }).invoke(
      "Hello",
    ),
};

test("B3: under the default policy, an SDK with its own retries causes at most 1.2 times the calls of the gateway alone", async () => {
  const count = async (ask: (url: string) => Promise<unknown>): Promise<{ first: number; all: number }> => {
    const sim = await startSimulator({ timeScale: 0 });
    onTestFinished(() => sim.close());
    let first: number | undefined;
    const { url } = await gatewayOfTest({
      endpoints: endpointsAt(sim.url),
      policy: FAST,
      watch: () => ({
        on: (event) => {
          if (event.type === "generation-end") first ??= event.receipt.attempts;
        },
      }),
    });
    await expect(ask(url)).rejects.toThrow();
    // What the gateway does alone is what it does the first time.
    return { first: first ?? 0, all: sim.requests.length };
  };
  const counted = await Promise.all(Object.values(CLIENTS).map(count));
  for (const [at, { first, all }] of counted.entries()) {
    const name = Object.keys(CLIENTS)[at];
    expect(first, name).toBeGreaterThan(15);
    expect(all, name).toBeLessThanOrEqual(first * 1.2);
  }
});
