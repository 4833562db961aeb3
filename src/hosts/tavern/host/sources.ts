import type { Page } from "./host.ts";

export interface Source {
  readonly value: string;
  readonly label: string;
}

/** The sources of SillyTavern 1.19, for a page without its list. */
const KNOWN =
  "openai custom ai21 aimlapi azure_openai chutes claude cohere cometapi deepseek electronhub fireworks groq makersuite mistralai " +
  "minimax moonshot nanogpt openrouter perplexity pollinations siliconflow vertexai workers_ai xai zai";

/** The chat completion sources that the host offers, with the names that it shows. */
export function sourcesOf({ document }: Page): readonly Source[] {
  const options = [...document.querySelectorAll<HTMLOptionElement>("#chat_completion_source option")];
  const offered = options
    .map(({ value, label }) => ({ value, label: label || value }))
    .filter(({ value }) => value !== "");
  return offered.length > 0 ? offered : KNOWN.split(" ").map((value) => ({ value, label: value }));
}
