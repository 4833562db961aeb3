import OpenAI from "openai";
import { resilient } from "secondwind";

// The SDK's own retries are switched off: two layers that retry multiply each other.
const client = new OpenAI({ maxRetries: 0 });

export const ask = resilient(
  ({ signal, target }, question: string) =>
    client.chat.completions.create(
      { model: target.model, messages: [{ role: "user", content: question }] },
      { signal },
    ),
  { maxDelayMs: 60_000 },
  {
    targets: [
      { provider: "openai", model: "gpt-5.4" },
      { provider: "openai", model: "gpt-5.4-mini" },
    ],
  },
);
