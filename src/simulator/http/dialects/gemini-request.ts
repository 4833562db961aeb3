import { embeddingRequest, InvalidRequest, type ModelRequest, type OfferedTool } from "../answer/model-request.ts";
import type { HttpRequest } from "./dialect.ts";
import { countOf, fieldOf, listOf, pathOf, stringOf, textOf } from "./read-json.ts";

const PATH = /\/models\/(.+):(\w+)$/;

/** The model and the method in `/v1beta/models/{model}:{method}`. */
export function geminiPath(path: string): { readonly model: string; readonly method: string } | undefined {
  const found = PATH.exec(path);
  return found === null ? undefined : { model: decode(found[1] ?? ""), method: found[2] ?? "" };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads a request to `:generateContent` or `:streamGenerateContent`. */
export function readGeminiRequest({ path, query, body, bodyChars }: HttpRequest): ModelRequest {
  const { model = "", method = "" } = geminiPath(path) ?? {};
  const contents = listOf(fieldOf(body, "contents"));
  if (contents.length === 0) {
    throw new InvalidRequest("* GenerateContentRequest.contents: contents is not specified");
  }
  const parts = fieldOf(contents.at(-1), "parts");
  const result = listOf(parts).find((part) => fieldOf(part, "functionResponse") !== undefined);
  const config = fieldOf(body, "generationConfig");
  return {
    model,
    isStreaming: method === "streamGenerateContent",
    prompt: textOf(parts),
    inputChars: bodyChars,
    tools: listOf(fieldOf(body, "tools")).flatMap((tool) => listOf(fieldOf(tool, "functionDeclarations")).map(toolOf)),
    toolChoice: choiceOf(pathOf(body, "toolConfig", "functionCallingConfig")),
    toolResult: result === undefined ? undefined : JSON.stringify(pathOf(result, "functionResponse", "response")),
    wantsReasoning: pathOf(config, "thinkingConfig", "includeThoughts") === true,
    wantsUsage: true,
    maxTokens: countOf(fieldOf(config, "maxOutputTokens")),
    jsonSchema: fieldOf(config, "responseSchema") ?? fieldOf(config, "responseJsonSchema"),
    framing: query.get("alt") === "sse" ? "sse" : "json-array",
  };
}

/** Reads a request to `:embedContent` or `:batchEmbedContents`. */
export function readGeminiEmbedRequest({ path, body, bodyChars }: HttpRequest): ModelRequest {
  const { model = "", method = "" } = geminiPath(path) ?? {};
  const asked = method === "embedContent" ? [body] : listOf(fieldOf(body, "requests"));
  const inputs = asked.map((one) => textOf(pathOf(one, "content", "parts")));
  if (inputs.length === 0) throw new InvalidRequest("* BatchEmbedContentsRequest.requests: at least one is required");
  return embeddingRequest({ model, inputChars: bodyChars, inputs, isBatch: method !== "embedContent" });
}

function toolOf(declared: unknown): OfferedTool {
  return {
    name: stringOf(fieldOf(declared, "name")),
    schema: fieldOf(declared, "parameters") ?? fieldOf(declared, "parametersJsonSchema"),
  };
}

function choiceOf(config: unknown): ModelRequest["toolChoice"] {
  const mode = fieldOf(config, "mode");
  const name = stringOf(listOf(fieldOf(config, "allowedFunctionNames"))[0]);
  if (mode === "NONE") return "none";
  if (mode !== "ANY") return "auto";
  return name === "" ? "any" : { name };
}
