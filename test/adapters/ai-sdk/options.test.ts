import type { LanguageModelV3Middleware } from "@ai-sdk/provider";
import { wrapLanguageModel } from "ai";
import { describe, expect, test } from "vitest";
import { receiptIn, resilience, resilientEmbeddingModel, resilientModel } from "../../../src/adapters/ai-sdk/index.ts";
import { type GenerationEvent, InvalidInput, MemoryHealth, patientPolicy } from "../../../src/index.ts";
import { answer, finish, partsOf, START, says, scripted } from "./scripted-model.ts";
import { CALL, find, gather, QUICK, rejection } from "./support.ts";

const good = () => answer("good");
const overloaded = (): never => {
  throw Object.assign(new Error("overloaded"), { statusCode: 529 });
};

/** The field that a call refuses. */
function refused(call: () => unknown): string | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof InvalidInput) return error.field;
    throw error;
  }
  return undefined;
}

describe("options", () => {
  test("E14: invalid input is refused by name, before anything is called", () => {
    const model = scripted({});
    const any = (value: unknown) => value as never;
    expect(refused(() => resilientModel([]))).toBe("models");
    expect(refused(() => resilientModel(any("openai/gpt-5.4")))).toBe("model");
    expect(refused(() => resilientModel([model, any(null)]))).toBe("models[1]");
    expect(refused(() => resilientModel({ ...model, specificationVersion: any("v2") }))).toBe(
      "model.specificationVersion",
    );
    expect(refused(() => resilientModel({ ...model, modelId: " " }))).toBe("model.modelId");
    expect(refused(() => resilientModel({ ...model, doStream: any(1) }))).toBe("model.doStream");
    expect(refused(() => resilientEmbeddingModel(any(model)))).toBe("model.doEmbed");
    expect(refused(() => resilientModel(model, { maxDelayMs: -1 }))).toBe("policy.maxDelayMs");
    expect(refused(() => resilientModel(model, {}, any({ targets: [] })))).toBe("options.targets");
    expect(refused(() => resilience({}, any({ signal: 1 })))).toBe("options.signal");
    expect(refused(() => resilience({}, { on: any(3) }))).toBe("options.on");
    expect(refused(() => resilience({}, { cancelGraceMs: -1 }))).toBe("options.cancelGraceMs");
    expect(refused(() => resilience().subscribe(any("x")))).toBe("listener");
  });

  test("B4: `on` and `subscribe` receive the events, until they are told to stop", async () => {
    const on: string[] = [];
    const model = resilientModel(scripted({ generate: [overloaded, good] }), QUICK, {
      on: ({ type }) => on.push(type),
    });
    const later: GenerationEvent[] = [];
    const stop = model.subscribe((event) => later.push(event));
    await model.doGenerate(CALL);
    const types = ["attempt-start", "attempt-end", "wait-start", "wait-end", "attempt-start", "attempt-end"];
    expect(on).toEqual([...types, "generation-end"]);
    expect(later.map(({ type }) => type)).toEqual(on);
    stop();
    await model.doGenerate(CALL);
    expect(later).toHaveLength(7);
    expect(on).toHaveLength(10);
  });

  test("B4: a call may name its generation", async () => {
    const model = resilientModel(scripted({ generate: [good], stream: [() => partsOf([START, says("a"), finish()])] }));
    const named = { ...CALL, providerOptions: { secondwind: { id: "order-7" } } };
    const { providerMetadata } = await model.doGenerate(named);
    expect(receiptIn(providerMetadata)?.generationId).toBe("order-7");
    const streamed = find(await gather((await model.doStream(named)).stream), "finish");
    expect(receiptIn(streamed.providerMetadata)?.generationId).toBe("order-7");
  });

  test.each([
    [{ id: 7 }, "providerOptions.secondwind.id must be a string; got 7"],
    [{ ID: "a" }, 'providerOptions.secondwind.ID must be omitted (known fields: id); got "a"'],
  ])("B4: refuses %j as what a call says of itself", async (secondwind, message) => {
    const model = resilientModel(scripted({ generate: [good] }));
    const wrong = { ...CALL, providerOptions: { secondwind } };
    const calls: readonly (() => PromiseLike<unknown>)[] = [() => model.doGenerate(wrong), () => model.doStream(wrong)];
    for (const call of calls)
      expect(await rejection(Promise.resolve().then(call))).toMatchObject({ name: "InvalidInput", message });
  });

  test("E17: models that share a health share its cooldowns, whichever API they use", async () => {
    const health = new MemoryHealth();
    const limited = (): never => {
      throw Object.assign(new Error("quota"), { statusCode: 401 });
    };
    const first = scripted({ generate: [limited] }, { provider: "openai.chat", modelId: "a" });
    const same = scripted({ generate: [good] }, { provider: "openai.responses", modelId: "a" });
    const other = scripted({ generate: [good] }, { provider: "q", modelId: "b" });
    await resilientModel([first, other], QUICK, { health }).doGenerate(CALL);
    const { providerMetadata } = await resilientModel([same, other], QUICK, { health }).doGenerate(CALL);
    expect(receiptIn(providerMetadata)?.targets).toEqual([{ provider: "q", model: "b", credential: "" }]);
    expect(same.calls).toHaveLength(0);
  });

  test("E14: one middleware serves several models, each under its own name", async () => {
    const middleware = resilience(patientPolicy());
    expect(middleware.policy.name).toBe("patient");
    const names: unknown[] = [];
    middleware.subscribe((event) => event.type === "attempt-start" && names.push(event.target));
    for (const modelId of ["a", "b"]) {
      const model = scripted({ generate: [good] }, { provider: "my.box.chat", modelId });
      const wrapped = wrapLanguageModel({ model, middleware });
      expect([wrapped.provider, wrapped.modelId]).toEqual(["my.box.chat", modelId]);
      await wrapped.doGenerate(CALL);
    }
    expect(names).toEqual(["a", "b"].map((model) => ({ provider: "my.box", model, credential: "" })));
  });

  test("E14: middleware inside of it runs once for each attempt", async () => {
    const calls: unknown[] = [];
    const counting: LanguageModelV3Middleware = {
      specificationVersion: "v3",
      transformParams: async ({ params }) => {
        calls.push(1);
        return { ...params, temperature: 0 };
      },
    };
    const model = scripted({ generate: [overloaded, good] });
    await wrapLanguageModel({ model, middleware: [resilience(QUICK), counting] }).doGenerate(CALL);
    expect(calls).toHaveLength(2);
    expect(model.calls[1]?.abortSignal).toBeInstanceOf(AbortSignal);
  });
});
