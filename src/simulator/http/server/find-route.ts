import type { IncomingMessage } from "node:http";
import { anthropic } from "../dialects/anthropic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { geminiEmbeddings, openaiEmbeddings } from "../dialects/embeddings.ts";
import { gemini } from "../dialects/gemini.ts";
import { geminiPath } from "../dialects/gemini-request.ts";
import { listModels } from "../dialects/list-models.ts";
import { openaiChat } from "../dialects/openai-chat.ts";
import { openaiResponses } from "../dialects/openai-responses.ts";

type Route =
  | { readonly type: "generate"; readonly dialect: Dialect }
  | { readonly type: "models"; readonly dialect: Dialect; readonly body: unknown }
  | { readonly type: "unknown"; readonly dialect: Dialect };

const POSTS: Readonly<Record<string, Dialect>> = {
  "/v1/chat/completions": openaiChat,
  "/v1/responses": openaiResponses,
  "/v1/embeddings": openaiEmbeddings,
  "/v1/messages": anthropic,
};

const GEMINI_METHODS: Readonly<Record<string, Dialect>> = {
  generateContent: gemini,
  streamGenerateContent: gemini,
  embedContent: geminiEmbeddings,
  batchEmbedContents: geminiEmbeddings,
};

const GEMINI_PATH = /^\/v1(?:beta|alpha)\//;

/** The wire format of a request. Unknown paths get an error in the format of the most likely provider. */
export function findRoute({ method, headers }: IncomingMessage, path: string): Route {
  const isGemini = GEMINI_PATH.test(path);
  // Anthropic's clients always send this header; `/v1/models` alone could also be OpenAI's.
  const speaksAnthropic = headers["anthropic-version"] !== undefined;
  const meant = isGemini ? gemini : speaksAnthropic ? anthropic : openaiChat;
  const dialect = isGemini ? GEMINI_METHODS[geminiPath(path)?.method ?? ""] : POSTS[path];
  if (method === "POST" && dialect !== undefined) return { type: "generate", dialect };
  const body = method === "GET" ? listModels(path, meant.provider) : undefined;
  if (body !== undefined) return { type: "models", dialect: meant, body };
  return { type: "unknown", dialect: meant };
}
