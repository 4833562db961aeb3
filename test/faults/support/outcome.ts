import { receiptOf, SecondwindError } from "../../../src/index.ts";
import { classify } from "../../../src/kernel/index.ts";
import type { Sight } from "./probe.ts";

/** What a person wants: this text, or a call of the tool with these arguments. */
export type Expected = { readonly text: string } | { readonly toolInput: unknown };

export type End =
  | { readonly type: "done" }
  | { readonly type: "hung" }
  | { readonly type: "error"; readonly error: unknown };

/** What a person saw, in fixed words. */
export interface Outcome {
  readonly words: string;
  /** No error, and yet not the answer. */
  readonly isSilentlyWrong: boolean;
}

export function outcomeOf(sight: Sight, end: End, expected: Expected, calls: number): Outcome {
  const seen = sawOf(sight, expected);
  if (end.type === "hung") return loud(seen === "empty" ? "hangs" : "content, then hangs");
  if (end.type === "error") return loud(sayError(kindOf(end.error), sight, calls));
  if (seen !== "whole") return { words: `silent ${seen} answer${sayCalls(calls)}`, isSilentlyWrong: true };
  return loud(calls > 1 ? `whole answer, ${calls} calls` : "whole answer");
}

function loud(words: string): Outcome {
  return { words, isSilentlyWrong: false };
}

function sayError(kind: string, { text, toolInputs }: Sight, calls: number): string {
  const isHalf = text !== "" || toolInputs.size > 0;
  return `${isHalf ? "content, then error" : "error"}: ${kind}${sayCalls(calls)}`;
}

function sayCalls(calls: number): string {
  return calls > 1 ? `, ${calls} calls` : "";
}

function sawOf({ text, toolInputs }: Sight, expected: Expected): "whole" | "half" | "empty" | "wrong" {
  if ("toolInput" in expected) {
    if (toolInputs.size === 0) return text === "" ? "empty" : "half";
    return [...toolInputs.values()].every((input) => isSame(input, expected.toolInput)) ? "whole" : "wrong";
  }
  if (text === expected.text) return "whole";
  if (text === "") return "empty";
  return expected.text.startsWith(text) ? "half" : "wrong";
}

function isSame(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

/** What an SDK threw, and what the gateway says it was. */
export class SeenThroughGateway extends Error {
  readonly kind: string;

  constructor(kind: string, cause: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** What the error says went wrong, read as anybody can read it. */
export function kindOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof SeenThroughGateway) return at.kind;
    if (at instanceof SecondwindError) return at.failure.kind;
    const kind = receiptOf(at)?.history.at(-1)?.kind;
    if (kind !== undefined) return kind;
  }
  return classify(error).kind;
}
