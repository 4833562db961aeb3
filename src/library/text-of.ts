import { textOfEvent } from "./text-of-event.ts";
import { fieldOf, isObject, textOfParts, type Unknowns } from "./text-of-parts.ts";

/**
 * The text of an answer, or of an item of a stream, as the official SDKs and the AI SDK give it, or as a string, `{ text }` or
 * `{ content }`. "" for a known form without text, such as a tool call. Reasoning is not part of it. Undefined: an unknown form.
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isObject(value)) return undefined;
  return textOfEvent(value) ?? textOfAnswer(value);
}

function textOfAnswer(value: Unknowns): string | undefined {
  if (fieldOf(value, "thought") === true) return "";
  return (
    ofChoices(value) ?? ofCandidates(value) ?? ofText(value) ?? ofOutput(value) ?? ofMessage(value) ?? ofObject(value)
  );
}

/** OpenAI's chat completions and all that speak them: whole, as chunks, or of the old kind. Other choices than the first are left out. */
function ofChoices(value: Unknowns): string | undefined {
  const choices = fieldOf(value, "choices");
  if (!Array.isArray(choices)) return undefined;
  const first: unknown = choices.find((choice) => isObject(choice) && (choice.index ?? 0) === 0);
  if (!isObject(first)) return "";
  const message = first.message ?? first.delta;
  if (isObject(message)) return textOfParts(message.content) ?? "";
  return typeof first.text === "string" ? first.text : "";
}

/** Gemini. Its own `text` is not asked: that getter warns on the console about tool calls. */
function ofCandidates(value: Unknowns): string | undefined {
  const candidates = fieldOf(value, "candidates");
  if (Array.isArray(candidates)) {
    const [first] = candidates as unknown[];
    return (isObject(first) && isObject(first.content) && textOfParts(first.content.parts)) || "";
  }
  // A blocked prompt has no candidates; the last chunk of a stream may have none either.
  return "promptFeedback" in value || "usageMetadata" in value ? "" : undefined;
}

/** OpenAI's responses: `output_text` is the SDK's own sum, without which the messages are read. Bedrock's `output` is one message. */
function ofOutput(value: Unknowns): string | undefined {
  const sum = fieldOf(value, "output_text");
  if (typeof sum === "string") return sum;
  const output = fieldOf(value, "output");
  if (Array.isArray(output)) {
    const messages = output.filter((item) => isObject(item) && item.type === "message");
    return messages.map(({ content }) => textOfParts(content) ?? "").join("");
  }
  return isObject(output) && isObject(output.message) ? textOfParts(output.message.content) : undefined;
}

/** Results of the AI SDK, whose other getters may throw. */
function ofText(value: Unknowns): string | undefined {
  const text = fieldOf(value, "text");
  if (text === null) return "";
  return typeof text === "string" ? text : undefined;
}

/** Anthropic's messages, messages of any client, and a message in its envelope (Cohere, Ollama). */
function ofMessage(value: Unknowns): string | undefined {
  const content = fieldOf(value, "content");
  if (content === null) return "";
  const own = textOfParts(content);
  if (own !== undefined) return own;
  const message = fieldOf(value, "message");
  return isObject(message) ? textOfParts(message.content) : undefined;
}

/** `generateObject` of the AI SDK: the object is the answer, so its JSON is the text. */
function ofObject(value: Unknowns): string | undefined {
  if (!("object" in value && "finishReason" in value)) return undefined;
  const object = fieldOf(value, "object");
  return typeof object === "string" ? object : JSON.stringify(object);
}
