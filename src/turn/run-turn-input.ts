import type { Ports } from "../kernel/index.ts";
import type { Provider } from "../providers/provider.ts";
import type { Message } from "../wire/message.ts";
import type { AgentEvent, TurnStatus } from "../wire/turn-event.ts";
import type { RetryStrategy } from "./retry-strategy.ts";
import type { Tool } from "./tool.ts";
import type { TurnEngine } from "./turn-engine.ts";

export interface RunTurnInput {
  readonly conversationId: string;
  readonly turnId: string;
  /** The user's message. Absent: the turn answers what the history ends with. */
  readonly message?: string;
  /** What was said before. */
  readonly history?: readonly Message[];
  readonly provider: Provider;
  /** The model's name at its provider. */
  readonly model: string;
  readonly credential?: string;
  readonly system?: string;
  readonly maxTokens?: number;
  readonly tools?: readonly Tool[];
  /** Default: a step that fails ends the turn. */
  readonly retry?: RetryStrategy;
  /** Instead of `retry` and `credential`: any policy, several credentials, a fallback chain, shared health. */
  readonly engine?: TurnEngine;
  /** Ends the turn at once, whatever it is doing. */
  readonly signal?: AbortSignal | undefined;
  /** Hears every event, in order. What it throws is reported, never felt. */
  readonly emit: (event: AgentEvent) => void;
  /**
   * Called with each message that the turn adds after the user's own, as soon as it is complete, and awaited before the next step.
   * Returns the message as the model is told of it. If it rejects, the turn ends as an error.
   */
  readonly record?: (message: Message) => Promise<Message>;
  /** Asked between steps: what the user has said meanwhile. */
  readonly takeSteering?: () => readonly string[];
  /** More steps than this end the turn as an error: a model may go round in a circle. Default 100. */
  readonly maxSteps?: number;
  readonly ports?: Ports;
}

export interface TurnResult {
  readonly status: TurnStatus;
  /** What the turn adds to the conversation, the user's message first, if there was one. An answer that broke off has its stop reason. */
  readonly messages: readonly Message[];
  /** The endpoint's words, when the status is `error`. */
  readonly error?: string;
}
