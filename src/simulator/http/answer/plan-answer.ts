import type { Behaviour } from "../behaviour/behaviour.ts";
import type { Answer } from "./answer.ts";
import { callTool, chooseTool } from "./choose-tool.ts";
import type { ModelRequest } from "./model-request.ts";
import { type Journey, NO_JOURNEY } from "./prose/journey.ts";
import { proseChunks, reasoningChunks } from "./prose/write-prose.ts";
import { sampleValue } from "./sample-value.ts";
import { seededId, seededRandom } from "./seeded.ts";
import { splitWords } from "./words.ts";

interface AnswerOptions {
  readonly seed: number;
  readonly content: Extract<Behaviour, { type: "answer" }>["content"];
  /** How many chunks of prose. */
  readonly tokens?: number | undefined;
  /** Default: nothing is known of it. */
  readonly journey?: Journey;
}

const CHARS_PER_TOKEN = 4;
const ECHO = /^\s*echo:\s*/i;

/** The answer to a request. The same request with the same seed gets the same answer. */
export function planAnswer(request: ModelRequest, options: AnswerOptions): Answer {
  const random = seededRandom(options.seed);
  const isEmpty = options.content === "empty";
  const tool = isEmpty ? undefined : chooseTool(request);
  const toolCalls = tool === undefined ? [] : [callTool(tool, request.prompt, options.seed)];
  const asked = { prompt: request.prompt, journey: options.journey ?? NO_JOURNEY, random };
  const reasoning = request.wantsReasoning && !isEmpty ? reasoningChunks(asked) : [];
  const wanted = isEmpty ? [] : textFor(request, options, toolCalls.length > 0, random);
  const most = Math.max(0, (request.maxTokens ?? Number.POSITIVE_INFINITY) - reasoning.length);
  const isCutShort = wanted.length > most;
  const text = isCutShort ? wanted.slice(0, most) : wanted;
  const calls = isCutShort ? [] : toolCalls;
  const sent = reasoning.length + text.length;
  return {
    id: seededId(options.seed, request.model),
    model: request.model,
    reasoning,
    text,
    toolCalls: calls,
    stop: isCutShort ? "length" : calls.length > 0 ? "tool" : "end",
    usage: {
      inputTokens: Math.ceil(request.inputChars / CHARS_PER_TOKEN),
      outputTokens: sent + calls.reduce((sum, { argumentsText }) => sum + tokensOf(argumentsText), 0),
      reasoningTokens: reasoning.length,
    },
    indexes: "rising",
  };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

function textFor(
  { prompt, jsonSchema, toolResult }: ModelRequest,
  { content, tokens, journey = NO_JOURNEY }: AnswerOptions,
  hasCalls: boolean,
  random: () => number,
): readonly string[] {
  if (typeof content === "object") return splitWords(content.text);
  if (jsonSchema !== undefined) return splitWords(JSON.stringify(sampleValue(jsonSchema), null, 1));
  if (content === "echo") return splitWords(prompt);
  if (ECHO.test(prompt)) return splitWords(prompt.replace(ECHO, ""));
  if (hasCalls) return splitWords("Let me look that up.");
  if (toolResult !== undefined) return splitWords(`The tool says: ${toolResult}`);
  return proseChunks({ prompt, journey, random }, tokens);
}
