import { streamText } from "ai";
import { describe, expect, test } from "vitest";
import { receiptOf, resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import { useSimulator } from "../../simulator/http/support.ts";
import { until } from "../../support/until.ts";
import { answer, finish, partsOf, START, says, scripted } from "./scripted-model.ts";
import { anthropic, CALL, gather, MAKERS, QUICK, rejection } from "./support.ts";

const world = useSimulator();
const SLOW = { schedules: { general: { type: "fixed", delayMs: 60_000, atMost: 3 } } } as const;
const overloaded = (): never => {
  throw Object.assign(new Error("overloaded"), { statusCode: 529 });
};

describe("abort", () => {
  test("E14: ends a wait at once, with the signal's own reason", async () => {
    const controller = new AbortController();
    const model = scripted({ generate: [overloaded] });
    const resilient = resilientModel(model, SLOW);
    const waits: unknown[] = [];
    resilient.subscribe((event) => event.type === "wait-start" && waits.push(event));
    const call = rejection(resilient.doGenerate({ ...CALL, abortSignal: controller.signal }));
    await until(() => waits.length === 1);
    const reason = new Error("enough");
    controller.abort(reason);
    const error = await call;
    expect(error).toBe(reason);
    expect(receiptOf(error)).toMatchObject({ outcome: "aborted", attempts: 1 });
    expect(model.calls).toHaveLength(1);
  });

  test("E14: a signal that is aborted already makes no call", async () => {
    const model = scripted({ generate: [() => answer("a")], stream: [() => partsOf([START, says("a"), finish()])] });
    const options = { ...CALL, abortSignal: AbortSignal.abort() };
    expect(await rejection(resilientModel(model, QUICK).doGenerate(options))).toMatchObject({ name: "AbortError" });
    expect(await rejection(resilientModel(model, QUICK).doStream(options))).toMatchObject({ name: "AbortError" });
    expect(model.calls).toHaveLength(0);
  });

  test.each(MAKERS)("E14: %s: ends a stream at once and closes its connection", async (_name, make) => {
    const controller = new AbortController();
    const model = resilientModel(make(world.sim, "stall-2"), QUICK);
    const { stream } = await model.doStream({ ...CALL, abortSignal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    const { error, parts } = await gather(stream);
    expect(error).toBe(controller.signal.reason);
    expect(parts.length).toBeGreaterThan(0);
    await until(() => world.sim.requests[0]?.state === "client-left");
    expect(world.sim.requests).toHaveLength(1);
  });

  test("E14: a reader that leaves closes the connection", async () => {
    const { stream } = await resilientModel(anthropic(world.sim, "stall-2"), QUICK).doStream(CALL);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    await until(() => world.sim.requests[0]?.state === "client-left");
    expect(world.sim.requests).toHaveLength(1);
  });

  test("E14: streamText reports it as an abort, not as an error", async () => {
    const controller = new AbortController();
    const errors: unknown[] = [];
    const result = streamText({
      model: resilientModel(anthropic(world.sim, "stall-2"), QUICK),
      prompt: "echo: one two three four",
      abortSignal: controller.signal,
      onError: ({ error }) => void errors.push(error),
    });
    const types: string[] = [];
    for await (const part of result.fullStream) {
      types.push(part.type);
      if (part.type === "text-delta") controller.abort();
    }
    expect(types.at(-1)).toBe("abort");
    expect(errors).toEqual([]);
  });
});
