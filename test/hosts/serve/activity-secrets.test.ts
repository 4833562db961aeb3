import { expect, onTestFinished, test } from "vitest";
import { generationFacts, sayGeneration } from "../../../src/activity/index.ts";
import { startSimulator } from "../../../src/simulator/http/index.ts";
import type { ActivityRecord } from "../../../src/wire/http/activity.ts";
import { findSecret } from "../../assembly/find-secret.ts";
import { openDatabase } from "../../store/database.ts";
import { startServer } from "./support/test-server.ts";

const KEY = 'sk-proj-canary+A1/b2=c3&d4%e5?f6"g7';
const PROMPT = "canary-of-a-prompt-0123456789";

test("B4, S7: no prompt, answer, provider's words or key is in a record, a stream, a log line, a metric or the journal", async () => {
  const sim = await startSimulator({ timeScale: 0, tokenMs: 0 });
  onTestFinished(() => sim.close());
  const server = await startServer({
    env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: sim.urls.openai },
  });
  const headers = { "x-secondwind-token": server.token };
  const quick = { schedules: { general: { type: "fixed", delayMs: 1, atMost: 2 } } };
  await server.ask("/api/policies/quick", { method: "PUT", headers, body: { policy: quick } });
  const live: ActivityRecord[] = [];
  server.activity.subscribe((records) => live.push(...records));
  // The last one is what a person does who pastes the key into the wrong field.
  for (const model of ["leak", "leak-answer", "ok", "quota", "overloaded", `x${KEY.replaceAll(/\s/g, "")}`]) {
    const body = { message: `${PROMPT}: what is ${KEY}?`, model: `openai/${model}`, policy: "quick" };
    const { status } = await server.ask("/chat", { method: "POST", body });
    expect(status).toBe(200);
  }
  const paths = ["/api/activity", "/api/activity/summary", "/api/health", "/metrics"];
  const answers = await Promise.all(paths.map((path) => server.ask(path)));
  const { records } = await server.activity.list({ limit: 100 });
  expect(records).toHaveLength(6);
  expect(records.filter(({ outcome }) => outcome === "succeeded").length).toBeGreaterThanOrEqual(2);
  expect(records.flatMap(({ attempts }) => attempts).some(({ kind }) => kind === "overloaded")).toBe(true);
  const lines = records.flatMap((record) => [sayGeneration(record), JSON.stringify(generationFacts(record))]);
  await server.stop(0);

  const database = openDatabase(server.storePath);
  const rows = database.prepare("SELECT * FROM generations").all();
  database.close();
  expect(rows).toHaveLength(6);
  const said = JSON.stringify([answers.map(({ text }) => text), records, live, lines, rows]);
  expect(findSecret(said, KEY)).toEqual([]);
  // Words of the simulated provider, in its errors and in its answers. The name of a rule may have a provider's code in it.
  const foreign = [
    PROMPT,
    "Your request was",
    "x-api-key",
    "exceeded your current quota",
    "sim.invalid",
    "Overloaded.",
  ];
  expect(foreign.filter((words) => said.toLowerCase().includes(words.toLowerCase()))).toEqual([]);
});
