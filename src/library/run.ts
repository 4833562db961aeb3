import {
  type AttemptCall,
  CallGeneration,
  type CallSetup,
  type GenerationHandle,
  type Listener,
  type Policy,
  type PolicyInput,
  type Result,
  resultOf,
  type TextOf,
} from "../kernel/index.ts";
import {
  checkFunction,
  checkId,
  checkOptions,
  checkSignal,
  ENGINE_FIELDS,
  type EngineOptions,
  GENERATION_FIELDS,
  type GenerationOptions,
  ownText,
  problemsIn,
  setupOf,
} from "./setup.ts";
import { joinLate, type Subscribe, subscriptionsOf } from "./subscriptions.ts";
import { textOf } from "./text-of.ts";

export interface RunOptions<T = unknown> extends EngineOptions, GenerationOptions {
  /** A finished policy, or changes to the recommended one. Default: the recommended one. */
  readonly policy?: Policy | PolicyInput | undefined;
  /**
   * The text of an answer, for required content. Default: found in answers of the OpenAI, Anthropic and Gemini SDKs and the AI SDK,
   * in strings, `{ text }` and `{ content }`. Return "" for an answer without text, `true` to accept one unchecked. Undefined is an
   * error: the requirement can't be checked.
   */
  readonly textOf?: ((value: T) => TextOf) | undefined;
  /** True: a `Response` that is not `ok` is a good answer. Default false: it is a failure with its status, headers and body. */
  readonly acceptErrorResponses?: boolean | undefined;
}

/** A generation under way. */
export interface RunningGeneration<T> extends GenerationHandle {
  /** Receives the events from now on, and at once the wait that it is in. Returns a function that unsubscribes. */
  readonly subscribe: (listener: Listener) => () => void;
  readonly result: Promise<Result<T>>;
}

const RUN_FIELDS = [...ENGINE_FIELDS, ...GENERATION_FIELDS, "policy", "textOf", "acceptErrorResponses"];

/**
 * Runs one call, with retries and fallbacks: `{ ok: true, value, receipt }` or `{ ok: false, reason, failure, receipt }`.
 * Rejects only for invalid options.
 */
export async function run<T>(
  attempt: AttemptCall<T>,
  options: RunOptions<Awaited<T>> = {},
): Promise<Result<Awaited<T>>> {
  return start(attempt, options).result;
}

/** Like {@link run}, with a handle to end a wait early or to give up. */
export function start<T>(attempt: AttemptCall<T>, options: RunOptions<Awaited<T>> = {}): RunningGeneration<Awaited<T>> {
  checkFunction("attempt", attempt);
  checkOptions(options, RUN_FIELDS);
  const setup: { -readonly [K in keyof CallSetup]: CallSetup[K] } = {
    ...setupOf(options.policy, options),
    textOf: ownText(options.textOf) ?? textOf,
    problemIn: problemsIn(options),
    present: resultOf,
  };
  let settle: (outcome: unknown) => void = () => undefined;
  const result = new Promise<Result<Awaited<T>>>((resolve) => {
    settle = resolve as (outcome: unknown) => void;
  });
  const generation = new CallGeneration(setup, attempt, settle, checkSignal(options.signal), checkId(options.id));
  generation.start();
  let subscribe: Subscribe | undefined;
  return {
    result,
    get id() {
      return generation.id;
    },
    get isWaiting() {
      return generation.isWaiting;
    },
    retryNow: () => generation.retryNow(),
    giveUp: () => generation.giveUp(),
    subscribe(listener) {
      subscribe ??= subscriptionsOf(setup, options.on);
      return joinLate(generation, subscribe, listener);
    },
  };
}
