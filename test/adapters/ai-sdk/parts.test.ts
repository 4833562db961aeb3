import { describe, expect, test } from "vitest";
import { receiptIn, receiptOf, resilientModel, SecondwindError } from "../../../src/adapters/ai-sdk/index.ts";
import { CUT, finish, type Part, partsOf, START, says, scripted, USAGE } from "./scripted-model.ts";
import { CALL, find, gather, QUICK, rejection } from "./support.ts";

const CALLS: Part = { type: "tool-call", toolCallId: "1", toolName: "get_weather", input: '{"city":"Oslo"}' };
const INPUT: Part[] = [
  { type: "tool-input-start", id: "1", toolName: "get_weather" },
  { type: "tool-input-delta", id: "1", delta: '{"city":"Oslo"}' },
  { type: "tool-input-end", id: "1" },
];

const streaming = (...streams: readonly (readonly Part[])[]) => {
  const model = scripted({ stream: streams.map((parts) => () => partsOf(parts)) });
  return { model, stream: () => resilientModel(model, QUICK).doStream(CALL) };
};

describe("the parts of a stream", () => {
  test("E15b: whatever comes after the finish is ignored, and the stream ends though the provider stays open", async () => {
    const model = scripted({ stream: [() => partsOf([START, says("a"), finish(), says("b")], true)] });
    const answer = await gather((await resilientModel(model, QUICK).doStream(CALL)).stream);
    expect(answer.parts.map(({ type }) => type)).toEqual(["stream-start", "text-delta", "finish"]);
  });

  test("E15b: a tool call is given out only with a proper finish, in its order", async () => {
    const { stream } = streaming([START, ...INPUT, CALLS, says("after"), finish("tool-calls")]);
    const reader = (await stream()).stream.getReader();
    const types: string[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) types.push(next.value.type);
    expect(types).toEqual(["stream-start", ...INPUT.map(({ type }) => type), "tool-call", "text-delta", "finish"]);
    const cut = await gather((await streaming([START, ...INPUT, CALLS, CUT]).stream()).stream);
    expect(cut.types).toEqual(["stream-start", "tool-input-start", "tool-input-delta", "tool-input-end", "error"]);
  });

  test("E15b: a tool call whose arguments are no JSON object is not given out", async () => {
    for (const input of ['{"city":"Os', "3", "[1]"]) {
      const broken = streaming(
        [START, { ...CALLS, input }, finish("tool-calls")],
        [START, CALLS, finish("tool-calls")],
      );
      const answer = await gather((await broken.stream()).stream);
      expect(find(answer, "tool-call").input).toBe(CALLS.input);
      expect(broken.model.calls).toHaveLength(2);
    }
  });

  test("E14: parts of a tool's arguments are content: nothing is retried after them", async () => {
    const { model, stream } = streaming([START, INPUT[0] as Part, { type: "error", error: new Error("overloaded") }]);
    const answer = await gather((await stream()).stream);
    expect(answer.types).toEqual(["stream-start", "tool-input-start", "error"]);
    expect(model.calls).toHaveLength(1);
  });

  test("E14: reasoning is content", async () => {
    const thought: Part = { type: "reasoning-delta", id: "0", delta: "hm" };
    const { model, stream } = streaming([START, thought, CUT]);
    const answer = await gather((await stream()).stream);
    expect(answer.types).toEqual(["stream-start", "reasoning-delta", "error"]);
    expect(model.calls).toHaveLength(1);
  });

  test("E15b: an answer of nothing but sealed reasoning is no empty answer", async () => {
    const sealed: Part = { type: "reasoning-end", id: "0", providerMetadata: { anthropic: { redactedData: "…" } } };
    const { model, stream } = streaming([START, { type: "reasoning-start", id: "0" }, sealed, finish()]);
    expect((await gather((await stream()).stream)).types).toContain("finish");
    expect(model.calls).toHaveLength(1);
  });

  test("E14: opening parts, empty deltas and raw chunks are no content", async () => {
    const noise: Part[] = [START, { type: "response-metadata", id: "x" }, { type: "raw", rawValue: 1 }, says("")];
    const { model, stream } = streaming([...noise, CUT], [START, says("good"), finish()]);
    const answer = await gather((await stream()).stream);
    expect(answer.parts.map(({ type }) => type)).toEqual(["stream-start", "text-delta", "finish"]);
    expect(model.calls).toHaveLength(2);
  });

  test("E15b: an answer that a limit or a filter has cut before its first word is an answer", async () => {
    const { model, stream } = streaming([START, finish("length")]);
    expect((await gather((await stream()).stream)).types).toEqual(["stream-start", "finish"]);
    expect(model.calls).toHaveLength(1);
  });

  test("E15b: a finish that reports an error of the model is a failure", async () => {
    const failed: Part = { type: "finish", usage: USAGE, finishReason: { unified: "error", raw: "server_error" } };
    const { model, stream } = streaming([START, failed], [START, says("good"), finish()]);
    expect((await gather((await stream()).stream)).text).toBe("good");
    expect(model.calls).toHaveLength(2);
  });

  test("B4: the finish has the final receipt, beside the provider's own metadata", async () => {
    const own = { ...finish(), providerMetadata: { acme: { cached: true } } };
    const { stream } = streaming([START, says("a"), own]);
    const { providerMetadata } = find(await gather((await stream()).stream), "finish");
    expect(providerMetadata?.acme).toEqual({ cached: true });
    const receipt = receiptIn(providerMetadata);
    expect(receipt).toMatchObject({ complete: true, truncated: false, outcome: "succeeded", attempts: 1, waitedMs: 0 });
    expect(receipt?.targets).toEqual([{ provider: "scripted", model: "m", credential: "" }]);
    expect(JSON.parse(JSON.stringify(providerMetadata))).toEqual(providerMetadata);
  });

  test("B4: a stream that fails before content rejects with the error that has the receipt", async () => {
    const thrown = new Error("Invalid API key");
    const refused = scripted({ stream: [() => Promise.reject(Object.assign(thrown, { statusCode: 401 }))] });
    const error = await rejection(resilientModel(refused, QUICK).doStream(CALL));
    expect(error).toBe(thrown);
    expect(receiptOf(error)).toMatchObject({ complete: false, truncated: false, attempts: 1 });
    const broken = await rejection(streaming([START, CUT]).stream());
    expect(broken).toBeInstanceOf(SecondwindError);
    expect(broken).toMatchObject({ attempts: 4, reason: "retries-exhausted", cause: undefined });
  });

  test("E14: the result's request and response are those of the attempt that answers", async () => {
    const model = scripted({ stream: [() => partsOf([START]), () => partsOf([START, says("a"), finish()])] });
    let calls = 0;
    const doStream: typeof model.doStream = async (options) => {
      const { stream } = await model.doStream(options);
      return { stream, request: { body: ++calls }, response: { headers: { "x-call": String(calls) } } };
    };
    const result = await resilientModel({ ...model, doStream }, QUICK).doStream(CALL);
    expect(result).toMatchObject({ request: { body: 2 }, response: { headers: { "x-call": "2" } } });
  });

  test("E15: a stream that was given up and opens late does not disturb the one that answers", async () => {
    const later = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(() => resolve(value), ms));
    const left: unknown[] = [];
    const late = new ReadableStream<Part>({ cancel: (reason) => void left.push(reason) });
    const slow = new ReadableStream<Part>({
      async start(controller) {
        controller.enqueue(says("good"));
        controller.enqueue(await later(400, finish()));
        controller.close();
      },
    });
    const model = scripted({ stream: [() => later(250, late), () => slow] });
    const policy = { ...QUICK, watchdog: { firstContentMs: 1, idleMs: 5000 } };
    const answer = await gather((await resilientModel(model, policy).doStream(CALL)).stream);
    expect(answer.types).toEqual(["text-delta", "finish"]);
    expect(left).toHaveLength(1);
  });

  test("E14: a long answer after a tool call is given out whole", async () => {
    const long = Array.from({ length: 20_000 }, () => says("x"));
    const { stream } = streaming([START, CALLS, ...long, finish("tool-calls")]);
    expect((await gather((await stream()).stream)).text).toHaveLength(20_000);
  });
});
