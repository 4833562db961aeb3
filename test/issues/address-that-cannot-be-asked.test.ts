import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";
import { expect, test } from "vitest";
import { classify } from "../../src/kernel/classify/classify.ts";

// The AI SDK calls every failure to connect worth a retry: a mistyped base URL was retried until the policy gave up.

test("E1: a base URL with an unknown scheme is the caller's mistake, whatever the AI SDK says of it", async () => {
  const model = createOpenAI({ apiKey: "k", baseURL: "htp://127.0.0.1/v1" }).chat("m");
  const error = await generateText({ model, prompt: "x", maxRetries: 0 }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(classify(error)).toMatchObject({ kind: "bad_request", retryable: false, message: "unknown scheme" });
});
