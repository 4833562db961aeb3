import { describe, expect, test } from "vitest";
import { type GenerationEvent, type Ports, systemPorts } from "../../src/index.ts";
import type { Speech } from "../../src/providers/endpoint.ts";
import { embedTexts, simulatedProvider } from "../../src/providers/index.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { useSimulator } from "../simulator/http/support.ts";
import { openProvider } from "./support.ts";

const world = useSimulator();
const FAST = { timeScale: 0.01, firstTokenMs: 0, tokenMs: 0 };
// No jitter to speak of: the least of each wait.
const ports = (): Ports => ({ ...systemPorts(), random: () => 0 });

const OPENERS: readonly (readonly [string, () => Provider])[] = [
  ["OpenAI", () => opened("openai-responses", world.sim.urls.aiSdk.openai)],
  ["an OpenAI-compatible server", () => opened("openai-chat", world.sim.urls.aiSdk.openai)],
  ["Google", () => opened("google", world.sim.urls.aiSdk.google)],
  ["the simulated provider", () => simulatedProvider(FAST)],
];

function opened(speech: Speech, baseUrl: string): Provider {
  return openProvider({ name: "p", speech, baseUrl });
}

describe.each(OPENERS)("embeddings of %s", (_name, open) => {
  test("C6: one vector for each text, in their order", async () => {
    const vectors = await embedTexts(open(), { model: "ok", texts: ["one", "two", "one"] });
    expect(vectors).toHaveLength(3);
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[0]).not.toEqual(vectors[1]);
  });

  test("C6: more texts than one call takes are sent in several", async () => {
    const texts = Array.from({ length: 230 }, (_, n) => `text ${n % 115}`);
    const vectors = await embedTexts(open(), { model: "ok", texts });
    expect(vectors).toHaveLength(230);
    expect(vectors.slice(0, 115)).toEqual(vectors.slice(115));
  });

  test("C6: failures are retried by the background policy, HTTP 500 too", async () => {
    const events: GenerationEvent[] = [];
    const vectors = await embedTexts(
      open(),
      { model: "server-error@2", texts: ["one"] },
      { on: (event) => events.push(event), ports: ports() },
    );
    expect(vectors).toHaveLength(1);
    const waits = events.filter((event) => event.type === "wait-start");
    expect(waits).toMatchObject([
      { maxRetries: null, patienceMs: 1_800_000 },
      { maxRetries: null, patienceMs: 1_800_000 },
    ]);
  });

  test("C6: what no retry cures comes back as the endpoint's error", async () => {
    const embedding = embedTexts(open(), { model: "unauthorized", texts: ["one"] });
    await expect(embedding).rejects.toMatchObject({ name: "ProviderProblem", status: expect.any(Number) });
  });

  test("E13: an abort ends it at once with its reason", async () => {
    const controller = new AbortController();
    const embedding = embedTexts(open(), { model: "silent", texts: ["one"] }, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(embedding).rejects.toThrow("enough");
  });
});

test("C6: a provider without embeddings fails with that reason", async () => {
  const embedding = embedTexts(opened("anthropic", world.sim.urls.aiSdk.anthropic), { model: "ok", texts: ["one"] });
  await expect(embedding).rejects.toThrow("one that has embeddings");
});

test("C6: no texts need no call", async () => {
  expect(await embedTexts(opened("google", world.sim.urls.aiSdk.google), { model: "ok", texts: [] })).toEqual([]);
  expect(world.sim.requests).toEqual([]);
});
