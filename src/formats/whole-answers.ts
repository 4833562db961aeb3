import type { Reading } from "../kernel/index.ts";
import { type Fields, isFilled, listOf } from "./fields.ts";
import { brokenInput, isJson } from "./tool-inputs.ts";

const PLAIN_STOPS: ReadonlySet<unknown> = new Set(["end_turn", "stop_sequence", "tool_use", null, undefined]);

/** What is wrong with an answer that parses; undefined: nothing. */
export function problemInWhole(value: Fields): Reading | undefined {
  if (value.object === "response" && value.status === "completed") return problemInResponse(value);
  const isEmptyMessage = value.type === "message" && PLAIN_STOPS.has(value.stop_reason) && !hasBlocks(value.content);
  return isEmptyMessage ? empty() : undefined;
}

function problemInResponse({ output }: Fields): Reading | undefined {
  for (const { type, arguments: input } of listOf(output)) {
    if (type !== "function_call" || typeof input !== "string" || input.trim() === "") continue;
    if (!isJson(input)) return brokenInput(input);
  }
  return hasOutput(output) ? undefined : empty();
}

/** Whether the output of a response says anything: a message without text does not. */
export function hasOutput(output: unknown): boolean {
  return listOf(output).some(({ type, content }) => type !== "message" || listOf(content).some(isSaid));
}

function isSaid({ type, text, refusal }: Fields): boolean {
  return isFilled(text) || isFilled(refusal) || (type !== "output_text" && type !== "refusal");
}

/** Anthropic's content: a text block may be empty, a call, a thought or a search result is not. */
function hasBlocks(content: unknown): boolean {
  return listOf(content).some((block) => block.type !== "text" || isFilled(block.text));
}

export function empty(): Reading {
  return { problem: { code: "empty_response", message: "The answer has no content" } };
}
