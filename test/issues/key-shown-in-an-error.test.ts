import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { ResponseError, resilient } from "../../src/index.ts";
import { sendJson, serve } from "../adapters/fetch/server.ts";

const ONCE = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } } } as const;
const PATH = "/v1beta/models/gemini-3:generateContent?alt=json&key=AIzaSecret";

async function busyServer(): Promise<string> {
  const server = await serve((_, response) => sendJson(response, 503, { error: { message: "Busy" } }));
  onTestFinished(() => server.close());
  return server.url;
}

test("B4: the events of a request with its key in the address do not show the key", async () => {
  const url = await busyServer();
  const events: unknown[] = [];
  const fetch = resilientFetch(ONCE, { on: (event) => events.push(event) });
  expect((await fetch(url + PATH, { method: "POST", body: "{}" })).status).toBe(503);
  const shown = inspect(events, { depth: 20 });
  expect(shown).toContain("generateContent?alt=json");
  expect(shown).not.toContain("AIzaSecret");
});

test("B4: the error of a response does not show the key either", async () => {
  const url = await busyServer();
  const error = await resilient(() => fetch(url + PATH), { enabled: false })().catch((problem: unknown) => problem);
  expect(error).toBeInstanceOf(ResponseError);
  expect((error as ResponseError).url).toBe(`${url}/v1beta/models/gemini-3:generateContent?alt=json&key=…`);
});

test("E19: the error about options with keys and origins swapped does not show the key either", () => {
  const act = (): unknown => resilientFetch({}, { keys: { "sk-Secret": "https://api.openai.com" } });
  expect(act).toThrow('options.keys["…"] must be an http or https URL');
  expect(act).not.toThrow(/Secret/);
  const named = (): unknown => resilientFetch({}, { keys: { "api.openai.com": "k" } });
  expect(named).toThrow('options.keys["api.openai.com"] must be an http or https URL');
});
