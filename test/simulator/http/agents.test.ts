import { get } from "node:http";
import { afterEach, expect, test } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../../src/simulator/http/index.ts";

/** What coding agents need beyond the official SDKs. */

const TEXT = "One two three four five six seven eight nine ten.";

let sim: Simulator;
afterEach(() => sim.close());

async function start(options: SimulatorOptions = {}): Promise<void> {
  sim = await startSimulator({ timeScale: 0, ...options });
}

function post(path: string, body: object): Promise<Response> {
  const headers = { "x-api-key": "key", authorization: "Bearer key", "content-type": "application/json" };
  return fetch(sim.url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

test("B7: refuses a WebSocket with 426 and then answers over HTTP", async () => {
  await start();
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    authorization: "Bearer key",
  };
  const status = await new Promise((resolve, reject) => {
    get(`${sim.url}/v1/responses`, { headers }, (response) => resolve(response.resume().statusCode)).on(
      "error",
      reject,
    );
  });
  expect(status).toBe(426);
  expect((await post("/v1/responses", { model: "ok", input: "Hello" })).status).toBe(200);
  expect(sim.requests.map(({ behaviour }) => behaviour)).toEqual(["no-websocket", "ok"]);
});

test("B7: does not take the tools that a reminder names for a request to call them", async () => {
  await start();
  const ask = (...texts: readonly string[]): Promise<Response> =>
    post("/v1/messages", {
      model: "ok",
      max_tokens: 1000,
      tools: [{ name: "Agent", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: texts.map((text) => ({ type: "text", text })) }],
    });
  const reminder = "<system-reminder>Use the Agent tool for large searches.</system-reminder>";
  expect(await (await ask(reminder, "Say hello")).json()).toMatchObject({ stop_reason: "end_turn" });
  expect(await (await ask(reminder, "Use the Agent tool")).json()).toMatchObject({ stop_reason: "tool_use" });
});

test("B7: answers the last message of the person, also when one of the system follows it", async () => {
  await start();
  const messages = [
    { role: "user", content: "echo: Hello" },
    { role: "system", content: "echo: Be brief." },
  ];
  const reply = await post("/v1/messages", { model: "ok", max_tokens: 1000, messages });
  expect(await reply.json()).toMatchObject({ content: [{ type: "text", text: "Hello" }] });
});

test("B7: cuts a given text in the middle", async () => {
  await start({
    scenario: {
      models: {
        m: [
          { do: "cut-4", text: TEXT },
          { do: "fault-37", text: TEXT },
        ],
      },
    },
    keepSent: true,
  });
  const ask = (): Promise<string> =>
    post("/v1/chat/completions", { model: "m", stream: true, messages: [{ role: "user", content: "Hello" }] }).then(
      (response) => response.text(),
    );
  await expect(ask()).rejects.toThrow();
  expect(contentOf(sim.requests[0]?.sent ?? "")).toBe("One two three four");
  expect(contentOf(await ask())).toBe(TEXT);
});

test("B3: advises against a retry with x-should-retry in every wire format", async () => {
  await start({ scenario: { models: { "*": [{ do: "down", shouldRetry: false }] } } });
  const messages = [{ role: "user", content: "Hello" }];
  const replies = [
    await post("/v1/chat/completions", { model: "m", messages }),
    await post("/v1/responses", { model: "m", input: "Hello" }),
    await post("/v1/messages", { model: "m", max_tokens: 10, messages }),
    await post("/v1beta/models/m:generateContent?key=key", {
      contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    }),
  ];
  expect(replies.map(({ status, headers }) => [status, headers.get("x-should-retry")])).toEqual(
    replies.map(() => [503, "false"]),
  );
});

function contentOf(sse: string): string {
  return [...sse.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text)).join("");
}
