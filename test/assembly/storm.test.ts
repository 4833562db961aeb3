import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Assembly, openAssembly, sessionParts } from "../../src/assembly/index.ts";
import { AgentSession, createTools, type PromptResult } from "../../src/session/index.ts";
import { type Simulator, startSimulator } from "../../src/simulator/http/index.ts";
import { type Message, messageSchema, type SessionEvent } from "../../src/wire/index.ts";
import { often } from "../support/soak.ts";
import { expectLegal, expectShownOnce, isAssistant, textOf } from "./legal-history.ts";
import { textSent } from "./what-was-sent.ts";

/** Models that name no behaviour: they meet the weather. */
const MODELS = ["anthropic/weathered", "openai/weathered", "google/weathered", "anthropic/battered"];
const CONVERSATIONS = often(4, 8);
const TURNS_EACH = often(7, 125);
/** Short, so that a storm takes seconds; long enough for a busy machine to answer in. */
const WATCHDOG = { firstContentMs: 2000, idleMs: 100 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondwind-storm-"));
  await writeFile(join(folder, "notes.txt"), "the harbour is 12 m deep, the café opens at 6, 海は広い");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Talk {
  readonly assembly: Assembly;
  readonly sim: Simulator;
  readonly session: AgentSession;
  readonly events: SessionEvent[];
}

async function startTalk(seed: number): Promise<Talk> {
  const sim = await startSimulator({ weather: "storm", seed, timeScale: 0.01, tokenMs: 0, keepSent: true });
  const { anthropic, openai, gemini } = sim.urls;
  const env = {
    XDG_CONFIG_HOME: folder,
    ...{ ANTHROPIC_API_KEY: "key-for-anthropic", ANTHROPIC_BASE_URL: anthropic },
    ...{ OPENAI_API_KEY: "key-for-openai", OPENAI_BASE_URL: openai },
    ...{ GEMINI_API_KEY: "key-for-google", GOOGLE_GEMINI_BASE_URL: gemini },
  };
  const assembly = await openAssembly({ env, storePath: join(folder, "storm.db") });
  await assembly.store.config.set("retry.baseDelayMs", 1);
  await assembly.store.config.set("retry.maxRetries", 7);
  const parts = await sessionParts(assembly);
  const model = MODELS[seed % MODELS.length] ?? "";
  const policies = Object.fromEntries([...parts.providers.keys()].map((name) => [name, { watchdog: WATCHDOG }]));
  const session = await AgentSession.open(
    { ...parts, policies, tools: createTools(folder) },
    { model, conversationId: `storm-${seed}` },
  );
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  return { assembly, sim, session, events };
}

async function weather(talk: Talk): Promise<readonly PromptResult[]> {
  const results: PromptResult[] = [];
  for (let turn = 1; turn <= TURNS_EACH; turn++) {
    results.push(await talk.session.prompt(`Turn ${turn}: please read {"path":"notes.txt"} and tell me`));
  }
  return results;
}

/** Every answer that was kept is what the simulator sent for that very request: all of it, or as far as it came. */
async function expectNothingTwice({ sim, assembly, session }: Talk): Promise<void> {
  await expect.poll(() => sim.requests.filter(({ state }) => state === "open")).toEqual([]);
  const answers = (await keptMessages(assembly, session)).filter(isAssistant);
  expect(sim.requests).toHaveLength(answers.length);
  for (const [place, request] of sim.requests.entries()) {
    const answer = answers[place];
    const sent = textSent(request);
    if (answer?.stopReason === "error") expect(sent.startsWith(textOf(answer))).toBe(true);
    else expect([answer && textOf(answer), request.state]).toEqual([sent, "done"]);
  }
}

async function keptMessages({ store }: Assembly, { conversationId }: AgentSession): Promise<readonly Message[]> {
  const entries = await store.conversations.read(conversationId);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, place) => place + 1));
  return entries.flatMap(({ type, data }) => (type === "message" ? [messageSchema.parse(data)] : []));
}

async function expectHonest(talk: Talk, results: readonly PromptResult[]): Promise<void> {
  const ends = talk.events.filter((event) => event.type === "agent_end");
  expect(ends).toEqual(results.map((result) => ({ type: "agent_end", ...result })));
  const kept = await keptMessages(talk.assembly, talk.session);
  const turns = kept.flatMap((message, place) => (message.role === "user" ? [place] : []));
  expect(turns).toHaveLength(TURNS_EACH);
  for (const [turn, { status, error }] of results.entries()) {
    const last = kept.slice(0, turns[turn + 1]).at(-1);
    expect(last?.role).toBe("assistant");
    const said = last !== undefined && isAssistant(last) ? last : undefined;
    expect(status).toBe(said?.stopReason === "error" ? "error" : "done");
    expect(said?.errorMessage).toBe(error);
    if (status === "done") expect(said && textOf(said)).toContain("The tool says: ");
  }
}

test(
  "S2, S6, E14: turns with tools in a storm succeed or end with an accurate error, and no text appears twice",
  async () => {
    const talks = await Promise.all(Array.from({ length: CONVERSATIONS }, (_, seed) => startTalk(seed)));
    try {
      const results = await Promise.all(talks.map(weather));
      for (const [place, talk] of talks.entries()) {
        await talk.session.whenIdle();
        await expectHonest(talk, results[place] ?? []);
        await expectNothingTwice(talk);
        expectShownOnce(talk.events);
        expectLegal(talk.session.messages);
        // Taken up again, the conversation is the same.
        const { conversationId } = talk.session;
        const again = await AgentSession.open(await sessionParts(talk.assembly), { conversationId });
        expect(again.messages).toEqual(talk.session.messages);
      }
      const all = results.flat();
      const good = all.filter(({ status }) => status === "done").length;
      const attempts = talks.reduce((sum, { sim }) => sum + sim.requests.length, 0);
      // It was a storm, and it was weathered.
      expect(all).toHaveLength(CONVERSATIONS * TURNS_EACH);
      expect(good).toBeGreaterThan(all.length / 2);
      expect(attempts).toBeGreaterThan(2 * good * 1.5);
    } finally {
      await Promise.all(talks.map(({ sim, assembly }) => Promise.all([sim.close(), assembly.close()])));
    }
  },
  often(60_000, 900_000),
);
