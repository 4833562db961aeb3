import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";
import { expect, test } from "vitest";
import { simulateInProcess } from "../../../src/simulator/http/index.ts";
import { until } from "../../support/until.ts";
import { KEY, useSimulator } from "./support.ts";

const FAST = { timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 };
const world = useSimulator();

function ask(model: string, more: RequestInit = {}): RequestInit {
  const messages = [{ role: "user", content: "Hello" }];
  const body = JSON.stringify({ model, stream: true, messages });
  return { method: "POST", headers: { authorization: `Bearer ${KEY}` }, body, ...more };
}

const PATH = "/v1/chat/completions";

test.each([
  "ok",
  "echo",
  "empty",
  "overloaded",
  "rate-limited",
  "quota",
  "fault-16",
  "fault-27",
  "fault-9",
  "fault-19",
])("B7: replies to %s in the process with the same bytes as over a socket", async (model) => {
  const sim = simulateInProcess(FAST);
  const inside = await sim.fetch(sim.url + PATH, ask(model));
  const outside = await fetch(world.sim.url + PATH, ask(model));
  expect(inside.status).toBe(outside.status);
  expect(inside.headers.get("content-type")).toBe(outside.headers.get("content-type"));
  expect(await inside.text()).toBe(await outside.text());
});

test.each(["cut-3", "fault-6", "fault-20", "fault-23", "fault-24"])(
  "B7: breaks off in the process for %s",
  async (model) => {
    const sim = simulateInProcess(FAST);
    const reading = sim.fetch(sim.url + PATH, ask(model)).then((response) => response.text());
    await expect(reading).rejects.toThrow();
  },
);

test.each(["silent", "stall-2", "fault-8", "fault-30"])(
  "B7: notices that the client leaves while %s",
  async (model) => {
    const sim = simulateInProcess(FAST);
    const { signal, abort } = aborting();
    const reading = sim.fetch(sim.url + PATH, ask(model, { signal })).then((response) => response.text());
    await until(() => sim.requests.length === 1);
    setTimeout(abort, 20);
    await expect(reading).rejects.toThrow("enough");
    await until(() => sim.requests[0]?.state === "client-left");
  },
);

test("B7: counts requests, redirects to its other origin, and reaches no other address", async () => {
  const sim = simulateInProcess(FAST);
  const once = async (): Promise<number> => (await sim.fetch(sim.url + PATH, ask("overloaded-twice"))).status;
  expect([await once(), await once(), await once()]).toEqual([503, 503, 200]);
  const away = await sim.fetch(sim.url + PATH, ask("fault-12"));
  expect(away.status).toBe(307);
  expect((await sim.fetch(away.headers.get("location") ?? "", ask("fault-12"))).status).toBe(200);
  expect(sim.requests.at(-1)).toMatchObject({ listener: "other" });
  await expect(sim.fetch("http://127.0.0.1:9/v1")).rejects.toThrow("no simulator at http://127.0.0.1:9");
});

test("B7: works with the AI SDK", async () => {
  const sim = simulateInProcess(FAST);
  const provider = createOpenAI({ apiKey: KEY, baseURL: sim.urls.openai, fetch: sim.fetch });
  const { text } = await generateText({ model: provider.chat("ok"), prompt: "echo: hello there", maxRetries: 0 });
  expect(text).toBe("hello there");
});

function aborting(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(new Error("enough")) };
}
