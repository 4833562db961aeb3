import OpenAI from "openai";
import { resilient } from "secondwind";

// The SDK's own retries are switched off: two layers that retry multiply each other.
const client = new OpenAI({ maxRetries: 0 });

const ask = resilient(
  ({ signal, target }, input: string) => client.responses.create({ model: target.model, input }, { signal }),
  { maxDelayMs: 60_000 },
  {
    targets: [
      { provider: "openai", model: "gpt-5.4" },
      { provider: "openai", model: "gpt-5.4-mini" },
    ],
  },
);

const answer = await ask("Why is the sky blue?");
console.log(answer.model, answer.output_text);
