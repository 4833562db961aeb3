import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { STREAMED, WHOLE } from "./support/calls.ts";
import { askRaw, type RawAnswer, type RawOptions } from "./support/raw-request.ts";
import { endpointsAt, startGateway, type TestGateway } from "./support/start-gateway.ts";

let sim: Simulator;
let gateway: TestGateway;
beforeAll(async () => {
  sim = await startSimulator({ timeScale: 0.01, firstTokenMs: 0, tokenMs: 0, keepSent: true });
  gateway = await startGateway({ endpoints: endpointsAt(sim.url) });
});
beforeEach(() => sim.reset());
afterAll(async () => {
  await gateway.close();
  await sim.close();
});

const OF_THE_CONNECTION = /^(?:connection|keep-alive|transfer-encoding|content-length|date|trailer)$/;

/** What an answer has besides its body: the provider's own headers. */
function headOf({ status, headers }: RawAnswer): unknown {
  const own = Object.entries(headers).filter(
    ([name]) => !OF_THE_CONNECTION.test(name) && !name.startsWith("x-secondwind-"),
  );
  return { status, headers: Object.fromEntries(own) };
}

/** The same request with the gateway and without, from the same state of the simulator. */
async function both(path: string, options: RawOptions): Promise<readonly [RawAnswer, RawAnswer]> {
  const plain = await askRaw(sim.port, path, options);
  sim.reset();
  return [plain, await askRaw(gateway.port, path, options)];
}

async function expectSame(path: string, options: RawOptions): Promise<RawAnswer> {
  const [plain, through] = await both(path, options);
  expect(through.body.toString()).toBe(plain.body.toString());
  expect(through.body.equals(plain.body)).toBe(true);
  expect(headOf(through)).toEqual(headOf(plain));
  expect([through.isWhole, plain.isWhole]).toEqual([true, true]);
  return through;
}

const parameters = { type: "object", properties: { city: { type: "string" } } };
const ASK_FOR_TOOL = 'call get_weather {"city":"Zürich 🌊"}';
const TOOL: Readonly<Record<string, object>> = {
  "OpenAI chat": { tools: [{ type: "function", function: { name: "get_weather", parameters } }] },
  "OpenAI responses": { tools: [{ type: "function", name: "get_weather", parameters }] },
  Anthropic: { tools: [{ name: "get_weather", input_schema: parameters }] },
  Gemini: { tools: [{ functionDeclarations: [{ name: "get_weather", parameters }] }] },
};
const REASONING: Readonly<Record<string, object>> = {
  "OpenAI chat": { reasoning_effort: "high" },
  "OpenAI responses": { reasoning: { effort: "high", summary: "auto" } },
  Anthropic: { thinking: { type: "enabled", budget_tokens: 1024 }, max_tokens: 2048 },
  Gemini: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
};

describe("E14: an answer comes through the gateway as the bytes that the endpoint sent", () => {
  test.each(STREAMED)("E14: a stream of $name", async (call) => {
    for (const model of ["ok", "ok-300", "echo"]) await expectSame(call.path(model), call.options(model));
  });

  test.each(WHOLE)("E14: a whole answer of $name", async (call) => {
    for (const model of ["ok", "ok-300", "echo"]) await expectSame(call.path(model), call.options(model));
  });

  test.each(STREAMED)("E15b: a tool call and its usage in a stream of $name", async (call) => {
    const { body, ...options } = call.options("ok", ASK_FOR_TOOL);
    const { body: got } = await expectSame(call.path("ok"), {
      ...options,
      body: { ...(body as object), ...TOOL[call.name] },
    });
    expect(got.toString()).toContain("get_weather");
    expect(got.toString()).toMatch(/"(?:usage|usageMetadata)"/);
  });

  test.each(STREAMED)("E14: reasoning in a stream of $name", async (call) => {
    const { body, ...options } = call.options("ok", "Why?");
    const { body: got } = await expectSame(call.path("ok"), {
      ...options,
      body: { ...(body as object), ...REASONING[call.name] },
    });
    expect(got.toString()).toMatch(/reason|think|thought/i);
  });

  test.each([...STREAMED, ...WHOLE])("E14: after two refusals nothing of them is left: $name", async (call) => {
    const through = await askRaw(gateway.port, call.path("overloaded-twice"), call.options("overloaded-twice"));
    expect(through).toMatchObject({ status: 200, isWhole: true });
    expect(sim.requests.map(({ status }) => Math.floor((status ?? 0) / 100))).toEqual([5, 5, 2]);
    expect(through.body.toString()).toBe(sim.requests[2]?.sent);
    expect(through.headers["x-secondwind-attempts"]).toBe("3");
  });

  test.each([
    ["/v1/embeddings", "POST", { authorization: "Bearer k" }, { model: "ok", input: ["a", "風"] }],
    ["/v1/models", "GET", { authorization: "Bearer k" }, undefined],
    ["/v1/models", "GET", { "x-api-key": "k", "anthropic-version": "2023-06-01" }, undefined],
    ["/v1beta/models", "GET", { "x-goog-api-key": "k" }, undefined],
    ["/v1beta/models/ok:embedContent", "POST", { "x-goog-api-key": "k" }, { content: { parts: [{ text: "a" }] } }],
  ])("E14: %s by %s with %o", async (path, method, headers, body) => {
    await expectSame(path, { method, headers, ...(body !== undefined && { body }) });
    expect(sim.requests[0]?.status).toBe(200);
  });
});
