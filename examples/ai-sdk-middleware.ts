import { openai } from "@ai-sdk/openai";
import { wrapLanguageModel } from "ai";
import { resilience } from "secondwind/ai-sdk";

export const model = wrapLanguageModel({
  model: openai("gpt-5.4"),
  middleware: resilience({ maxDelayMs: 30_000, watchdog: { idleMs: 20_000 } }),
});
