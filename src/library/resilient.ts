import {
  type AttemptCall,
  type AttemptContext,
  CallGeneration,
  type CallSetup,
  type Listener,
  type Policy,
  type PolicyInput,
  type TextOf,
} from "../kernel/index.ts";
import { toError } from "./secondwind-error.ts";
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
import { subscriptionsOf } from "./subscriptions.ts";
import { textOf } from "./text-of.ts";

/** Any function that makes a call. Its first argument is the attempt's context; the caller's arguments follow. */
export type Call<Args extends readonly unknown[], T> = (context: AttemptContext, ...args: Args) => T | PromiseLike<T>;

export interface ResilientOptions<T = unknown> extends EngineOptions {
  /**
   * The text of an answer, for required content. Default: found in answers of the OpenAI, Anthropic and Gemini SDKs and the AI SDK,
   * in strings, `{ text }` and `{ content }`. Return "" for an answer without text, `true` to accept one unchecked. Undefined is an
   * error: the requirement can't be checked.
   */
  readonly textOf?: ((value: T) => TextOf) | undefined;
  /** True: a `Response` that is not `ok` is a good answer. Default false: it is a failure with its status, headers and body. */
  readonly acceptErrorResponses?: boolean | undefined;
}

/** The wrapped call: same arguments, same answer, and the original error if nothing was retried. */
export interface Resilient<Args extends readonly unknown[], T> {
  (...args: Args): Promise<T>;
  /** The same call with a signal or an id. */
  with(options: GenerationOptions): (...args: Args) => Promise<T>;
  /** Receives the events of every generation from now on. Returns a function that unsubscribes. */
  subscribe(listener: Listener): () => void;
  readonly policy: Policy;
}

// One function that hands `resolve` out, instead of a closure for every call: nothing can come between the two lines.
let taken: (outcome: unknown) => void = () => undefined;
const takeResolve = (resolve: (outcome: unknown) => void): void => {
  taken = resolve;
};

const RESILIENT_FIELDS = [...ENGINE_FIELDS, "textOf", "acceptErrorResponses"];

/**
 * Wraps any call. All calls of one wrapper share breaker, cooldowns and retry budget; each call is one generation.
 *
 * ```ts
 * const ask = resilient(({ signal }, question: string) => client.ask(question, { signal }));
 * const answer = await ask("Why is the sky blue?");
 * ```
 */
export function resilient<Args extends readonly unknown[], T>(
  call: Call<Args, T>,
  policy?: Policy | PolicyInput,
  options: ResilientOptions<Awaited<T>> = {},
): Resilient<Args, Awaited<T>> {
  checkFunction("call", call);
  checkOptions(options, RESILIENT_FIELDS);
  const setup: { -readonly [K in keyof CallSetup]: CallSetup[K] } = {
    ...setupOf(policy, options),
    isTimed: false,
    textOf: ownText(options.textOf) ?? textOf,
    problemIn: problemsIn(options),
    present: (generation) => (generation.ok ? generation.value : Promise.reject(toError(generation))),
  };
  const launch = (attempt: AttemptCall<T>, signal: AbortSignal | undefined, id: string): Promise<Awaited<T>> => {
    const promise = new Promise<unknown>(takeResolve);
    new CallGeneration(setup, attempt, taken, signal, id).start();
    return promise as Promise<Awaited<T>>;
  };
  const bind = (args: Args): AttemptCall<T> =>
    args.length === 0 ? (call as unknown as AttemptCall<T>) : (context) => call(context, ...args);

  const subscribe = subscriptionsOf(setup, options.on);
  // Rest parameters would be an array for every call, and most have no argument that is not bound already.
  const plain = bind([] as unknown as Args);
  function wrapped(): Promise<Awaited<T>> {
    // biome-ignore lint/complexity/noArguments: see above
    const given = arguments;
    return launch(given.length === 0 ? plain : bind([...given] as unknown as Args), undefined, "");
  }
  return Object.assign(wrapped, {
    policy: setup.policy.policy,
    with(own: GenerationOptions) {
      checkOptions(own, GENERATION_FIELDS);
      const signal = checkSignal(own.signal);
      const id = checkId(own.id);
      return (...args: Args): Promise<Awaited<T>> => launch(bind(args), signal, id);
    },
    subscribe,
  });
}
