import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { EmbeddingModelV3 } from "@ai-sdk/provider";
import { embed, embedMany } from "ai";
import { describe, expect, test } from "vitest";
import { receiptIn, receiptOf, resilientEmbeddingModel, SecondwindError } from "../../../src/adapters/ai-sdk/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { QUICK, rejection } from "./support.ts";

const world = useSimulator();
const openai = (model: string, apiKey = "key-a") =>
  createOpenAI({ baseURL: world.sim.urls.aiSdk.openai, apiKey }).embedding(model);
const google = (model: string) =>
  createGoogleGenerativeAI({ baseURL: world.sim.urls.aiSdk.google, apiKey: "key-a" }).embedding(model);

/** Returns as many vectors as the script says. */
function vectors(...counts: readonly number[]): EmbeddingModelV3 {
  let calls = 0;
  return {
    ...{ specificationVersion: "v3", provider: "p.embedding", modelId: "e" },
    ...{ maxEmbeddingsPerCall: 8, supportsParallelCalls: true },
    doEmbed: async () => ({ embeddings: Array.from({ length: counts[calls++] ?? 0 }, () => [1]), warnings: [] }),
  };
}

describe("embedding models", () => {
  test.each([
    ["OpenAI", openai],
    ["Google", google],
  ] as const)("E14: embedMany on %s makes exactly the engine's calls", async (_name, make) => {
    const model = resilientEmbeddingModel(make("overloaded-twice"), QUICK);
    const { embeddings, providerMetadata } = await embedMany({ model, values: ["one", "two", "three"] });
    expect(embeddings).toHaveLength(3);
    expect(receiptIn(providerMetadata)).toMatchObject({ complete: true, attempts: 3 });
    expect(world.sim.requests).toHaveLength(3);
  });

  test("B3: what the engine gave up is not tried again", async () => {
    const once = { ...QUICK, schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } } } as const;
    const error = await rejection(embed({ model: resilientEmbeddingModel(openai("down"), once), value: "one" }));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(world.sim.requests).toHaveLength(2);
    const first = await rejection(
      embed({ model: resilientEmbeddingModel(openai("down"), { enabled: false }), value: "one" }),
    );
    expect(receiptOf(first)).toMatchObject({ attempts: 1 });
    expect(world.sim.requests).toHaveLength(3);
  });

  test("E17: another key is tried when the first is used up", async () => {
    const model = resilientEmbeddingModel([openai("quota@1", "key-1"), openai("quota@1", "key-2")], QUICK);
    await rejection(embed({ model, value: "one" }));
    expect(world.sim.requests.map(({ key }) => key)).toEqual(["key-1", "key-2"]);
  });

  test("E17: another model is refused: its vectors could not be compared", () => {
    expect(() => resilientEmbeddingModel([openai("a"), openai("b")])).toThrow(/models\[1\]\.modelId must be "a"/);
  });

  test("E15b: a vector for each text, or the call is tried again", async () => {
    const { embeddings } = await embedMany({
      model: resilientEmbeddingModel(vectors(1, 2), QUICK),
      values: ["a", "b"],
    });
    expect(embeddings).toHaveLength(2);
  });

  test("E17: keeps what the AI SDK knows about the model", async () => {
    const model = resilientEmbeddingModel(openai("ok"));
    expect(model.maxEmbeddingsPerCall).toBe(2048);
    const limit = Symbol.for("vercel.ai.embeddingModel.maxInputBytesPerCall");
    expect((model as unknown as Record<symbol, unknown>)[limit]).toBe(300_000);
    const both = resilientEmbeddingModel([vectors(1), { ...vectors(1), maxEmbeddingsPerCall: 3 }]);
    expect(await both.maxEmbeddingsPerCall).toBe(3);
    expect(await both.supportsParallelCalls).toBe(true);
  });
});
