import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
} from "@ai-sdk/provider";

export const USAGE = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
};

export type Part = LanguageModelV3StreamPart;
/** What the model does when it is called: a result, or what it throws. */
export type Step<T> = (options: LanguageModelV3CallOptions) => T | Promise<T>;

export const START: Part = { type: "stream-start", warnings: [] };
export const finish = (unified: "stop" | "tool-calls" | "length" = "stop") =>
  ({ type: "finish", usage: USAGE, finishReason: { unified, raw: unified } }) as const satisfies Part;
/** How the AI SDK's providers report a stream that just ended. */
export const CUT: Part = { type: "finish", usage: USAGE, finishReason: { unified: "other", raw: undefined } };
export const says = (delta: string): Part => ({ type: "text-delta", id: "0", delta });

export const answer = (text: string): LanguageModelV3GenerateResult => ({
  content: [{ type: "text", text }],
  finishReason: { unified: "stop", raw: "stop" },
  usage: USAGE,
  warnings: [],
});

/** A stream of the given parts, which stays open after the last one if `isOpen`. */
export function partsOf(parts: readonly Part[], isOpen = false): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (!isOpen) controller.close();
    },
  });
}

/** A model that follows a script, one step for each call, the last one again and again. */
export function scripted(
  script: { generate?: readonly Step<LanguageModelV3GenerateResult>[]; stream?: readonly Step<ReadableStream<Part>>[] },
  name: { provider?: string; modelId?: string } = {},
): LanguageModelV3 & { readonly calls: LanguageModelV3CallOptions[] } {
  const calls: LanguageModelV3CallOptions[] = [];
  const play = async <T>(steps: readonly Step<T>[] = [], options: LanguageModelV3CallOptions): Promise<T> => {
    const step = steps[Math.min(calls.push(options), steps.length) - 1];
    if (step === undefined) throw new Error("The script is empty");
    return step(options);
  };
  return {
    specificationVersion: "v3",
    provider: name.provider ?? "scripted.chat",
    modelId: name.modelId ?? "m",
    supportedUrls: {},
    calls,
    doGenerate: (options) => play(script.generate, options),
    doStream: async (options) => ({ stream: await play(script.stream, options) }),
  };
}
