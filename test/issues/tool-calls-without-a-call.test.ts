import { expect, test } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { answer, finish, partsOf, START, says, scripted } from "../adapters/ai-sdk/scripted-model.ts";
import { CALL, gather, QUICK } from "../adapters/ai-sdk/support.ts";

const EMPTY = { ...answer(""), content: [], finishReason: { unified: "tool-calls", raw: "tool_calls" } } as const;

test("E15b: an answer that ends for its tool calls, but has neither a call nor text, is tried again", async () => {
  const model = scripted({ generate: [() => ({ ...EMPTY, content: [] }), () => answer("good")] });
  expect((await resilientModel(model, QUICK).doGenerate(CALL)).content).toEqual(answer("good").content);
  const streams = scripted({
    stream: [() => partsOf([START, finish("tool-calls")]), () => partsOf([START, says("good"), finish()])],
  });
  expect((await gather((await resilientModel(streams, QUICK).doStream(CALL)).stream)).text).toBe("good");
});
