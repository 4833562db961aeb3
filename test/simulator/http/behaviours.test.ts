import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/index.ts";
import { parseBehaviour } from "../../../src/simulator/http/behaviour/parse-behaviour.ts";
import { encodeRequest, rawExchange } from "./raw-client.ts";
import { useSimulator } from "./support.ts";
import { askRaw, WIRE_FORMATS, type WireFormat } from "./wire-formats.ts";

const world = useSimulator();

function post(format: WireFormat, model: string, { key = "key-a", headers = {} } = {}): Promise<Response> {
  return fetch(world.sim.url + format.path(model, "whole"), {
    method: "POST",
    headers: { ...format.keyHeader(key), ...headers },
    body: JSON.stringify(format.body(model, "Hello", "whole")),
  });
}

async function statuses(format: WireFormat, model: string, count: number, key?: string): Promise<readonly number[]> {
  const all: number[] = [];
  for (let n = 0; n < count; n += 1)
    all.push((await post(format, model, { ...(key !== undefined && { key }) })).status);
  return all;
}

describe.each(WIRE_FORMATS)("behaviours by model name, $name", (format) => {
  const overloaded = format.name === "Anthropic" ? 529 : 503;

  test("B7: overloaded-twice is overloaded twice, for each key by itself", async () => {
    const [a, b] = await Promise.all([
      statuses(format, "overloaded-twice", 4, "a"),
      statuses(format, "sim/overloaded-twice", 4, "b"),
    ]);
    expect([a, b]).toEqual(Array(2).fill([overloaded, overloaded, 200, 200]));
  });

  test("B7: rate-limited-once gives a hint that the classifier reads", async () => {
    const first = await post(format, "rate-limited-once");
    const problem = { status: first.status, headers: Object.fromEntries(first.headers), body: await first.json() };
    expect(classify(problem, { wallNowMs: Date.now() })).toMatchObject({
      kind: "rate_limit",
      hintMs: expect.any(Number),
    });
    expect((await post(format, "rate-limited-once")).status).toBe(200);
  });

  test("B7: down stays down", async () => {
    expect(await statuses(format, "down", 5)).toEqual([503, 503, 503, 503, 503]);
  });

  test.each([
    ["overflow", "context_overflow"],
    ["quota", "usage_limit"],
    ["overloaded", "overloaded"],
    ["rate-limited", "rate_limit"],
    ["unauthorized", "auth"],
    ["forbidden", "permission"],
    ["not-found", "not_found"],
    ["bad-request", "bad_request"],
    ["server-error", "server"],
  ])("B7: %s is classified as %s", async (model, kind) => {
    const response = await post(format, model);
    const problem = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.json(),
    };
    const provider = format.name === "Gemini" ? "google" : format.name.split(" ")[0]?.toLowerCase();
    expect(classify(problem, { ...(provider !== undefined && { provider }) }).kind).toBe(kind);
  });

  test("B7: stall goes quiet after some tokens, silent before the first", async () => {
    const ask = (model: string) => askRaw({ sim: world.sim, format, model, quietMs: 100 });
    const texts = ({ events }: Awaited<ReturnType<typeof ask>>) =>
      events.filter(({ data }) => format.text.test(data)).length;
    const [stall, silent] = await Promise.all([ask("stall-3"), ask("silent")]);
    expect([texts(stall), stall.end, stall.status]).toEqual([3, "quiet", 200]);
    expect([texts(silent), silent.end, silent.status]).toEqual([0, "quiet", 200]);
    await expect.poll(() => world.sim.requests.map(({ state }) => state)).toEqual(["client-left", "client-left"]);
  });

  test("B7: cut closes the socket after some tokens", async () => {
    const { events, isComplete, end } = await askRaw({ sim: world.sim, format, model: "cut-4" });
    const count = events.filter(({ data }) => format.text.test(data)).length;
    expect([count, isComplete, end]).toEqual([4, false, "fin"]);
    expect(world.sim.requests.at(-1)).toMatchObject({ state: "broken", behaviour: "cut-4" });
  });

  test("B7: empty is a proper answer without content", async () => {
    const { events, isComplete } = await askRaw({ sim: world.sim, format, model: "empty" });
    expect(events.filter(({ data }) => format.text.test(data)).length).toBe(0);
    expect([events.filter(({ data }) => format.terminal.test(data)).length, isComplete]).toEqual([1, true]);
  });

  test("B7: a fault is addressed by the model's name as well as by a header", async () => {
    const { end, body } = await askRaw({ sim: world.sim, format, model: "fault-20-37" });
    expect([body.length, end]).toEqual([37, "reset"]);
    expect((await post(format, "ok", { headers: { "x-sim-fault": "16-524" } })).status).toBe(524);
    expect((await post(format, "ok", { headers: { "x-sim-behaviour": "down" } })).status).toBe(503);
    const unknown = await post(format, "ok", { headers: { "x-sim-behaviour": "nonsense" } });
    expect([unknown.status, (await unknown.text()).includes("nonsense")]).toEqual([400, true]);
  });

  test("B7: the same seed gives the same bytes", async () => {
    const texts = await Promise.all(["a", "b"].map(async (key) => (await post(format, "ok-40", { key })).text()));
    expect(texts[0]).toBe(texts[1]);
    const again = await (await post(format, "ok-40", { key: "a" })).text();
    expect(again).not.toBe(texts[0]);
  });

  test("B7: without a key, without JSON or without what belongs in it the provider's own error comes", async () => {
    const send = async (headers: Readonly<Record<string, string>>, body: string) => {
      const response = await fetch(world.sim.url + format.path("ok", "whole"), { method: "POST", headers, body });
      const problem = (await response.json()) as { error: { message: string } };
      return [response.status, problem.error.message.length > 0];
    };
    const key = format.keyHeader("key-a");
    const good = JSON.stringify(format.body("ok", "Hello", "whole"));
    const { authorization: _a, "x-api-key": _b, "x-goog-api-key": _c, ...keyless } = key;
    expect(await send(keyless, good)).toEqual([format.name === "Gemini" ? 400 : 401, true]);
    expect(await send(key, "{oops")).toEqual([400, true]);
    expect(await send(key, '{"model":"ok"}')).toEqual([400, true]);
  });
});

test("B7: the openai SDK's own retry heeds the hint and gets its answer", async () => {
  const client = new OpenAI({ apiKey: "key", baseURL: world.sim.urls.openai, maxRetries: 1 });
  const { output_text } = await client.responses.create({ model: "rate-limited-once", input: "echo: there" });
  expect(output_text).toBe("there");
  expect(world.sim.requests.map(({ status }) => status)).toEqual([429, 200]);
});

test("B7: Gemini without alt=sse streams one JSON array", async () => {
  const path = "/v1beta/models/ok:streamGenerateContent?key=key-in-the-query-is-long";
  const body = { contents: [{ parts: [{ text: "echo: a b c" }] }] };
  const response = await fetch(world.sim.url + path, { method: "POST", body: JSON.stringify(body) });
  const chunks = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
  expect(chunks.map(({ candidates }) => candidates[0]?.content.parts[0]?.text).join("")).toBe("a b c");
  expect(JSON.stringify(world.sim.requests)).not.toContain("key-in-the-query-is-long");
});

test("B7: embeddings fail by the same names", async () => {
  const client = new OpenAI({ apiKey: "key", baseURL: world.sim.urls.openai, maxRetries: 0 });
  const embed = (model: string) => client.embeddings.create({ model, input: "text" }).then(({ data }) => data.length);
  await expect(embed("overloaded@1")).rejects.toMatchObject({ status: 503 });
  expect(await embed("overloaded@1")).toBe(1);
  await expect(embed("fault-6")).rejects.toThrow(OpenAI.APIConnectionError);
});

test("B7: two requests on one connection are both answered", async () => {
  const [format] = WIRE_FORMATS;
  if (format === undefined) throw new Error("There is no wire format");
  const request = encodeRequest(format.path("ok", "whole"), format.keyHeader("k"), format.body("ok", "Hi", "whole"));
  const exchange = rawExchange({
    url: world.sim.url,
    path: format.path("ok", "whole"),
    headers: format.keyHeader("k"),
    body: format.body("ok", "Hi", "whole"),
    quietMs: 150,
    more: request,
  });
  expect((await exchange).bytes.toString("latin1").match(/HTTP\/1\.1 200/g)?.length).toBe(2);
});

test.each(["gpt-4o", "claude-sonnet-4-5", "okay", "stall-x", "ok@0", "fault-", "", "OK", "fault-20-137-2"])(
  "B7: %j names no behaviour",
  (name) => expect(parseBehaviour(name)).toBeUndefined(),
);

test("B7: a name may have a provider in front, a parameter and a number of times", () => {
  expect(parseBehaviour("sim/fault-20-137@2")).toEqual({
    name: "fault-20-137@2",
    behaviour: { type: "fault", number: 20, parameter: "137" },
    times: 2,
  });
  expect(parseBehaviour("openai/sim/stall-9")?.behaviour).toEqual({ type: "stall", tokens: 9 });
});
