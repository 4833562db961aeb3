import type { Sampling } from "../../../providers/provider.ts";
import type { Message } from "../../../wire/message.ts";

/** What is returned with the result, as given. */
export type LineId = string | number;

/** What a line asks for. */
export interface LineRequest {
  /** `provider/model`. Default: the model of the run. */
  readonly model?: string;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly maxTokens?: number;
  readonly reasoning?: "low" | "medium" | "high";
  readonly sampling?: Sampling;
  readonly json?: { readonly schema?: Readonly<Record<string, unknown>>; readonly name?: string };
}

/** A line of the input, 1-based. */
export interface BatchLine {
  readonly number: number;
  readonly id: LineId;
  /** Names the content of the line, so that a change is noticed. */
  readonly hash: string;
  readonly request: LineRequest;
}

/** A line that can't be asked. Its result is this error. */
export interface BadLine {
  readonly number: number;
  readonly id: LineId;
  readonly hash: string;
  /** With the line, the field, the value and what is allowed. */
  readonly error: string;
}

export function isBad(line: BatchLine | BadLine): line is BadLine {
  return "error" in line;
}
