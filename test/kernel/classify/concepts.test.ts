import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const kindOf = (text: string) => classify(text).kind;

/** For each concept: wordings that are in no file of the corpus, and near misses that are about something else. */
const CONCEPTS: Readonly<Record<string, readonly [said: readonly string[], notSaid: readonly string[]]>> = {
  auth: [
    [
      "Wrong API token",
      "Your key was rejected, because it is no longer valid",
      "Signature verification failed",
      "The login cookie is missing",
      "Token verification failed",
      "Ungültiger API-Schlüssel",
      "Geçersiz API anahtarı",
      "Неверный ключ API",
      "Ключ API недействителен",
      "APIキーが無効です",
      "API 키가 유효하지 않습니다",
      "Chave de API inválida",
    ],
    [
      "Unexpected token at position 7",
      "KeyError: 'usage'",
      "output token maximum exceeded",
      "duplicate key in object",
      "token count is unknown",
    ],
  ],
  usage_limit: [
    [
      "Please add funds to your account",
      "Your plan doesn't include API access",
      "Token allowance used up until tomorrow",
      "Not a single credit left: the wallet is empty",
      "You have exceeded your premium request allowance.",
      "Дневной лимит исчерпан",
      "Has agotado tu cuota mensual",
    ],
    [
      "Too many simultaneous requests",
      "The plan was written to plan.md",
      "Load balancer has no upstream",
      "Context limit hit",
      "A trial run of the tool",
    ],
  ],
  permission: [
    [
      "Your account isn't allowed to use GPT-4",
      "IP address not whitelisted",
      "This feature is disabled by your administrator",
      "The workspace has not been approved",
      "You are not on the allowlist for this model",
      "Você não tem permissão para acessar este conteúdo",
    ],
    [
      "System messages are not allowed after user messages",
      "Wrong API token",
      "The model is currently not available",
      "Tool names are case sensitive",
      "user message is empty",
    ],
  ],
  not_found: [
    [
      "The model you requested is unknown",
      "model 'foo' isn't loaded",
      "There is no model called foo",
      "No route matched with those values",
      "Could not find deployment my-gpt",
      "Das Modell wurde nicht gefunden",
    ],
    [
      "This model does not support images",
      "ENOENT: no such file or directory, open 'x.json'",
      "model is warming up",
      "ModuleNotFoundError: No module named 'openai'",
      "The model produced an unknown tool name",
    ],
  ],
  overloaded: [
    [
      "All workers are busy",
      "GPU pool exhausted, retry shortly",
      "Servers are swamped right now, come back soon",
      "model temporarily offline",
      "Backend is not ready yet",
      "Máy chủ đang quá tải",
    ],
    [
      "advanced custom upstream path must be a full URL",
      "The server certificate is invalid",
      "busy waiting was detected in line 7",
      "model not found",
      "The instance id is missing",
    ],
  ],
  timeout: [
    [
      "Gave up waiting for the model",
      "Deadline of 30s passed",
      "Operation exceeded 120s",
      "Waited 300 seconds for a reply",
      "The server took too long to respond",
      "A requisição excedeu o tempo limite",
    ],
    [
      "Exceeded 20 requests/min",
      "The context window is full",
      "temporarily limited",
      "Deadline is a required field",
      "after 3 attempts the run was stopped",
    ],
  ],
  stream_broken: [
    [
      "The model stopped responding mid-answer",
      "LLM gave no answer",
      "Missing 'choices' in response",
      "SSE stream aborted before the final message",
      "The response from the API was not understood",
      "Получен пустой ответ от модели",
      "解析响应失败：返回的不是有效的 JSON",
    ],
    [
      "messages must not be empty",
      "Failed to deserialize the JSON body into the target type: messages[0]: unknown variant `image_url`",
      "The agent run failed before producing a reply.",
      "response_format is not supported",
      "Failed to parse: http://myserver:port/v1/chat/completion",
    ],
  ],
  server: [
    [
      "llama.cpp server died",
      "EngineCore died unexpectedly",
      "Model execution failed: CUDA error: device-side assert triggered",
      "The inference server crashed",
      "Internal inference failure",
      "Внутренняя ошибка сервера",
    ],
    [
      "Process exited with code 1",
      "Claude Code process exited with code 1",
      "Command failed with exit code 137",
      "LLM request failed.",
      "An unknown error occurred",
    ],
  ],
  network: [
    [
      "We're having trouble connecting to the model provider",
      "Your connection was interrupted",
      "Couldn't reach the API",
      "failed to resolve hostname api.x.com",
      "Unable to establish connection",
      "Impossible de se connecter au serveur",
      "Sunucuya bağlanılamadı",
    ],
    [
      "Stream idle: connection dropped during generation",
      "The proxy setting is not a valid URL",
      "Host header is required",
      "hostname must be a string",
      "socket path is empty",
    ],
  ],
  bad_request: [
    [
      "temperature out of range",
      "Image format not recognized",
      "Expected alternating user/assistant roles",
      "The tool_call_id has no matching tool call",
      "This model only supports single tool-calls at once!",
    ],
    [
      "list index out of range",
      "'powershell' is not recognized as an internal or external command",
      "Something failed",
      "Invalid API Key",
      "Invalid SSE data received",
    ],
  ],
  context_overflow: [
    [
      "Conversation too long; start a new chat",
      "Codex ran out of room in the model's context window.",
      "150000 tokens is over the 128000 limit of this model",
      "The input does not fit into the context window",
      "上下文長度超出限制，請縮短對話",
    ],
    [
      "An image in the conversation exceeds the dimension limit",
      "invalid search_context_size, must be one of: high, medium, low",
      "context canceled",
      "Tokens per minute exceeded, the prompt will be retried",
      "max_tokens too large: must be <= 4096",
    ],
  ],
};

describe.each(Object.entries(CONCEPTS))("%s", (kind, [said, notSaid]) => {
  test.each(said)("E1: is recognised by what a sentence is about and what is the matter with it: %s", (text) => {
    expect(kindOf(text)).toBe(kind);
  });

  test.each(notSaid)("E1: is not read into a sentence about something else: %s", (text) => {
    expect(kindOf(text)).not.toBe(kind);
  });
});

test("E1: a verdict by a concept alone is a guess", () => {
  const { confidence, evidence } = classify("Servers are swamped right now, come back soon");
  expect({ confidence, evidence }).toEqual({ confidence: "guess", evidence: "text:concept-overloaded" });
});

describe("traditional Chinese", () => {
  test.each([
    ["很抱歉，您的請求太多，伺服器有點累了，請稍後再試", "rate_limit"],
    ["伺服器忙碌中，請稍後再試", "overloaded"],
    ["請求逾時", "timeout"],
    ["API 金鑰無效", "auth"],
    ["帳戶餘額不足，請儲值", "usage_limit"],
  ])("E1: is read like simplified: %s", (text, kind) => {
    expect(kindOf(text)).toBe(kind);
  });

  test("E1: Japanese keeps its characters", () => {
    expect(kindOf("APIキーが無効です")).toBe("auth");
  });
});
