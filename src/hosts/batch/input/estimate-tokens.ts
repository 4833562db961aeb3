import type { LineRequest } from "./batch-line.ts";

/** About four letters of Latin text are a token; a Chinese, Japanese or Korean character is about one. */
const WIDE = /[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;
const LETTERS_PER_TOKEN = 4;
/** What the wrapping of a message takes. */
const PER_MESSAGE = 4;

/** A guess at the input tokens of a request: nobody but the provider can count them. */
export function estimateTokens({ system = "", messages }: Pick<LineRequest, "system" | "messages">): number {
  let tokens = tokensOf(system);
  for (const message of messages) {
    const text =
      message.role === "assistant"
        ? message.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
        : message.content;
    tokens += PER_MESSAGE + tokensOf(text);
  }
  return tokens;
}

function tokensOf(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / LETTERS_PER_TOKEN);
}
