import type { LanguageModelV3FinishReason, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { toolArguments } from "../../kernel/index.ts";

/** What an answer is judged by once it has ended. */
interface EndedAnswer {
  readonly finishReason: LanguageModelV3FinishReason;
  readonly hasContent: boolean;
  /** The arguments of its tool calls, as JSON. */
  readonly toolInputs: readonly string[];
  /** It came as one JSON value that parses: nothing is missing at its end, whether it names a reason or not. */
  readonly isWhole?: boolean;
  /** It follows the results of tools. */
  readonly isAfterTools?: boolean;
}

/** What is wrong with an answer that came without an error. `code` is what the classifier goes by. */
export interface AnswerFault {
  readonly code: string;
  readonly message: string;
}

const NO_END: AnswerFault = { code: "stream_broken", message: "The stream ended without its terminal marker" };
const NO_CONTENT: AnswerFault = { code: "empty_response", message: "The answer has no content" };
const NO_ARGUMENTS: AnswerFault = {
  code: "malformed_function_call",
  message: "The arguments of a tool call are neither a JSON object nor a text",
};

/** Undefined: the answer is whole. */
export function judgeAnswer(answer: EndedAnswer): AnswerFault | undefined {
  const { finishReason, hasContent, toolInputs, isWhole = false, isAfterTools = false } = answer;
  const { unified, raw } = finishReason;
  // `other` without the provider's own word means that it never gave one: the AI SDK's way to report an early end.
  if (unified === "other" && raw === undefined && !isWhole) return NO_END;
  if (unified === "error" || raw === "error") {
    const code = raw === undefined || raw === "error" ? "server_error" : raw;
    return { code, message: "The model ended with an error" };
  }
  if (!toolInputs.every(isUsable)) return NO_ARGUMENTS;
  const isCut = unified === "length" || unified === "content-filter";
  // Claude ends its turn so when the results of its tools leave it nothing to say. Asked again it says nothing again.
  const isTurnOver = isAfterTools && raw === "end_turn";
  return hasContent || isCut || isTurnOver ? undefined : NO_CONTENT;
}

/** Whether the model is asked to go on after the results of its tools. */
export function endsWithTools(prompt: LanguageModelV3Prompt): boolean {
  return prompt.at(-1)?.role === "tool";
}

/** An object; or a text, which is what OpenAI's custom tools are called with. */
function isUsable(text: string): boolean {
  const read = toolArguments({ text, hasEnded: true });
  if (!read.usable || Array.isArray(read.value)) return false;
  return typeof read.value === "string" || (typeof read.value === "object" && read.value !== null);
}
