import type { Reading } from "../kernel/index.ts";
import { type Fields, isFields, isFilled } from "./fields.ts";
import { AnswerReader, isErrorEvent } from "./read-event.ts";
import { empty, problemInWhole } from "./whole-answers.ts";

/**
 * Reads an answer that came as one JSON value. It parses, so nothing is missing at its end; but it may be an error in spite of
 * its good status, or no answer at all.
 */
export function readAnswer(value: unknown, text: string): Reading {
  // Gemini's stream without `alt=sse` is a list of events.
  if (Array.isArray(value) && value.length > 0) return readList(value);
  if (!isFields(value)) return notAnAnswer(text);
  if (isErrorEvent(value) || hasFailedInside(value)) return { problem: value };
  const problem = problemInWhole(value);
  if (problem !== undefined) return problem;
  const reading = new AnswerReader().read(value);
  if (typeof reading === "object") return reading;
  if (reading !== "unknown") return isWithoutWords(value, reading) ? empty() : "content-end";
  return isAnswer(value) ? "content-end" : notAnAnswer(text);
}

/**
 * No choice at all, or a plain end without content, as in a stream. Without a finish reason a choice of an answer that parses is whole
 * all the same.
 */
function isWithoutWords(value: Fields, reading: string): boolean {
  const { choices, candidates = choices } = value;
  if (reading === "noise" && !isFilled(candidates)) return candidates !== undefined || !isAnswer(value);
  return reading === "end" && Array.isArray(candidates);
}

function readList(events: readonly unknown[]): Reading {
  const reader = new AnswerReader();
  let hasContent = false;
  let hasEnd = false;
  for (const event of events) {
    const meaning = reader.read(event);
    if (typeof meaning === "object") return meaning;
    hasContent ||= meaning.startsWith("content");
    hasEnd ||= meaning.endsWith("end");
  }
  if (!hasEnd && !reader.mayHaveEnded)
    return { problem: { code: "stream_broken", message: "The answer ended without its terminal marker" } };
  return hasContent ? "content-end" : empty();
}

/** Anthropic's message, OpenAI's response, a list of embeddings or models, a count of tokens. */
function isAnswer(value: Fields): boolean {
  return ["content", "output", "data", "embedding", "embeddings", "totalTokens", "input_tokens", "id"].some(
    (name) => name in value,
  );
}

/** OpenAI's response that failed; MiniMax, whose errors come with a good status. */
function hasFailedInside({ object, status, base_resp: base }: Fields): boolean {
  if (object === "response" && status === "failed") return true;
  return isFields(base) && isFilled(base.status_code) && base.status_code !== 0;
}

function notAnAnswer(text: string): Reading {
  const what = text.trim() === "" ? "an empty body" : /^\s*</.test(text) ? "a page" : "no answer";
  const shown = text.slice(0, 500);
  return { problem: { code: "stream_broken", message: `HTTP 200 with ${what} instead of an answer: ${shown}` } };
}
