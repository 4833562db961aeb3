import {
  type AttemptStream,
  type GenerationHandle,
  InvalidInput,
  type Listener,
  type Policy,
  type PolicyInput,
  type Reading,
  type Receipt,
  type Sink,
  StreamGeneration,
  type StreamSetup,
  type TextOf,
} from "../kernel/index.ts";
import { failedResponse } from "./failed-response.ts";
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
  setupOf,
} from "./setup.ts";
import { joinLate, type Subscribe, subscriptionsOf } from "./subscriptions.ts";
import { textOf } from "./text-of.ts";

export interface StreamOptions<T> extends EngineOptions, GenerationOptions {
  /** A finished policy, or changes to the recommended one. Default: the recommended one. */
  readonly policy?: Policy | PolicyInput | undefined;
  /**
   * What an item means: content, the terminal marker, noise, an error. Default: every item is content and the end of the
   * iterable is a good end, so a truncated answer looks like a complete one.
   */
  readonly inspect?: ((item: T) => Reading) | undefined;
  /** Whether content that was given out can be taken back. Default `committed`: it can't. */
  readonly sink?: Sink<T> | undefined;
  /**
   * The text of an item, for required content; undefined: it has none. Default: found in the items that the SDKs' streams give, in
   * strings, `{ text }` and `{ content }`; a stream that has no such item is an error.
   */
  readonly textOf?: ((item: T) => TextOf) | undefined;
}

/** A generation that is read item by item. Reading starts it; leaving the loop cancels it. */
export interface GenerationStream<T> extends AsyncIterableIterator<T, undefined>, GenerationHandle {
  /** Receives the events from now on, and at once the wait that it is in. Returns a function that unsubscribes. */
  readonly subscribe: (listener: Listener) => () => void;
  /** What really happened so far; final once the stream has ended. */
  readonly receipt: Receipt;
}

const STREAM_FIELDS = [...ENGINE_FIELDS, ...GENERATION_FIELDS, "policy", "inspect", "sink", "textOf"];

/** Streams one call, with retries and fallbacks: the consumer reads one whole attempt, or gets an error. */
export function stream<T>(attempt: AttemptStream<T>, options: StreamOptions<T> = {}): GenerationStream<T> {
  checkFunction("attempt", attempt);
  checkOptions(options, STREAM_FIELDS);
  const { policy, ports, chain, health, listener, cancelGraceMs, isTimed } = setupOf(options.policy, options);
  // Field by field: spreading an object costs as much as all the rest of making a stream.
  const setup = {
    policy,
    ports,
    chain,
    health,
    listener,
    cancelGraceMs,
    isTimed,
    inspect: options.inspect,
    sink: options.sink === undefined ? "committed" : checkSink(options.sink),
    textOf: itemText(options.textOf) ?? textOf,
    toError,
    problemIn: failedResponse,
  };
  return new LibraryStream(setup, attempt, checkSignal(options.signal), checkId(options.id));
}

interface LibrarySetup<T> extends StreamSetup<T> {
  listener: Listener | undefined;
  /** Made when first asked for. */
  subscribe?: Subscribe;
}

/** Subscribing is on the prototype: a stream that nobody watches pays nothing for it. */
class LibraryStream<T> extends StreamGeneration<T> implements GenerationStream<T> {
  declare readonly setup: LibrarySetup<T>;

  /** Bound when asked for, so that it can be destructured. */
  get subscribe(): Subscribe {
    const { setup } = this;
    setup.subscribe ??= subscriptionsOf(setup, setup.listener);
    const { subscribe } = setup;
    return (listener) => joinLate(this, subscribe, listener);
  }
}

/** Most items of a stream have no text. */
function itemText<T>(own: StreamOptions<T>["textOf"]): ((item: T) => TextOf) | undefined {
  return own && ((item) => own(item) ?? "");
}

function checkSink<T>(sink: Sink<T>): Sink<T> {
  if (sink === "committed" || sink === "buffered") return sink;
  if (typeof sink === "object" && sink !== null && typeof sink.retractable === "function") return sink;
  throw new InvalidInput("options.sink", sink, '"committed", "buffered" or { retractable: (discarded) => marker }');
}
