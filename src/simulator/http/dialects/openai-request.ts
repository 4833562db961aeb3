import { embeddingRequest, InvalidRequest, type ModelRequest, type OfferedTool } from "../answer/model-request.ts";
import type { HttpRequest } from "./dialect.ts";
import { countOf, fieldOf, listOf, pathOf, stringOf, textOf } from "./read-json.ts";

/** Reads a request to `/v1/chat/completions`. */
export function readChatRequest({ body, bodyChars }: HttpRequest): ModelRequest {
  const messages = listOf(fieldOf(body, "messages"));
  if (messages.length === 0) throw new InvalidRequest("Missing required parameter: 'messages'.");
  const last = messages.at(-1);
  const text = textOf(fieldOf(last, "content"));
  return {
    model: modelOf(body),
    isStreaming: fieldOf(body, "stream") === true,
    prompt: text,
    inputChars: bodyChars,
    tools: listOf(fieldOf(body, "tools")).map((tool) => toolOf(fieldOf(tool, "function"))),
    toolChoice: choiceOf(fieldOf(body, "tool_choice"), stringOf(pathOf(body, "tool_choice", "function", "name"))),
    toolResult: fieldOf(last, "role") === "tool" ? text : undefined,
    // OpenAI does not send reasoning here; compatible providers do when the effort is set.
    wantsReasoning: fieldOf(body, "reasoning_effort") !== undefined,
    wantsUsage: pathOf(body, "stream_options", "include_usage") === true,
    maxTokens: countOf(fieldOf(body, "max_completion_tokens") ?? fieldOf(body, "max_tokens")),
    jsonSchema: pathOf(body, "response_format", "json_schema", "schema"),
    framing: "sse",
  };
}

/** Reads a request to `/v1/responses`. */
export function readResponsesRequest({ body, bodyChars }: HttpRequest): ModelRequest {
  const input = fieldOf(body, "input");
  if (input === undefined) throw new InvalidRequest("Missing required parameter: 'input'.");
  const last = typeof input === "string" ? { content: input } : listOf(input).at(-1);
  const isResult = fieldOf(last, "type") === "function_call_output";
  const text = textOf(fieldOf(last, isResult ? "output" : "content"));
  return {
    model: modelOf(body),
    isStreaming: fieldOf(body, "stream") === true,
    prompt: text,
    inputChars: bodyChars,
    tools: listOf(fieldOf(body, "tools"))
      .filter((tool) => fieldOf(tool, "type") === "function")
      .map(toolOf),
    toolChoice: choiceOf(fieldOf(body, "tool_choice"), stringOf(pathOf(body, "tool_choice", "name"))),
    toolResult: isResult ? text : undefined,
    wantsReasoning: pathOf(body, "reasoning", "summary") !== undefined,
    wantsUsage: true,
    maxTokens: countOf(fieldOf(body, "max_output_tokens")),
    jsonSchema: pathOf(body, "text", "format", "schema"),
    framing: "sse",
  };
}

/** Reads a request to `/v1/embeddings`. */
export function readEmbeddingsRequest({ body, bodyChars }: HttpRequest): ModelRequest {
  const input = fieldOf(body, "input");
  const inputs = typeof input === "string" ? [input] : listOf(input).map(String);
  if (inputs.length === 0) throw new InvalidRequest("Missing required parameter: 'input'.");
  const encoding = fieldOf(body, "encoding_format") === "base64" ? "base64" : "float";
  return embeddingRequest({ model: modelOf(body), inputChars: bodyChars, inputs, encoding });
}

function modelOf(body: unknown): string {
  const model = stringOf(fieldOf(body, "model"));
  if (model === "") throw new InvalidRequest("you must provide a model parameter");
  return model;
}

function toolOf(tool: unknown): OfferedTool {
  return { name: stringOf(fieldOf(tool, "name")), schema: fieldOf(tool, "parameters") };
}

function choiceOf(choice: unknown, name: string): ModelRequest["toolChoice"] {
  if (name !== "") return { name };
  if (choice === "none") return "none";
  return choice === "required" ? "any" : "auto";
}
