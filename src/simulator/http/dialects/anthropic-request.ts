import { InvalidRequest, type ModelRequest } from "../answer/model-request.ts";
import type { HttpRequest } from "./dialect.ts";
import { countOf, fieldOf, listOf, pathOf, stringOf, textOf } from "./read-json.ts";

/** Reads a request to `/v1/messages`. */
export function readAnthropicRequest({ body, bodyChars }: HttpRequest): ModelRequest {
  const model = stringOf(fieldOf(body, "model"));
  const messages = listOf(fieldOf(body, "messages"));
  const maxTokens = countOf(fieldOf(body, "max_tokens"));
  if (model === "") throw new InvalidRequest("model: Field required");
  if (maxTokens === undefined) throw new InvalidRequest("max_tokens: Field required");
  if (messages.length === 0) throw new InvalidRequest("messages: at least one message is required");
  // Claude Code puts a message of the system after the person's.
  const content = fieldOf(
    messages.findLast((message) => fieldOf(message, "role") !== "system"),
    "content",
  );
  const result = listOf(content).find((block) => fieldOf(block, "type") === "tool_result");
  const thinking = pathOf(body, "thinking", "type");
  return {
    model,
    isStreaming: fieldOf(body, "stream") === true,
    prompt: textOf(withoutReminders(content)),
    inputChars: bodyChars,
    tools: listOf(fieldOf(body, "tools")).map((tool) => ({
      name: stringOf(fieldOf(tool, "name")),
      schema: fieldOf(tool, "input_schema"),
    })),
    toolChoice: choiceOf(fieldOf(body, "tool_choice")),
    toolResult: result === undefined ? undefined : textOf(fieldOf(result, "content")),
    wantsReasoning: thinking === "enabled" || thinking === "adaptive",
    wantsUsage: true,
    maxTokens,
    jsonSchema: pathOf(body, "output_config", "format", "schema") ?? pathOf(body, "output_format", "schema"),
    framing: "sse",
  };
}

/** Claude Code puts instructions in front of what the person wrote, in parts of their own. They name its tools. */
function withoutReminders(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.filter((part) => !stringOf(fieldOf(part, "text")).startsWith("<system-reminder>"));
}

function choiceOf(choice: unknown): ModelRequest["toolChoice"] {
  switch (fieldOf(choice, "type")) {
    case "any":
      return "any";
    case "none":
      return "none";
    case "tool":
      return { name: stringOf(fieldOf(choice, "name")) };
    default:
      return "auto";
  }
}
