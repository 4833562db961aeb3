import { generateText, streamText, wrapLanguageModel } from "ai";
import { expect, test } from "vitest";
import { receiptIn, resilience, resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import type { Receipt } from "../../src/index.ts";
import { answer, finish, partsOf, START, says, scripted } from "../adapters/ai-sdk/scripted-model.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";

/** A provider whose models all have the middleware, as `wrapProvider` makes it. */
const inner = (provider: string, isGood: boolean) => {
  const refuse = (): never => {
    throw Object.assign(new Error("Invalid API key"), { statusCode: 401 });
  };
  const model = scripted(
    {
      generate: [isGood ? () => answer("from the fallback") : refuse],
      stream: [
        isGood ? () => partsOf([START, { type: "text-start", id: "0" }, says("from the fallback"), finish()]) : refuse,
      ],
    },
    { provider },
  );
  return wrapLanguageModel({ model, middleware: resilience(QUICK) });
};

const chain = () => {
  const receipts: Receipt[] = [];
  const model = resilientModel([inner("first", false), inner("second", true)], QUICK, {
    on: (event) => {
      if (event.type === "generation-end") receipts.push(event.receipt);
    },
  });
  return { model, receipts };
};

test("B4: the receipt of a chain whose models have the middleware, too, is that of the chain", async () => {
  const { model, receipts } = chain();
  const { text, providerMetadata } = await generateText({ model, prompt: "?" });
  expect(text).toBe("from the fallback");
  expect(receipts).toMatchObject([{ attempts: 2, targets: [{ provider: "first" }, { provider: "second" }] }]);
  expect(receiptIn(providerMetadata)).toEqual(receipts[0]);
});

test("B4: the receipt in the finish of a stream is that of the chain, too", async () => {
  const { model, receipts } = chain();
  const result = streamText({ model, prompt: "?" });
  expect(await result.text).toBe("from the fallback");
  expect(receipts).toHaveLength(1);
  expect(receiptIn(await result.providerMetadata)).toEqual(receipts[0]);
});
