import type { LanguageModelV3, LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { streamText } from "ai";
import { createRetryableModel, error } from "ai-retry/language-model";
import { resilientModel } from "secondwind/ai-sdk";
import { BARE, type Figures } from "./ai-sdk.ts";
import { interleaved } from "./measure.ts";

// One process of `bench/ai-sdk.ts`: prints its figures as JSON.

const USED = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};
const DONE = { unified: "stop", raw: "stop" } as const;
const ANSWER: LanguageModelV3GenerateResult = {
  content: [{ type: "text", text: "answer" }],
  finishReason: DONE,
  usage: USED,
  warnings: [],
};
const PARTS: readonly LanguageModelV3StreamPart[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "0" },
  ...Array.from({ length: 20 }, (_, index) => ({ type: "text-delta" as const, id: "0", delta: `token ${index}` })),
  { type: "text-end", id: "0" },
  { type: "finish", finishReason: DONE, usage: USED },
];

/** A model that does nothing. `looks`: it asks for its signal, as one that makes requests does. */
function noModel(looks: boolean): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider: "none",
    modelId: "none",
    supportedUrls: {},
    doGenerate: async (options) => {
      if (looks) void options.abortSignal?.aborted;
      return ANSWER;
    },
    doStream: async (options) => {
      if (looks) void options.abortSignal?.aborted;
      return { stream: streamed() };
    },
  };
}

/** One part for each that is asked for, as a provider's stream has them. */
function streamed(): ReadableStream<LanguageModelV3StreamPart> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const part = PARTS[at++];
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}

const CALL = { prompt: [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }] };

async function drain({ stream }: { readonly stream: ReadableStream<LanguageModelV3StreamPart> }): Promise<number> {
  const reader = stream.getReader();
  let count = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) count++;
  if (count !== PARTS.length) throw new Error(`${count} parts instead of ${PARTS.length}`);
  return count;
}

/** As most programs read it: the SDK pipes the stream through several of its own. */
async function readText(model: LanguageModelV3): Promise<number> {
  let count = 0;
  for await (const _ of streamText({ model, prompt: "hi", maxRetries: 0 }).textStream) count++;
  if (count !== 20) throw new Error(`${count} tokens instead of 20`);
  return count;
}

/** Its best settings: one condition, no telemetry, no callbacks. */
const peer = (model: LanguageModelV3): LanguageModelV3 =>
  createRetryableModel({ model, retries: [error.isRetryable(true).retry({ delay: 1000, backoffFactor: 2 })] });

/** The least that any wrapper adds which returns a stream of its own. */
const hop = (model: LanguageModelV3): LanguageModelV3 => ({
  ...model,
  doStream: async (options) => {
    const reader = (await model.doStream(options)).stream.getReader();
    const pull = (controller: ReadableStreamDefaultController<LanguageModelV3StreamPart>): void => {
      reader.read().then(({ done, value }) => (done ? controller.close() : controller.enqueue(value)));
    };
    return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) };
  },
});

const QUIET: ReadonlyMap<string, LanguageModelV3> = new Map([
  [BARE, noModel(false)],
  ["secondwind", resilientModel(noModel(false))],
  ["ai-retry", peer(noModel(false))],
  ["a stream in between", hop(noModel(false))],
]);
/** Apart, because the garbage of signals weighs on all who run beside them. */
const LOOKING: ReadonlyMap<string, LanguageModelV3> = new Map([
  [BARE, noModel(true)],
  ["secondwind, with its signal", resilientModel(noModel(true))],
]);

type Operate = (model: LanguageModelV3) => Promise<unknown>;

/** Microseconds of CPU that the bare model takes, and that each wrapper adds. */
async function added(operate: Operate, rounds: number): Promise<Figures> {
  const figures: Figures = {};
  for (const models of [QUIET, LOOKING]) {
    const entries = new Map([...models].map(([name, model]) => [name, () => operate(model)]));
    const perCall = await interleaved(entries, rounds, () => undefined);
    const floor = perCall.get(BARE) ?? Number.NaN;
    figures[BARE] ??= floor / 1000;
    for (const [name, ns] of perCall) if (name !== BARE) figures[name] = (ns - floor) / 1000;
  }
  return figures;
}

const rounds = Number(process.argv[2]);
const generate = await added((model) => Promise.resolve(model.doGenerate(CALL)), rounds);
const stream = await added(async (model) => drain(await model.doStream(CALL)), rounds);
const text = await added(readText, rounds);
console.log(JSON.stringify({ generate, stream, text }));
