import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import { type AttemptContext, StreamGeneration, type StreamSetup, type TextOf } from "../../kernel/index.ts";
import { AnswerRelay } from "./answer-relay.ts";
import { attemptOptions, generationId } from "./attempt-options.ts";
import type { Chained } from "./door.ts";
import { finalError } from "./final-error.ts";
import { PartSource } from "./part-source.ts";

type Part = LanguageModelV3StreamPart;
type Opened = { readonly result: LanguageModelV3StreamResult; readonly source: PartSource };

/**
 * `doStream` of a chain of models. Resolves when the first content is there, so that a failure before it rejects, as it does with
 * the provider's own model, and `request` and `response` are those of the attempt that answers.
 */
export function streamAnswer(
  chained: Chained<LanguageModelV3>,
  options: LanguageModelV3CallOptions,
): Promise<LanguageModelV3StreamResult> {
  const { modelAt, primary } = chained;
  const wantsEvents = options.includeRawChunks === true;
  // With the events behind the parts: see `WireEvents`.
  const asked = { ...options, includeRawChunks: true };
  const { policy, ports, chain, health, listener, cancelGraceMs, isTimed, problemOf } = chained.setup;
  let opened: Opened | undefined;
  let current: AttemptContext | undefined;
  const open = (context: AttemptContext): PromiseLike<PartSource> => {
    current = context;
    const answer = modelAt(context.target).doStream(attemptOptions(asked, context, primary.provider));
    return answer.then((result) => {
      const source = new PartSource(result.stream, ports);
      // One that was given up may still open.
      if (current === context) opened = { result, source };
      return source;
    });
  };
  const setup: StreamSetup<Part> = {
    policy,
    ports,
    chain,
    health,
    listener,
    cancelGraceMs,
    isTimed,
    problemOf,
    inspect: (part) => opened?.source.inspect(part) ?? "noise",
    sink: policy.policy.require === null ? "committed" : "buffered",
    textOf,
    toError: finalError,
  };
  const generation = new StreamGeneration<Part>(setup, open, options.abortSignal ?? undefined, generationId(options));
  return generation.next().then((first) => {
    const show = (part: Part): Part | undefined =>
      part.type === "raw" && !wantsEvents ? undefined : opened?.source.show(part);
    const relay = new AnswerRelay(generation, first.value as Part, show);
    const stream = new ReadableStream<Part>(relay, { highWaterMark: 0 });
    // The provider's other fields, with our stream in the place of its own.
    return Object.assign({ stream }, opened?.result, { stream });
  });
}

/** A step that calls tools is not the finished answer, and needs no required content. */
function textOf(part: Part): TextOf {
  if (part.type === "text-delta") return part.delta;
  return part.type === "finish" && part.finishReason.unified === "tool-calls" ? true : "";
}
