import type { Answer, ToolCall } from "./answer.ts";
import type { Ask } from "./ask.ts";
import { callTool, chooseTool } from "./choose-tool.ts";
import { sampleValue } from "./sample-value.ts";
import { seededId, seededRandom } from "./seeded.ts";
import { splitWords, tellWords } from "./words.ts";

export interface AnswerWishes {
  readonly seed: number;
  /** `words`: made up. `echo`: the last message again. `nothing`: a valid answer without content. Otherwise this text. */
  readonly say: "words" | "echo" | "nothing" | { readonly text: string };
  /** How many chunks of made-up text. */
  readonly tokens?: number | undefined;
}

const CHARS_PER_TOKEN = 4;
const REASONING_TOKENS = 6;
const ECHO = /^\s*echo:\s*/i;

/** What will be answered. The same ask with the same seed gets the same answer. */
export function planAnswer(ask: Ask, wishes: AnswerWishes): Answer {
  const random = seededRandom(wishes.seed);
  const isEmpty = wishes.say === "nothing";
  const tool = isEmpty ? undefined : chooseTool(ask);
  const toolCalls = tool === undefined ? [] : [callTool(tool, ask.prompt, wishes.seed)];
  const reasoning = ask.wantsReasoning && !isEmpty ? tellWords(random, REASONING_TOKENS) : [];
  const wanted = isEmpty ? [] : tellText({ ask, wishes, random, toolCalls });
  const most = Math.max(0, (ask.maxTokens ?? Number.POSITIVE_INFINITY) - reasoning.length);
  const isCutShort = wanted.length > most;
  const text = isCutShort ? wanted.slice(0, most) : wanted;
  const calls = isCutShort ? [] : toolCalls;
  const spoken = reasoning.length + text.length;
  return {
    id: seededId(wishes.seed, ask.model),
    model: ask.model,
    reasoning,
    text,
    toolCalls: calls,
    stop: isCutShort ? "length" : calls.length > 0 ? "tool" : "end",
    usage: {
      inputTokens: Math.ceil(ask.inputChars / CHARS_PER_TOKEN),
      outputTokens: spoken + calls.reduce((sum, { argumentsText }) => sum + tokensOf(argumentsText), 0),
      reasoningTokens: reasoning.length,
    },
    indexes: "rising",
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

interface Telling {
  readonly ask: Ask;
  readonly wishes: AnswerWishes;
  readonly random: () => number;
  readonly toolCalls: readonly ToolCall[];
}

function tellText({ ask, wishes, random, toolCalls }: Telling): readonly string[] {
  const { prompt, jsonSchema, toolResult } = ask;
  const { say, tokens } = wishes;
  if (typeof say === "object") return splitWords(say.text);
  if (jsonSchema !== undefined) return splitWords(JSON.stringify(sampleValue(jsonSchema), null, 1));
  if (say === "echo") return splitWords(prompt);
  if (ECHO.test(prompt)) return splitWords(prompt.replace(ECHO, ""));
  if (toolCalls.length > 0) return splitWords("Let me look that up.");
  if (toolResult !== undefined) return splitWords(`The tool says: ${toolResult}`);
  return tellWords(random, tokens);
}
