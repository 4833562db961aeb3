import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, streamText } from "ai";
import { receiptIn, resilientModel } from "secondwind/ai-sdk";

// Two keys for one model, then a model of another provider.
const keyed = (apiKey = "") => createOpenAI({ apiKey })("gpt-5.4");
const { OPENAI_API_KEY, OPENAI_API_KEY_2 } = process.env;
const model = resilientModel([keyed(OPENAI_API_KEY), keyed(OPENAI_API_KEY_2), createAnthropic()("claude-sonnet-4-5")]);

const { text, providerMetadata } = await generateText({ model, prompt: "Why is the sky blue?" });
const receipt = receiptIn(providerMetadata);
console.log(text, `(${receipt?.attempts} attempts, waited ${receipt?.waitedMs} ms)`);

model.subscribe((event) => {
  if (event.type === "wait-start") console.error(`${event.failure.message}: next try in ${event.delayMs} ms`);
});
const { textStream } = streamText({ model, prompt: "And at night?", onError: ({ error }) => console.error(error) });
for await (const piece of textStream) process.stdout.write(piece);
