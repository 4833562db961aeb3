import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import { expect, test } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { systemPorts } from "../../src/system/index.ts";
import { answer, scripted } from "../adapters/ai-sdk/scripted-model.ts";
import { CALL, QUICK, rejection } from "../adapters/ai-sdk/support.ts";

/** A model that gives something else than its type promises, and what is reported about it. */
function given(value: unknown) {
  const faults: string[] = [];
  const ports = { ...systemPorts(), reportFault: (_fault: unknown, where: string) => void faults.push(where) };
  const model = scripted({ generate: [() => value as LanguageModelV3GenerateResult] });
  return { call: () => resilientModel(model, QUICK, { ports }).doGenerate(CALL), faults, model };
}

const { finishReason: _reason, ...withoutReason } = answer("wind");
const { content: _content, ...withoutContent } = answer("wind");

test.each([
  ["finish reason", withoutReason],
  ["content", withoutContent],
])(
  "E19: an answer of the AI SDK without its %s reaches the caller as it is, and the fault is reported",
  async (_what, value) => {
    const { call, faults, model } = given(value);
    expect(await call()).toMatchObject(value);
    expect(faults).toEqual(["inspect"]);
    expect(model.calls).toHaveLength(1);
  },
);

test("E19: a call of the AI SDK that returns nothing is rejected and does not hang", async () => {
  const { call, faults } = given(undefined);
  expect(await rejection(call())).toBeInstanceOf(TypeError);
  expect(faults).toEqual(["present"]);
});
