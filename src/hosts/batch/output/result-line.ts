import type { Failure, Receipt } from "../../../kernel/index.ts";
import type { FinishReason } from "../../../providers/provider.ts";
import { sayFailure, sayMessage } from "../../../terminal/index.ts";
import type { Usage } from "../../../wire/message.ts";
import type { BadLine, BatchLine, LineId } from "../input/batch-line.ts";

/** One line of the output. */
export interface ResultLine {
  readonly id: LineId;
  /** The line of the input, 1-based. */
  readonly line: number;
  readonly text?: string;
  /** Why there is no answer. */
  readonly error?: string;
  /** Of the error: a kind of failure, or `bad_line`. */
  readonly kind?: string;
  readonly status?: number;
  /** `length`: the model's output limit cut the answer off. */
  readonly finish?: FinishReason;
  /** `provider/model` that answered, or was asked last. */
  readonly model?: string;
  readonly usage?: Usage;
  readonly receipt?: Receipt;
  /** Names the content of the input line, so that a change is noticed. */
  readonly input: string;
}

type Named = Pick<BatchLine, "id" | "number" | "hash">;

export interface Answer {
  readonly text: string;
  readonly finish: FinishReason;
  readonly model: string;
  readonly usage?: Usage;
  readonly receipt?: Receipt;
}

export function answerLine({ id, number, hash }: Named, { text, finish, model, usage, receipt }: Answer): ResultLine {
  return {
    ...{ id, line: number, text, finish, model },
    ...(usage !== undefined && { usage }),
    ...(receipt !== undefined && { receipt }),
    input: hash,
  };
}

export interface Trouble {
  readonly error: string;
  readonly kind: string;
  readonly status?: number;
  readonly model?: string;
  readonly usage?: Usage;
  readonly receipt?: Receipt;
}

export function errorLine({ id, number, hash }: Named, trouble: Trouble): ResultLine {
  return { id, line: number, ...trouble, input: hash };
}

export function badLine(line: BadLine): ResultLine {
  return errorLine(line, { error: line.error, kind: "bad_line" });
}

/** A failure in words, and what a program can tell it by. */
export function troubleOf(failure: Pick<Failure, "kind" | "status" | "code" | "message">): Trouble {
  const { kind, status, message } = failure;
  return { error: `${sayFailure(failure)}: ${sayMessage(message)}`, kind, ...(status !== undefined && { status }) };
}

/** What a line of an output says: whether the input line is done, and what it used. Undefined: it is not one of ours. */
export interface ReadResult {
  readonly line: number;
  readonly hash: string;
  readonly isFailed: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export function readResult(text: string): ReadResult | undefined {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { line, input, error, usage } = Object(given) as Partial<Record<string, unknown>>;
  if (typeof line !== "number" || !Number.isSafeInteger(line) || line < 1 || line > MOST_LINES) return undefined;
  if (typeof input !== "string" || !/^[0-9a-f]{8}$/.test(input)) return undefined;
  const { inputTokens, outputTokens } = Object(usage) as Partial<Record<string, unknown>>;
  return {
    line,
    hash: input,
    isFailed: error !== undefined,
    inputTokens: typeof inputTokens === "number" ? inputTokens : 0,
    outputTokens: typeof outputTokens === "number" ? outputTokens : 0,
  };
}

/** What fits the tables that remember them. */
const MOST_LINES = 1e9;
