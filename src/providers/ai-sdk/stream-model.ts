import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { problemIn } from "../../adapters/ai-sdk/stream-fault.ts";
import { fairTurn } from "../../system/fair-turn.ts";
import { Waker } from "../line/waker.ts";
import type { ProviderEvent } from "../provider.ts";
import { type ProblemSource, toProviderError } from "../provider-problem.ts";
import { AnswerReader } from "./answer-reader.ts";

/** A request to a model of the AI SDK. */
interface ModelRequest extends ProblemSource {
  /** The model, over a line that reports keep-alives. */
  readonly open: (onKeepAlive: () => void) => Promise<LanguageModelV3>;
  readonly options: LanguageModelV3CallOptions;
}

/** Makes the call and yields its events until it has ended, failed or was aborted. Never throws. */
export async function* streamModel(call: ModelRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent, undefined> {
  if (signal.aborted) return;
  const waker = new Waker();
  const controller = new AbortController();
  const leave = (): void => {
    controller.abort(signal.reason);
    waker.wake("aborted");
  };
  signal.addEventListener("abort", leave, { once: true });
  const parts = partsOf(call, waker, controller.signal);
  let last: ProviderEvent | undefined;
  try {
    for await (const event of read(call, parts, waker, controller.signal)) {
      last = event;
      yield event;
    }
  } finally {
    signal.removeEventListener("abort", leave);
    // An early exit leaves no socket behind. After a good end it may serve the next request, which saves a handshake.
    if (last?.type === "finish" && !signal.aborted) void letEnd(parts, controller);
    else controller.abort();
  }
}

const MOST_GOODBYE_MS = 1000;

/** The terminal marker was seen, the end of the body not yet. It is due at once; a server that holds on to it is left. */
async function letEnd(parts: Parts, controller: AbortController): Promise<void> {
  const timer = setTimeout(() => controller.abort(), MOST_GOODBYE_MS);
  timer.unref();
  for (let next = await step(parts); "part" in next && next.part !== undefined; ) next = await step(parts);
  clearTimeout(timer);
  controller.abort();
}

type Parts = AsyncGenerator<LanguageModelV3StreamPart>;
type Step = { readonly part: LanguageModelV3StreamPart | undefined } | { readonly problem: unknown };

async function* read(
  call: ModelRequest,
  parts: Parts,
  waker: Waker,
  signal: AbortSignal,
): AsyncGenerator<ProviderEvent, undefined> {
  const answer = new AnswerReader(call, call.options.prompt);
  const eventsOf = (next: Step): readonly ProviderEvent[] => {
    if ("problem" in next) return [toProviderError(problemIn(next.problem), call)];
    return next.part === undefined ? [answer.end()] : answer.read(next.part);
  };
  let pending = step(parts);
  for (;;) {
    const next = await waker.race(pending);
    if (next === "aborted" || signal.aborted) return;
    if (next === "keep-alive") {
      yield { type: "alive" };
      continue;
    }
    for (const event of eventsOf(next)) {
      yield event;
      if (signal.aborted || event.type === "error" || event.type === "finish") return;
    }
    pending = step(parts);
  }
}

async function* partsOf(call: ModelRequest, waker: Waker, signal: AbortSignal): Parts {
  await fairTurn.take("start");
  const model = await call.open(() => waker.wake("keep-alive"));
  const { stream } = await model.doStream({ ...call.options, abortSignal: signal });
  yield* stream as unknown as AsyncIterable<LanguageModelV3StreamPart>;
}

/** A fault is a value here: a read that is left behind by an abort must not become an unhandled rejection. */
async function step(parts: Parts): Promise<Step> {
  try {
    const { value, done } = await parts.next();
    return { part: done === true ? undefined : value };
  } catch (problem) {
    return { problem };
  }
}
