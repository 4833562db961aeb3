import type { Answer } from "../answer/answer.ts";
import type { ModelRequest } from "../answer/model-request.ts";
import { hashOf, seededRandom } from "../answer/seeded.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { readGeminiEmbedRequest } from "./gemini-request.ts";
import { openaiChat } from "./openai-chat.ts";
import { readEmbeddingsRequest } from "./openai-request.ts";

const DIMENSIONS = 64;

/** `/v1/embeddings` */
export const openaiEmbeddings: Dialect = {
  ...openaiChat,
  readRequest: readEmbeddingsRequest,
  frames: () => [],
  whole: ({ model, usage }: Answer, { inputs = [], encoding }: ModelRequest) => ({
    object: "list",
    data: inputs.map((input, index) => ({
      object: "embedding",
      index,
      embedding: encoding === "base64" ? base64Of(vectorOf(input)) : vectorOf(input),
    })),
    model,
    usage: { prompt_tokens: usage.inputTokens, total_tokens: usage.inputTokens },
  }),
};

/** `:embedContent` returns one vector, `:batchEmbedContents` a list. */
export const geminiEmbeddings: Dialect = {
  ...gemini,
  readRequest: readGeminiEmbedRequest,
  frames: () => [],
  whole: (_answer: Answer, { inputs = [], isBatch }: ModelRequest) => {
    const vectors = inputs.map((input) => ({ values: vectorOf(input) }));
    return isBatch === true ? { embeddings: vectors } : { embedding: vectors[0] };
  },
};

/** A vector of length 1, the same for the same text. */
function vectorOf(text: string): readonly number[] {
  const random = seededRandom(hashOf("vector", text));
  const raw = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}

/** The default of the OpenAI SDK: float32, little-endian. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * 4);
  return bytes.toString("base64");
}
