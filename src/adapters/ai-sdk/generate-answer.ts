import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import type { CallSetup, Setup, TextOf } from "../../kernel/index.ts";
import { callModel, present } from "./call-model.ts";
import type { Chained } from "./door.ts";
import { endsWithTools, judgeAnswer } from "./judge-answer.ts";
import { errorIn } from "./stream-fault.ts";

type Generate = (options: LanguageModelV3CallOptions) => Promise<LanguageModelV3GenerateResult>;

/** `doGenerate` of a chain of models. */
export function answerGenerator(chained: Chained<LanguageModelV3>): Generate {
  const setup: CallSetup = chained.setup.for({ textOf, problemIn, present });
  const call = (model: LanguageModelV3, options: LanguageModelV3CallOptions) => {
    const answer = model.doGenerate(options);
    return endsWithTools(options.prompt) ? answer.then(noteAfterTools) : answer;
  };
  return (options) => callModel({ chained, setup, options, call });
}

/** Answers to the results of tools: an answer does not show what it is an answer to. */
const afterTools = new WeakSet<object>();

function noteAfterTools(result: LanguageModelV3GenerateResult): LanguageModelV3GenerateResult {
  // Faulty middleware may return anything.
  if (typeof result === "object" && result !== null) afterTools.add(result);
  return result;
}

/** A step that calls tools is not the finished answer, and needs no required content. */
function textOf(value: unknown): TextOf {
  const { content, finishReason } = value as LanguageModelV3GenerateResult;
  if (finishReason.unified === "tool-calls") return true;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function problemIn(value: object): ReturnType<NonNullable<Setup["problemIn"]>> {
  const { content, finishReason, response } = value as LanguageModelV3GenerateResult;
  const hasContent = content.some(isContent);
  // Without the body nothing is known: a model of another kind may read a stream inside.
  const isWhole = typeof response?.body === "object" && response.body !== null;
  const isAfterTools = afterTools.has(value);
  const fault = judgeAnswer({ finishReason, hasContent, toolInputs: toolInputs(content), isWhole, isAfterTools });
  // Some providers take an error with a good status for an answer without content.
  return fault && Promise.resolve(hasContent ? fault : (errorIn(response?.body) ?? fault));
}

function isContent(part: LanguageModelV3Content): boolean {
  if (part.type === "text") return part.text !== "";
  // Reasoning that is sealed has no text, only its signature.
  return part.type !== "reasoning" || part.text !== "" || part.providerMetadata !== undefined;
}

const NONE: readonly string[] = [];

function toolInputs(content: readonly LanguageModelV3Content[]): readonly string[] {
  let inputs: string[] | undefined;
  for (const part of content) {
    if (part.type !== "tool-call") continue;
    inputs ??= [];
    inputs.push(part.input);
  }
  return inputs ?? NONE;
}
