import type { LanguageModelV3, LanguageModelV3GenerateResult, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { streamText } from "ai";
import { createRetryableModel, error } from "ai-retry/language-model";
import { resilientModel } from "secondwind/ai-sdk";
import { interleaved } from "./measure.ts";

const USAGE = `Usage: npm run bench:ai-sdk -- [--rounds N]

What a wrapper adds to a model of the AI SDK that answers at once: CPU time, interleaved rounds, only the ratios mean anything.

  --rounds N   3 to 99 (default 11)

Exit code 1 if a figure that we promise is not reached.`;

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

const BARE = "bare model";
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

/** What a call takes without a wrapper, in microseconds. */
const bareUs = new Map<Operate, number>();

/** Microseconds of CPU that each wrapper adds. */
async function added(operate: Operate, rounds: number): Promise<ReadonlyMap<string, number>> {
  const figures = new Map<string, number>();
  for (const models of [QUIET, LOOKING]) {
    const entries = new Map([...models].map(([name, model]) => [name, () => operate(model)]));
    const perCall = await interleaved(entries, rounds, () => undefined);
    const floor = perCall.get(BARE) ?? Number.NaN;
    if (!bareUs.has(operate)) bareUs.set(operate, floor / 1000);
    for (const [name, ns] of perCall) if (name !== BARE) figures.set(name, (ns - floor) / 1000);
  }
  return figures;
}

function report(title: string, figures: ReadonlyMap<string, number>, atMost: number | undefined): boolean {
  const theirs = figures.get("ai-retry") ?? Number.NaN;
  console.log(title);
  for (const [name, us] of figures) {
    console.log(`  ${name.padEnd(30)}${us.toFixed(2).padStart(9)} µs  ${(us / theirs).toFixed(2)}×`);
  }
  if (atMost === undefined) return true;
  const isReached = (figures.get("secondwind") ?? Number.NaN) / theirs <= atMost;
  console.log(`  ${isReached ? "reached" : "MISSED"}: at most ${atMost}× ai-retry\n`);
  return isReached;
}

const args = process.argv.slice(2);
const rounds = args.length === 0 ? 11 : Number(args[1]);
if (args.length > 0 && (args[0] !== "--rounds" || args.length > 2 || !(rounds >= 3 && rounds <= 99))) {
  console.error(USAGE);
  process.exit(2);
}
const generate = await added((model) => Promise.resolve(model.doGenerate(CALL)), rounds);
const stream = await added(async (model) => drain(await model.doStream(CALL)), rounds);
const text = await added(readText, rounds);
const isGood = [
  report("doGenerate that succeeds: added CPU", generate, 0.25),
  report("doStream of 20 tokens, 24 parts, read by its reader: added CPU", stream, 0.25),
  // Not a promise: what the SDK itself does is hundreds of times as much, and its noise is larger than the wrappers.
  report("the same through streamText: added CPU", text, undefined),
].every(Boolean);
console.log(`  the whole call without a wrapper: ${(bareUs.get(readText) ?? Number.NaN).toFixed(0)} µs`);
process.exitCode = isGood ? 0 : 1;
