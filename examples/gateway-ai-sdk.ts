import { createOpenAI } from "@ai-sdk/openai";
import { streamText } from "ai";

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL ?? "http://127.0.0.1:4747/v1" });

const { textStream } = streamText({
  model: openai("gpt-5.4"),
  prompt: "Why is the sky blue?",
  maxRetries: 0, // Secondwind retries instead.
});
for await (const text of textStream) process.stdout.write(text);
