import { createOpenAI } from "@ai-sdk/openai";
import { generateText } from "ai";
import { createRetryableModel, error, httpStatus } from "ai-retry/language-model";
import { resilientModel } from "secondwind/ai-sdk";

const openai = createOpenAI();

// Before: which error goes where is up to you, and each condition is tried once.
const before = createRetryableModel({
  model: openai("gpt-5.4"),
  retries: [
    httpStatus(503).switch({ model: openai("gpt-5.4-mini") }),
    error.isRetryable(true).retry({ delay: 1000, backoffFactor: 2 }),
  ],
});

// After: errors are classified, hints are heeded, and what can't be helped by a retry is not retried.
const after = resilientModel([openai("gpt-5.4"), openai("gpt-5.4-mini")]);

console.log((await generateText({ model: before, prompt: "Why is the sky blue?", maxRetries: 0 })).text);
console.log((await generateText({ model: after, prompt: "Why is the sky blue?" })).text);
