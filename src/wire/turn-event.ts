import type { Receipt } from "../kernel/index.ts";
import type { Usage } from "./message.ts";

/** What a turn emits, one JSON object each. Clients get the events unchanged. */

export interface InTurn {
  readonly conversationId: string;
  readonly turnId: string;
}

export interface TurnStartEvent extends InTurn {
  readonly type: "turn-start";
  /** `provider/model`. */
  readonly model: string;
}

export interface TurnUserMessageEvent extends InTurn {
  readonly type: "user-message";
  readonly content: string;
}

export interface TurnTextDeltaEvent extends InTurn {
  readonly type: "text-delta";
  readonly text: string;
}

export interface TurnReasoningDeltaEvent extends InTurn {
  readonly type: "reasoning-delta";
  readonly text: string;
}

export interface TurnToolCallEvent extends InTurn {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface TurnToolResultEvent extends InTurn {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
  readonly isError: boolean;
}

export interface TurnUsageEvent extends InTurn, Usage {
  readonly type: "usage";
}

export interface TurnStepCompleteEvent extends InTurn {
  readonly type: "step-complete";
  /** 1-based. */
  readonly step: number;
  readonly finishReason: "end" | "tool-use" | "length" | "content-filter";
  /** What the step's generation went through. */
  readonly receipt?: Receipt;
}

export interface TurnErrorEvent extends InTurn {
  readonly type: "error";
  /** The endpoint's error, verbatim. */
  readonly message: string;
  /** The HTTP status, or the provider's own code if there was none. */
  readonly code?: string;
  /** Absent: no generation failed, such as after too many steps. */
  readonly receipt?: Receipt;
}

/** Transient: clients show it while the turn waits. It never enters the model's history or the stored messages. */
export interface TurnProviderRetryEvent extends InTurn {
  readonly type: "provider-retry";
  /** 0-based number of this retry in its step. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The endpoint's error, verbatim. */
  readonly message: string;
  /** The HTTP status, or the provider's own code if there was none. */
  readonly code?: string;
  /** Epoch milliseconds, so that a page that joins late shows the right countdown. */
  readonly retryAt?: number;
  /** The tool call that waits. Absent: the turn itself. */
  readonly toolCallId?: string;
  /** The generation that waits: `POST /api/generations/:id/retry-now` ends the wait. */
  readonly generationId?: string;
  /** How many retries the schedule allows; null: no limit. */
  readonly maxRetries?: number | null;
}

export interface TurnDoneEvent extends InTurn {
  readonly type: "done";
}

export interface TurnSealedEvent extends InTurn {
  readonly type: "turn-sealed";
  readonly status: TurnStatus;
  /** Of the step that was aborted. */
  readonly receipt?: Receipt;
}

export interface TurnSteeringEvent extends InTurn {
  readonly type: "steering";
  readonly content: string;
}

export type TurnStatus = "done" | "error" | "aborted";

export type AgentEvent =
  | TurnStartEvent
  | TurnUserMessageEvent
  | TurnTextDeltaEvent
  | TurnReasoningDeltaEvent
  | TurnToolCallEvent
  | TurnToolResultEvent
  | TurnUsageEvent
  | TurnStepCompleteEvent
  | TurnErrorEvent
  | TurnProviderRetryEvent
  | TurnDoneEvent
  | TurnSealedEvent
  | TurnSteeringEvent;
