import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterEach, describe, expect, test } from "vitest";
import {
  always,
  BEHAVIOUR_NAMES,
  connectionReset,
  cutAfter,
  empty,
  ok,
  overloaded,
  type ProviderOptions,
  quotaUsedUp,
  rateLimited,
  type SimulatedProviders,
  simulateProviders,
  times,
} from "../../../src/adapters/testing/index.ts";

const open: SimulatedProviders[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((providers) => providers.close()));
});

async function simulate(options?: ProviderOptions): Promise<SimulatedProviders> {
  const providers = await simulateProviders(options);
  open.push(providers);
  return providers;
}

const messages = [{ role: "user" as const, content: "Hello" }];

/** The text of an answer, or the status of an error; 0 if there was no reply. */
async function ask({ baseURLs }: SimulatedProviders, model = "gpt-5.4", fetch?: OpenAI["fetch"]): Promise<unknown> {
  const client = new OpenAI({ apiKey: "k", baseURL: baseURLs.openai, maxRetries: 0, ...(fetch && { fetch }) });
  try {
    return (await client.chat.completions.create({ model, messages })).choices[0]?.message.content;
  } catch (error) {
    return (error as { status?: number }).status ?? 0;
  }
}

async function askAnthropic({ baseURLs }: SimulatedProviders): Promise<unknown> {
  const client = new Anthropic({ apiKey: "k", baseURL: baseURLs.anthropic, maxRetries: 0 });
  const model = "claude-test";
  return client.messages.create({ model, max_tokens: 50, messages }).then(
    ({ content }) => content[0]?.type,
    (error) => error.status,
  );
}

describe("the script of simulated providers", () => {
  test("B7: gives each call its step, in order, and answers every call after the last one", async () => {
    const providers = await simulate({
      script: [overloaded(), rateLimited({ retryAfterMs: 2000 }), "server-error", connectionReset(), ok("Hello")],
    });
    const got = [];
    for (let n = 0; n < 7; n++) got.push(await ask(providers));
    expect(got.slice(0, 5)).toEqual([503, 429, 500, 0, "Hello"]);
    expect(got.slice(5)).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
    expect(providers.requests.map(({ behaviour }) => behaviour)).toEqual([
      "overloaded",
      "rate-limited",
      "server-error",
      "fault-6",
      "ok",
      "calm",
      "calm",
    ]);
  });

  test("B7: comes before a model's name that is a behaviour", async () => {
    const providers = await simulate({ script: [ok("Hello")] });
    expect(await ask(providers, "overloaded")).toBe("Hello");
    expect(await ask(providers, "overloaded")).toBe(503);
  });

  test("B7: has lists by model, by provider and for the rest, each with its own place", async () => {
    const providers = await simulate({
      script: { "gpt-5.4": [overloaded(), ok("mine")], openai: [quotaUsedUp()], "*": ["bad-gateway"] },
    });
    expect(await ask(providers, "gpt-4o")).toBe(429);
    expect(await ask(providers)).toBe(503);
    expect(await askAnthropic(providers)).toBe(502);
    expect(await ask(providers)).toBe("mine");
    expect(await askAnthropic(providers)).toBe("text");
  });

  test("B7: repeats a step, and lists what is left", async () => {
    const providers = await simulate({ script: [times(2, overloaded()), times(2, "server-error@2"), always(empty())] });
    expect(providers.stepsLeft[0]).toBe("*: overloaded (2 times)");
    for (const status of [503, 503, 500]) expect(await ask(providers)).toBe(status);
    expect(providers.stepsLeft).toEqual(["*: server-error (3 times)", "*: empty (1000000 times)"]);
    providers.setScript([ok("new")]);
    expect(await ask(providers)).toBe("new");
    expect(providers.stepsLeft).toEqual([]);
    expect(providers.requests.length).toBe(4);
  });

  test("B7: starts again after a reset", async () => {
    const providers = await simulate({ script: ["overloaded-twice", ok("Hello")], weather: "calm" });
    for (const status of [503, 503, "Hello"]) expect(await ask(providers)).toBe(status);
    providers.setWeather("quota", 3);
    providers.reset();
    expect(providers.requests).toEqual([]);
    expect(await ask(providers)).toBe(503);
  });

  test("B7: sends the hint and the message in the provider's own form", async () => {
    const { baseURLs, fetch } = await simulate({ script: [rateLimited({ retryAfterMs: 2000, message: "Slow down" })] });
    const init = { method: "POST", headers: { authorization: "Bearer k" } };
    const body = JSON.stringify({ model: "m", messages });
    const response = await fetch(`${baseURLs.openai}/chat/completions`, { ...init, body });
    expect(response.headers.get("retry-after")).toBe("2");
    expect(await response.json()).toMatchObject({ error: { message: "Slow down" } });
  });

  test("B7: serves calls over a socket and in the process from one list", async () => {
    const providers = await simulate({ script: [ok("one"), ok("two")] });
    expect(await ask(providers, "m", providers.fetch)).toBe("one");
    expect(await ask(providers)).toBe("two");
    expect(providers.requests.length).toBe(2);
  });

  test("B7: works without a port", async () => {
    const providers = await simulate({ listen: false, script: [overloaded()] });
    expect(providers.baseURLs.openai).toBe("http://sim.invalid/v1");
    expect(await ask(providers, "m", providers.fetch)).toBe(503);
    expect(await ask(providers, "m", providers.fetch)).toMatch(/\w/);
  });

  test.each([
    [{ script: ["overloadd"] }, "script[0]", '"overloadd"', BEHAVIOUR_NAMES[0]],
    [{ script: [ok(), { do: "ok", hintMs: 3 }] }, "script[1].hintMs", "3", "used with an error"],
    [{ script: ["fault-99"] }, "script[0]", '"fault-99"', "a fault with a number from 6"],
    [{ script: { openai: "overloaded" } }, "script.openai", '"overloaded"', "a list of steps"],
    [{ script: { openai: [5] } }, "script.openai[0]", "5", "one of ok"],
    [{ script: ok() }, "script", "got an object", "a list of steps, or an object of such lists"],
    [{ script: "overloaded" }, "script", '"overloaded"', "a list of steps"],
    [{ weather: "hail" }, "weather", '"hail"', "one of calm"],
    [{ listen: 1 }, "listen", "1", "true or false"],
    [{ scrpt: [] }, "options.scrpt", "", "script"],
  ])("B7: rejects %j and names the field, the value and what is allowed", async (options, field, value, allowed) => {
    const refused = await simulateProviders(options as ProviderOptions).catch((error) => error);
    expect(refused).toMatchObject({ name: "InvalidInput", field });
    expect(refused.message).toContain(value);
    expect(refused.message).toContain(allowed);
  });

  test("B7: rejects a step with invalid details where it is written", () => {
    expect(() => rateLimited({ retryAfterMs: -1 })).toThrow("retryAfterMs must be a number from 0 to 86400000; got -1");
    expect(() => cutAfter(1.5)).toThrow("tokens must be a whole number from 0 to 999999; got 1.5");
    expect(() => times(0, ok())).toThrow("count must be a whole number from 1 to 1000000; got 0");
    expect(() => overloaded({ retryAfter: 3 } as object)).toThrow("details.retryAfter");
  });
});
