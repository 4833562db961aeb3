import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { generationFacts, sayGeneration } from "../../../../src/activity/index.ts";
import { FAULTS, startSimulator } from "../../../../src/simulator/http/index.ts";
import { findSecret } from "../../../assembly/find-secret.ts";
import { STREAMED, WHOLE } from "../../../gateway/support/calls.ts";
import { inCrowd } from "../../../gateway/support/crowd.ts";
import { newFolder, startServer } from "../support/test-server.ts";
import { fileFor } from "./gateway-server.ts";

const VAULT_KEY = 'sk-proj-vault+A1/b2=c3&d4%e5?f6"g7';
/** With the default one most faults would never be asked for. */
const NO_BREAKER = { "x-secondwind-policy": "console" };
const CLIENT_KEY = "sk-client-canary-0123456789abcdef";

test("B4: in every fault, no key is in an error, a log line, the activity or the metrics", {
  timeout: 60_000,
}, async () => {
  const sim = await startSimulator({ timeScale: 0, firstTokenMs: 0, tokenMs: 0 });
  onTestFinished(() => sim.close());
  const logged: string[] = [];
  for (const name of ["error", "warn", "log"] as const) {
    const spy = vi.spyOn(console, name).mockImplementation((...words) => void logged.push(words.map(String).join(" ")));
    onTestFinished(() => spy.mockRestore());
  }
  const home = newFolder();
  const folder = join(home, ".config", "secondwind");
  mkdirSync(folder, { recursive: true });
  const { endpoints } = JSON.parse(fileFor(sim.url));
  endpoints.openai.keys = "vault";
  writeFileSync(join(folder, "gateway.json"), JSON.stringify({ endpoints }));
  const env = { HOME: home, OPENAI_API_KEY: VAULT_KEY, OPENAI_BASE_URL: sim.urls.openai };
  const server = await startServer({ home, env });
  const faults = Object.keys(FAULTS).filter((number) => number !== "25" && number !== "32");
  const models = [...faults.map((number) => `fault-${number}`), "leak", "unauthorized", "quota", "cut-3"];
  const cases = models.flatMap((model) => [...STREAMED, ...WHOLE].map((call) => ({ model, call })));
  const said: string[] = [];
  await inCrowd(cases, 40, async ({ model, call }) => {
    const { headers = {}, body } = call.options(model);
    const own = Object.entries(headers).map(([name, value]) => [name, value.replace("client-key", CLIENT_KEY)]);
    try {
      const response = await fetch(`http://${server.host}${call.path(model)}`, {
        method: "POST",
        headers: {
          ...Object.fromEntries(own),
          "content-type": "application/json",
          "x-secondwind-max-wait": "0",
          ...NO_BREAKER,
        },
        body: JSON.stringify(body),
        // Some faults have no end.
        signal: AbortSignal.timeout(1000),
      });
      if (call.format === "openai") said.push(JSON.stringify([...response.headers]));
      const text = await response.text();
      // A client may see its own key again, but not the server's.
      if (call.format === "openai") said.push(text);
    } catch {
      // A cut answer, or one without an end.
    }
  });
  expect(sim.requests.length).toBeGreaterThan(cases.length / 2);
  expect(said.join()).toContain("[key ");
  const { records } = await server.activity.list({ limit: 1000 });
  expect(records.length).toBeGreaterThan(300);
  const pages = await Promise.all(
    ["/api/activity?limit=1000", "/api/health", "/metrics"].map((path) => server.ask(path)),
  );
  const lines = records.flatMap((record) => [sayGeneration(record), JSON.stringify(generationFacts(record))]);
  const all = JSON.stringify([said, logged, lines, records, pages.map(({ text }) => text)]);
  expect(findSecret(all, VAULT_KEY)).toEqual([]);
  expect(findSecret(all, CLIENT_KEY)).toEqual([]);
  expect((await server.ask("/health")).status).toBe(200);
});
