import type { SessionEntry } from "../../wire/index.ts";

/** The tokens that the answers of a conversation have used, failed ones too. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

export const NO_TOKENS: Tokens = { input: 0, output: 0 };

/** The count after one more entry. */
export function addTokens(tokens: Tokens, entry: SessionEntry): Tokens {
  const usage = entry.type === "message" && entry.data.role === "assistant" ? entry.data.usage : undefined;
  if (usage === undefined) return tokens;
  return { input: tokens.input + usage.inputTokens, output: tokens.output + usage.outputTokens };
}
