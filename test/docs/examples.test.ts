import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { generateText, type LanguageModel } from "ai";
import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ScenarioBehaviour, type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { startGatewayWorld } from "./gateway-set-ups.ts";

const FOLDER = fileURLToPath(new URL("../../examples/", import.meta.url));

/** What is imported or started by other tests. */
const RUN_ELSEWHERE = [
  "countdown-react.tsx",
  "countdown-vue.ts",
  // test/assembly/extensions-process.test.ts
  "extension.ts",
  // Starts the installed program: test/package/install-process.test.ts
  "rpc-client.ts",
  // test/adapters/testing
  "testing.ts",
];

type Behaviours = readonly (string | ScenarioBehaviour)[];

const answer = (text: string): ScenarioBehaviour => ({ do: "ok", text });
const BLUE = answer("Blue light is scattered most.");
const limited: ScenarioBehaviour = { do: "rate-limited", hintMs: 30 };
const JSON_BLOCK = '```json\n{ "noon": "blue" }\n```';

let sim: Simulator;
let printed: unknown[];

beforeEach(() => {
  printed = [];
  const print = (...words: readonly unknown[]): void => void printed.push(...words);
  vi.spyOn(console, "log").mockImplementation(print);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.push(text);
    return true;
  });
  // No jitter: the waits are as short as the hints.
  vi.spyOn(Math, "random").mockReturnValue(0);
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await sim.close();
});

/** Simulated endpoints, whose address and keys are in the environment, where the SDKs find them. */
async function simulate(models: Readonly<Record<string, Behaviours>>): Promise<void> {
  sim = await startSimulator({ tokenMs: 0, firstTokenMs: 0, scenario: { models } });
  vi.stubEnv("OPENAI_BASE_URL", sim.urls.openai);
  vi.stubEnv("OPENAI_API_KEY", "key-1");
  vi.stubEnv("OPENAI_API_KEY_2", "key-2");
  vi.stubEnv("ANTHROPIC_BASE_URL", sim.urls.anthropic);
  vi.stubEnv("ANTHROPIC_API_KEY", "key-3");
}

/** Runs an example, to its last line. */
function runExample(name: string): Promise<unknown> {
  return import(`../../examples/${name}.ts`);
}

const statuses = (): (number | undefined)[] => sim.requests.map(({ status }) => status);

describe("the examples", () => {
  test.each<[string, Behaviours, readonly number[], string]>([
    ["one-line", [limited, BLUE], [429, 200], BLUE.text as string],
    ["quick-start", [limited, BLUE], [429, 200], BLUE.text as string],
    ["required-content", [BLUE, answer(JSON_BLOCK)], [200, 200], JSON_BLOCK],
    ["result-as-a-value", [BLUE], [200], BLUE.text as string],
    ["share-health", [limited, BLUE, answer("It scatters.")], [429, 200, 200], "It scatters."],
    ["migrate-from-p-retry", ["overloaded", BLUE, "overloaded", BLUE], [503, 200, 503, 200], BLUE.text as string],
    ["migrate-from-cockatiel", ["overloaded", BLUE, "overloaded", BLUE], [503, 200, 503, 200], BLUE.text as string],
    ["migrate-from-ai-retry", ["overloaded", BLUE], [503, 200, 200], BLUE.text as string],
    ["migrate-from-max-retries", ["overloaded", BLUE, "overloaded", BLUE], [503, 200, 503, 200], BLUE.text as string],
  ])("run and get through: %s", async (name, behaviours, expected, text) => {
    await simulate({ "gpt-5.4": behaviours });
    await runExample(name);
    expect(statuses()).toEqual(expected);
    expect(printed.at(-1)).toBe(text);
  });

  test("run and get through: plain-fetch", async () => {
    await simulate({ "gpt-5.4": [limited, "overloaded", BLUE] });
    await runExample("plain-fetch");
    expect(statuses()).toEqual([429, 503, 200]);
    expect(JSON.stringify(printed)).toContain(BLUE.text);
  });

  test("make a model that gets through: ai-sdk-middleware", async () => {
    await simulate({ "gpt-5.4": [limited, BLUE] });
    const { fetch } = globalThis;
    // The provider has read its address when it was loaded, perhaps by another test.
    vi.stubGlobal("fetch", (url: string, init: RequestInit) => fetch(sim.urls.openai + url.split("/v1")[1], init));
    const { model } = (await runExample("ai-sdk-middleware")) as { readonly model: LanguageModel };
    expect((await generateText({ model, prompt: "Why is the sky blue?" })).text).toBe(BLUE.text);
    expect(statuses()).toEqual([429, 200]);
  });

  test("run and get through: stream", async () => {
    await simulate({ "gpt-5.4": ["overloaded", BLUE] });
    await runExample("stream");
    expect(printed.slice(0, -1).join("")).toBe(BLUE.text);
    expect(printed.at(-1)).toMatchObject({ complete: true, attempts: 2 });
  });

  test("run and use the second key, then the other endpoint: fetch-fallback", async () => {
    await simulate({ "gpt-5.4": ["quota"], "gpt-5.4-mini": [BLUE] });
    await runExample("fetch-fallback");
    expect(sim.requests.map(({ model, key }) => [model, key])).toEqual([
      ["gpt-5.4", "key-1"],
      ["gpt-5.4", "key-2"],
      ["gpt-5.4-mini", "key-3"],
    ]);
    expect(printed).toEqual([["gpt-5.4 key 1", "gpt-5.4 key 2", "gpt-5.4-mini"], BLUE.text]);
  });

  test("run and cross to another provider when both keys are used up: ai-sdk", async () => {
    await simulate({ "gpt-5.4": ["quota"], "claude-sonnet-4-5": [BLUE, answer("Stars.")] });
    vi.stubEnv("ANTHROPIC_BASE_URL", sim.urls.aiSdk.anthropic);
    await runExample("ai-sdk");
    expect(sim.requests.slice(0, 3).map(({ key, status }) => [key, status])).toEqual([
      ["key-1", 429],
      ["key-2", 429],
      ["key-3", 200],
    ]);
    expect(printed.slice(0, 2)).toEqual([BLUE.text, "(3 attempts, waited 0 ms)"]);
    expect(printed.slice(2).join("")).toBe("Stars.");
  });

  test("run and go to the next model: fallback-models", async () => {
    await simulate({ "gpt-5.4": ["quota"], "gpt-5.4-mini": [BLUE] });
    await runExample("fallback-models");
    expect(sim.requests.map(({ model }) => model)).toEqual(["gpt-5.4", "gpt-5.4-mini"]);
    expect(printed.at(-1)).toBe(BLUE.text);
  });

  test("run and use the other key: several-keys", async () => {
    await simulate({ "gpt-5.4": ["quota", BLUE] });
    // Each key goes through the list by itself: the second one has its refusal behind it.
    await new OpenAI({ apiKey: "key-2", maxRetries: 0 }).responses
      .create({ model: "gpt-5.4", input: "?" })
      .catch(() => 0);
    await runExample("several-keys");
    expect(sim.requests.slice(1).map(({ key, status }) => [key, status])).toEqual([
      ["key-1", 429],
      ["key-2", 200],
    ]);
    expect(printed.at(-1)).toBe(BLUE.text);
  });

  test("run and stop in the middle of a wait: stop-while-waiting", async () => {
    await simulate({ "gpt-5.4": [{ do: "rate-limited", hintMs: 60_000 }] });
    const ended = runExample("stop-while-waiting");
    await expect.poll(() => sim.requests.length, { timeout: 10_000 }).toBe(1);
    const pressed = process.listeners("SIGINT").at(-1) as NodeJS.SignalsListener;
    process.off("SIGINT", pressed);
    pressed("SIGINT");
    await ended;
    expect(printed).toEqual(["Stopped."]);
  });

  test.each([
    ["gateway-openai", "gpt-5.4"],
    ["gateway-anthropic", "claude-sonnet-5-5"],
    ["gateway-google", "gemini-flash-latest"],
    ["gateway-ai-sdk", "gpt-5.4"],
    ["gateway-langchain", "gpt-5.4"],
  ])("run through the gateway, which makes the second attempt: %s", async (name, model) => {
    const world = await startGatewayWorld({ [model]: ["overloaded", BLUE] });
    sim = world.sim;
    vi.stubEnv("OPENAI_BASE_URL", `${world.origin}/v1`);
    vi.stubEnv("ANTHROPIC_BASE_URL", world.origin);
    vi.stubEnv("GOOGLE_GEMINI_BASE_URL", world.origin);
    for (const variable of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"]) vi.stubEnv(variable, "key-1");
    await runExample(name);
    expect(sim.requests.map(({ key, status }) => [key, status])).toEqual([
      ["key-1", expect.any(Number)],
      ["key-1", 200],
    ]);
    expect(printed.join("")).toContain(BLUE.text);
    await world.close();
  });

  test("run as a gateway of their own, until SIGTERM: gateway", async () => {
    await simulate({ "gpt-5.4": ["overloaded", BLUE] });
    const port = await freePort();
    vi.stubEnv("PORT", String(port));
    await runExample("gateway");
    const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
    const ask = () => client.responses.create({ model: "gpt-5.4", input: "Why is the sky blue?" });
    expect((await ask()).output_text).toBe(BLUE.text);
    expect(statuses()).toEqual([503, 200]);
    const stop = process.listeners("SIGTERM").at(-1) as NodeJS.SignalsListener;
    process.off("SIGTERM", stop);
    await stop("SIGTERM");
    await expect(ask()).rejects.toThrow();
  });

  test.each(["simulator", "connect-fault", "turn", "model-call", "session"])("run to their end: %s", async (name) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await simulate({ "*": [BLUE] });
    await runExample(name);
    expect(printed.length).toBeGreaterThan(0);
  });

  test("are all run", () => {
    const files = readdirSync(FOLDER).filter((file) => /\.tsx?$/.test(file));
    const run = [...RUN_ELSEWHERE, ...NAMES.map((name) => `${name}.ts`)];
    expect(files.sort()).toEqual(run.sort());
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Those above. */
const NAMES = [
  ...[
    "one-line",
    "ai-sdk-middleware",
    "fetch-fallback",
    "ai-sdk",
    "quick-start",
    "required-content",
    "result-as-a-value",
    "share-health",
    "plain-fetch",
    "stream",
    "fallback-models",
  ],
  ...["several-keys", "stop-while-waiting", "simulator", "connect-fault", "turn", "model-call", "session"],
  ...["gateway", "gateway-openai", "gateway-anthropic", "gateway-google", "gateway-ai-sdk", "gateway-langchain"],
  ...["migrate-from-p-retry", "migrate-from-cockatiel", "migrate-from-ai-retry", "migrate-from-max-retries"],
];
