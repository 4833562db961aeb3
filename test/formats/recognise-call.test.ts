import { describe, expect, test } from "vitest";
import { recogniseCall, type WireFormat } from "../../src/formats/index.ts";

type What = "generation" | "query";

const CALLS: readonly (readonly [string, string, WireFormat, What, string])[] = [
  ["OpenAI chat", "/v1/chat/completions", "openai", "generation", "/chat/completions"],
  ["OpenAI responses", "/v1/responses", "openai", "generation", "/responses"],
  ["OpenAI completions", "/v1/completions", "openai", "generation", "/completions"],
  ["OpenAI embeddings", "/v1/embeddings", "openai", "query", "/embeddings"],
  ["OpenAI moderations", "/v1/moderations", "openai", "query", "/moderations"],
  ["Azure", "/openai/deployments/gpt-5/chat/completions", "openai", "generation", "/chat/completions"],
  ["Azure, new", "/openai/v1/responses", "openai", "generation", "/responses"],
  ["OpenRouter", "/api/v1/chat/completions", "openai", "generation", "/chat/completions"],
  ["Groq", "/openai/v1/chat/completions", "openai", "generation", "/chat/completions"],
  ["Perplexity", "/chat/completions", "openai", "generation", "/chat/completions"],
  ["Anthropic", "/v1/messages", "anthropic", "generation", "/v1/messages"],
  ["Anthropic behind a proxy", "/anthropic/v1/messages", "anthropic", "generation", "/v1/messages"],
  ["Anthropic tokens", "/v1/messages/count_tokens", "anthropic", "query", "/v1/messages/count_tokens"],
];

const MODELS: readonly (readonly [string, string, string, What, WireFormat])[] = [
  ["Gemini", "/v1beta/models/gemini-3:generateContent", "gemini-3", "generation", "gemini"],
  ["Gemini, streamed", "/v1beta/models/gemini-3:streamGenerateContent", "gemini-3", "generation", "gemini"],
  ["Gemini, stable", "/v1/models/gemini-3:streamGenerateContent", "gemini-3", "generation", "gemini"],
  ["Gemini, tuned", "/v1beta/tunedModels/mine-1:generateContent", "mine-1", "generation", "gemini"],
  ["Gemini embeddings", "/v1beta/models/e-1:embedContent", "e-1", "query", "gemini"],
  ["Gemini embeddings in a batch", "/v1beta/models/e-1:batchEmbedContents", "e-1", "query", "gemini"],
  ["Gemini tokens", "/v1beta/models/gemini-3:countTokens", "gemini-3", "query", "gemini"],
  [
    "Vertex",
    "/v1/projects/p/locations/europe-west1/publishers/google/models/gemini-3:streamGenerateContent",
    "gemini-3",
    "generation",
    "gemini",
  ],
  [
    "Claude on Vertex",
    "/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict",
    "claude-sonnet-4-5@20250929",
    "generation",
    "anthropic",
  ],
  [
    "Claude on Vertex, streamed",
    "/v1/projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5:streamRawPredict",
    "claude-sonnet-4-5",
    "generation",
    "anthropic",
  ],
  [
    "tokens of Claude on Vertex",
    "/v1/projects/p/locations/global/publishers/anthropic/models/count-tokens:rawPredict",
    "count-tokens",
    "query",
    "anthropic",
  ],
];

describe("recogniseCall", () => {
  test.each(CALLS)("E17: %s is a call", (_name, path, format, what, rest) => {
    const found = recogniseCall("POST", path);
    expect(found).toMatchObject({ format, what });
    expect(path.slice(found?.pathAt)).toBe(rest);
    expect(found?.model).toBeUndefined();
  });

  test.each(MODELS)("E17: %s is a call with its model in the path", (_name, path, model, what, format) => {
    const found = recogniseCall("POST", path);
    expect(found).toMatchObject({ format, what, model: { isStreaming: path.includes(":stream") } });
    expect(path.slice(found?.model?.from, found?.model?.to)).toBe(model);
  });

  test.each([
    ["a message of a thread, which would be added twice", "/v1/threads/thread_1/messages"],
    ["a run of a thread", "/v1/threads/thread_1/runs"],
    ["a file", "/v1/files"],
    ["a batch", "/v1/batches"],
    ["a batch of Anthropic's", "/v1/messages/batches"],
    ["the end of a response", "/v1/responses/resp_1/cancel"],
    ["the input of a response", "/v1/responses/resp_1/input_items"],
    ["an image", "/v1/images/generations"],
    ["speech", "/v1/audio/speech"],
    ["a fine-tuning", "/v1/fine_tuning/jobs"],
    ["a cached prompt of Gemini's", "/v1beta/cachedContents"],
    ["an upload to Gemini", "/upload/v1beta/files"],
    ["a video of Gemini's", "/v1beta/models/veo:predictLongRunning"],
    ["a batch of Gemini's", "/v1beta/models/gemini-3:batchGenerateContent"],
    ["a page", "/"],
  ])("E17: %s is not repeated like a generation", (_what, path) => {
    expect(recogniseCall("POST", path)).toBeUndefined();
  });

  test("E17: only POST asks for an answer", () => {
    for (const method of ["GET", "DELETE", "PUT", "HEAD"])
      expect(recogniseCall(method, "/v1/chat/completions")).toBeUndefined();
    expect(recogniseCall("GET", "/v1/responses/resp_1")).toBeUndefined();
  });
});
