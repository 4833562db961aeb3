import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from "@ai-sdk/provider";
import { type AttemptContext, FlowingGeneration, type StreamSetup, type TextOf } from "../../kernel/index.ts";
import { directStream } from "../../library/direct-stream/index.ts";
import { AnswerRelay } from "./answer-relay.ts";
import { attemptOptions, generationId } from "./attempt-options.ts";
import type { Chained } from "./door.ts";
import { finalError } from "./final-error.ts";
import { PartSource } from "./part-source.ts";

type Part = LanguageModelV3StreamPart;
type Stream = (options: LanguageModelV3CallOptions) => Promise<LanguageModelV3StreamResult>;

/** With the events behind the parts: see `WireEvents`. */
const WITH_EVENTS = { includeRawChunks: true };

/**
 * `doStream` of a chain of models. Resolves when the first content is there, so that a failure before it rejects, as it does with
 * the provider's own model, and `request` and `response` are those of the attempt that answers.
 */
export function answerStreamer(chained: Chained<LanguageModelV3>): Stream {
  const { modelAt, primary, setup: shared } = chained;
  const { ports, policy } = shared;
  const setup: StreamSetup<Part> = shared.for({
    inspect: "by-source" as const,
    sink: policy.policy.require === null ? ("committed" as const) : ("buffered" as const),
    textOf,
    toError: finalError,
  });
  return (options) => {
    const relay = new AnswerRelay(options);
    let current: AttemptContext | undefined;
    const open = (context: AttemptContext): PromiseLike<PartSource> => {
      current = context;
      const asked = attemptOptions(options, context, primary.provider, WITH_EVENTS);
      return modelAt(context.target)
        .doStream(asked)
        .then((result) => {
          const source = new PartSource(result.stream, ports, options.prompt);
          // One that was given up may still open.
          if (current === context) {
            relay.result = result;
            relay.source = source;
          }
          return source;
        });
    };
    const generation = new FlowingGeneration<Part>(
      setup,
      open,
      options.abortSignal ?? undefined,
      generationId(options),
    );
    relay.generation = generation;
    return generation.next().then((first) => {
      relay.first = first as IteratorYieldResult<Part>;
      const stream = directStream(relay);
      // The provider's other fields, with our stream in the place of its own.
      return Object.assign({ stream }, relay.result, { stream });
    });
  };
}

/** A step that calls tools is not the finished answer, and needs no required content. */
function textOf(part: Part): TextOf {
  if (part.type === "text-delta") return part.delta;
  return part.type === "finish" && part.finishReason.unified === "tool-calls" ? true : "";
}
