import { expect, test } from "vitest";
import { type Assembly, assemble, sessionParts } from "../../src/assembly/index.ts";
import { Vault } from "../../src/credentials/index.ts";
import { AgentSession } from "../../src/session/index.ts";
import { KnownConfig } from "../../src/store/config/known-config.ts";
import { memoryStore, type Store } from "../../src/store/index.ts";
import type { SessionEvent } from "../../src/wire/index.ts";
import { type Call, emits, ScriptedProvider, says } from "../support/scripted-provider.ts";

const SECRET = "sk-canary-0123456789";

function assembled(store: Store, ...script: readonly Call[]): Promise<Assembly> & { provider: ScriptedProvider } {
  const vault = new Vault();
  vault.add({ id: "acme#1", provider: "acme", origin: "https://acme.example", from: "test", secret: SECRET });
  const provider = new ScriptedProvider("acme", script);
  const providers = new Map([["acme", { provider, credentials: ["acme#1"] }]]);
  const { redact, redactPieces } = vault;
  return Object.assign(assemble({ providers, defaultModel: "acme/large", store, redact, redactPieces }), { provider });
}

test("S6: the store of an assembly replaces keys in titles, entries and the journal", async () => {
  const inner = memoryStore();
  const { store } = await assembled(inner);
  await store.conversations.create({ id: "c", title: `About ${SECRET}` });
  await store.conversations.append("c", [{ type: "note", data: { [SECRET]: [SECRET] } }]);
  expect(await inner.conversations.get("c")).toMatchObject({ title: "About [key acme#1]" });
  await store.conversations.rename("c", `No more ${SECRET}`);
  const record = { at: 1, generationId: "g", attempt: 1, provider: "acme", model: "m", credential: "acme#1" };
  await store.journal.add({ ...record, ok: false, message: `Bad key ${SECRET}`, durationMs: 1, waitedMs: 0 });
  const all = [await inner.conversations.list(), await inner.conversations.read("c"), await inner.journal.list()];
  expect(JSON.stringify(all)).not.toContain("canary");
  expect(await store.conversations.read("c")).toMatchObject([{ data: { "[key acme#1]": ["[key acme#1]"] } }]);
});

test("S7: a key that a model spells out over many deltas is masked in the events, the messages and later requests", async () => {
  const letters = [...`Yours is ${SECRET}, is it not`];
  const opening = assembled(memoryStore(), says(...letters, "?"), says("Well."));
  const session = await AgentSession.open(await sessionParts(await opening));
  const events: SessionEvent[] = [];
  session.subscribe((event) => events.push(event));
  await session.prompt("Which key do I have?");
  await session.prompt("And now?");
  const deltas = events.flatMap((event) => (event.type === "message_delta" ? [event.delta] : []));
  expect(deltas.join("")).toBe("Yours is [key acme#1], is it not?Well.");
  expect(JSON.stringify([events, session.messages, opening.provider.requests])).not.toContain("canary");
});

test("S1, S8: each setting has its own key, and only changed settings are written", async () => {
  const store = memoryStore();
  await store.config.set("retry.maxRetries", 1);
  await store.config.set("retry.baseDelayMs", 1);
  const opening = assembled(store, emits(503), emits(503), says("Good."));
  const session = await AgentSession.open(await sessionParts(await opening));
  expect(session.model).toBe("acme/large");
  expect(await session.prompt("Hello")).toMatchObject({ status: "error" });
  expect(opening.provider.requests).toHaveLength(2);
  await session.setAutoRetryEnabled(false);
  const set = (await store.config.list()).filter(({ isDefault }) => !isDefault).map(({ key, value }) => [key, value]);
  expect(set).toEqual([
    ["retry.enabled", false],
    ["retry.maxRetries", 1],
    ["retry.baseDelayMs", 1],
  ]);
});

test("S4b: chains come from the store as well", async () => {
  const store = memoryStore();
  await store.config.set("retry.fallbackChains", { default: ["acme/other", "acme/large"] });
  const session = await AgentSession.open(await sessionParts(await assembled(store)));
  expect(session.model).toBe("acme/other");
});

test("S4b: one bad entry of the stored chains is warned of by its name, and costs no other", async () => {
  const kept = { default: ["acme/large", "gpt-5", "acme/other", 7], small: "acme/tiny", "": ["acme/x"] };
  const texts = { read: async (key: string) => (key === "retry.fallbackChains" ? JSON.stringify(kept) : undefined) };
  const config = new KnownConfig({
    ...texts,
    write: async () => undefined,
    names: async () => [],
  });
  const opening = assembled({ ...memoryStore(), config }, emits(401), says("There."));
  const session = await AgentSession.open(await sessionParts(await opening));
  const warnings: string[] = [];
  session.subscribe((event) => void (event.type === "warning" && warnings.push(event.message)));
  expect(await session.prompt("Hello")).toMatchObject({ status: "done" });
  expect(session.model).toBe("acme/other");
  expect(warnings).toEqual([
    'Skipped "gpt-5" in the chain of default: not a provider/model',
    'Skipped "7" in the chain of default: not a provider/model',
  ]);
});

test("C9, C10: breaker and learned delays are off until their keys are set", async () => {
  const store = memoryStore();
  const assembly = await assembled(store);
  const before = await sessionParts(assembly);
  expect([before.policies?.acme?.breaker, before.experience]).toEqual([undefined, undefined]);
  await store.config.set("api_circuit_breaker", true);
  await store.config.set("api_retry_adaptive", true);
  const after = await sessionParts(assembly);
  expect([after.policies?.acme?.breaker, after.experience]).toEqual([{}, store.experience]);
});

test("C5: a setting's description mentions sessions exactly if sessions read it", async () => {
  const asked: string[] = [];
  const store = memoryStore();
  const get = (key: string): Promise<unknown> => {
    asked.push(key);
    return store.config.get(key);
  };
  const config = { ...store.config, get: get as Store["config"]["get"], list: () => store.config.list() };
  const { settings } = await sessionParts(await assembled({ ...store, config }));
  await settings.read();
  expect(asked).toContain("api_circuit_breaker");
  for (const { key, description } of await store.config.list())
    expect([key, /session/.test(description)]).toEqual([key, asked.includes(key)]);
});

test("E15: a session on real parts does not wait for ever for a stream that has gone quiet", async () => {
  const { policies } = await sessionParts(await assembled(memoryStore()));
  expect(policies?.acme?.watchdog).toEqual({ firstContentMs: 300_000, idleMs: 60_000 });
});
