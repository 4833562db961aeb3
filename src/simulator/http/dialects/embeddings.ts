import type { Answer } from "../answer/answer.ts";
import type { Ask } from "../answer/ask.ts";
import { hashOf, seededRandom } from "../answer/seeded.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { readGeminiEmbedAsk } from "./gemini-ask.ts";
import { readEmbeddingsAsk } from "./openai-ask.ts";
import { openaiChat } from "./openai-chat.ts";

const DIMENSIONS = 64;

/** `/v1/embeddings` */
export const openaiEmbeddings: Dialect = {
  ...openaiChat,
  readAsk: readEmbeddingsAsk,
  frames: () => [],
  whole: ({ model, usage }: Answer, { inputs = [], encoding }: Ask) => ({
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

/** `:embedContent` answers one vector, `:batchEmbedContents` a list. */
export const geminiEmbeddings: Dialect = {
  ...gemini,
  readAsk: readGeminiEmbedAsk,
  frames: () => [],
  whole: (_answer: Answer, { inputs = [], isBatch }: Ask) => {
    const vectors = inputs.map((input) => ({ values: vectorOf(input) }));
    return isBatch === true ? { embeddings: vectors } : { embedding: vectors[0] };
  },
};

/** The same text has the same vector, of length 1, as real embeddings are. */
function vectorOf(text: string): readonly number[] {
  const random = seededRandom(hashOf("vector", text));
  const raw = Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}

/** What the OpenAI SDK asks for unless told otherwise: float32, little-endian. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [place, value] of vector.entries()) bytes.writeFloatLE(value, place * 4);
  return bytes.toString("base64");
}
