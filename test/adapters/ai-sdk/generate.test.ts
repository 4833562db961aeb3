import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { APICallError } from "ai";
import { describe, expect, test } from "vitest";
import { receiptIn, receiptOf, resilientModel, SecondwindError } from "../../../src/adapters/ai-sdk/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { answer, scripted } from "./scripted-model.ts";
import { CALL, MAKERS, QUICK, rejection } from "./support.ts";

const world = useSimulator();
const good = () => answer("good");
const like = (changes: Partial<LanguageModelV3GenerateResult>) => () => ({ ...answer("half"), ...changes });
const call = (input: string) => ({ type: "tool-call" as const, toolCallId: "1", toolName: "t", input });
const ended = (unified: "stop" | "other" | "error" | "tool-calls" | "length", raw: string | undefined) => ({
  finishReason: { unified, raw },
});

describe("doGenerate", () => {
  test.each([
    ["no finish reason", like(ended("other", undefined)), "stream_broken"],
    ["no content", like({ content: [] }), "stream_broken"],
    ["an empty text", like({ content: [{ type: "text", text: "" }] }), "stream_broken"],
    ["an error as its finish reason", like(ended("error", "server_error")), "server"],
    ["the bare word for an error as its finish reason", like(ended("other", "error")), "server"],
    ["half a tool call", like({ content: [call('{"a":')], ...ended("tool-calls", "tool_calls") }), "invalid_content"],
  ])("E15b: an answer with %s is tried again", async (_what, half, kind) => {
    const model = scripted({ generate: [half, good] });
    const { content, providerMetadata } = await resilientModel(model, QUICK).doGenerate(CALL);
    expect(content).toEqual(answer("good").content);
    expect(receiptIn(providerMetadata)).toMatchObject({ attempts: 2, history: [{ kind }, { attempt: 2 }] });
  });

  test.each([
    ["a limit has cut before its first word", like({ content: [], ...ended("length", "length") })],
    ["the provider has ended in its own way", like(ended("other", "pause_turn"))],
    ["calls a tool without arguments", like({ content: [call("")], ...ended("tool-calls", "tool_calls") })],
    ["is sealed reasoning", like({ content: [{ type: "reasoning", text: "", providerMetadata: { a: { b: 1 } } }] })],
  ])("E15b: an answer that %s is an answer", async (_what, whole) => {
    const model = scripted({ generate: [whole] });
    await resilientModel(model, QUICK).doGenerate(CALL);
    expect(model.calls).toHaveLength(1);
  });

  test("E16: a required text is looked for in the text alone, and not in a step that calls tools", async () => {
    const policy = { ...QUICK, require: { text: "good" } };
    const thinks = like({
      content: [
        { type: "reasoning", text: "good" },
        { type: "text", text: "bad" },
      ],
    });
    const model = scripted({ generate: [thinks, good] });
    await resilientModel(model, policy).doGenerate(CALL);
    expect(model.calls).toHaveLength(2);
    const calls = scripted({ generate: [like({ content: [call("{}")], ...ended("tool-calls", "tool_calls") })] });
    await resilientModel(calls, policy).doGenerate(CALL);
    expect(calls.calls).toHaveLength(1);
  });

  test("E16: a required pattern is checked without hanging", async () => {
    const model = scripted({ generate: [() => answer("no digits"), () => answer("42")] });
    await resilientModel(model, { ...QUICK, require: { pattern: "^\\d+$" } }).doGenerate(CALL);
    expect(model.calls).toHaveLength(2);
  });

  test("B4: the result has the receipt beside the provider's own metadata, and the provider's object is left alone", async () => {
    const given = { ...answer("good"), providerMetadata: { acme: { cached: true } } };
    const { providerMetadata, ...rest } = await resilientModel(scripted({ generate: [() => given] })).doGenerate(CALL);
    expect(rest).toEqual(answer("good"));
    expect(providerMetadata?.acme).toEqual({ cached: true });
    expect(JSON.parse(JSON.stringify(providerMetadata))).toEqual(providerMetadata);
    expect(given.providerMetadata).toEqual({ acme: { cached: true } });
    const receipt = receiptIn(providerMetadata);
    expect(receipt).toMatchObject({ complete: true, outcome: "succeeded", attempts: 1, waitedMs: 0, warnings: [] });
    expect(receipt?.elapsedMs).toBeGreaterThanOrEqual(0);
  });

  test("E15: the time limit cancels a call that does not answer", async () => {
    const hangs = ({ abortSignal }: { readonly abortSignal?: AbortSignal }) =>
      new Promise<never>((_, reject) => abortSignal?.addEventListener("abort", () => reject(abortSignal.reason)));
    const model = scripted({ generate: [hangs, good] });
    const { providerMetadata } = await resilientModel(model, { ...QUICK, watchdog: { firstContentMs: 20 } }).doGenerate(
      CALL,
    );
    expect(receiptIn(providerMetadata)?.history[0]?.kind).toBe("silent");
    expect(model.calls[0]?.abortSignal?.aborted).toBe(true);
    expect(model.calls[1]?.abortSignal?.aborted).toBe(false);
  });

  test("E14: the model gets the caller's options, with a signal of the attempt that can be copied and replaced", async () => {
    const model = scripted({ generate: [good] });
    const { signal } = new AbortController();
    await resilientModel(model).doGenerate({ ...CALL, temperature: 0.5, abortSignal: signal });
    const [given] = model.calls;
    expect(given).toMatchObject({ prompt: CALL.prompt, temperature: 0.5 });
    expect({ ...given }.abortSignal).toBeInstanceOf(AbortSignal);
    expect(given?.abortSignal).not.toBe(signal);
    expect(JSON.stringify(given)).toBe(JSON.stringify({ abortSignal: {}, ...CALL, temperature: 0.5 }));
    if (given !== undefined) given.abortSignal = signal;
    expect(given?.abortSignal).toBe(signal);
  });
});

describe.each(MAKERS)("doGenerate of %s", (_name, make) => {
  test("B3: an error that was not tried again is the provider's own, and says that it is final", async () => {
    const error = await rejection(resilientModel(make(world.sim, "bad-request"), QUICK).doGenerate(CALL));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 400, isRetryable: false });
    expect(receiptOf(error)).toMatchObject({ attempts: 1 });
    expect(world.sim.requests).toHaveLength(1);
  });

  test("E15b: a 200 that is no answer is tried again", async () => {
    for (const fault of ["fault-16-200@1", "fault-17@1", "fault-18@1"]) {
      world.sim.reset();
      const { providerMetadata } = await resilientModel(make(world.sim, fault), QUICK).doGenerate(CALL);
      expect(receiptIn(providerMetadata), fault).toMatchObject({ attempts: 2, complete: true });
      expect(world.sim.requests, fault).toHaveLength(2);
    }
  });

  test("B4: after retries the error has reason, attempts and the last cause", async () => {
    const error = await rejection(resilientModel(make(world.sim, "down"), QUICK).doGenerate(CALL));
    expect(error).toBeInstanceOf(SecondwindError);
    expect(error).toMatchObject({ attempts: 4, cause: { statusCode: 503 }, receipt: { complete: false } });
  });
});
