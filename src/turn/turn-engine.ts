import type { Health, Listener, Policy, TargetEntry } from "../kernel/index.ts";
import type { Provider } from "../providers/provider.ts";
import type { Usage } from "../wire/message.ts";

/** Writes down one generation of a turn: a step, or a model call inside a tool call. */
export interface StepWatch {
  /** Hears the engine's events of this generation. */
  readonly on: Listener;
  /** The first content was given out. */
  content(): void;
  usage(usage: Usage): void;
}

/** Runs the steps of a turn with a policy of the engine, on every credential and model of a chain, instead of a `RetryStrategy`. */
export interface TurnEngine {
  /**
   * Its rules decide what is retried. Nothing is retried after content, whatever `afterContent` is. With `require`, an answer is
   * held back until it has passed the check.
   */
  readonly policy: Policy;
  /** The fallback chain, with the model of the turn first. */
  readonly targets: readonly TargetEntry[];
  readonly providerOf: (name: string) => Provider | undefined;
  /** Shared with other turns. Default: a new one for each step. */
  readonly health?: Health;
  /** Called for each generation before it starts. `toolCallId`: it is a model call inside a tool call. */
  readonly watch?: (toolCallId?: string) => StepWatch;
}
