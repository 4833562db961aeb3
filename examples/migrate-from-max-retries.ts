import OpenAI from "openai";
import { resilient } from "secondwind";

// Before: up to five retries within seconds, no other model or key, and an answer that stalls is waited for.
const impatient = new OpenAI({ maxRetries: 5 });
const askBefore = (input: string) => impatient.responses.create({ model: "gpt-5.4", input });

// After. The SDK's own retries are switched off: two layers that retry multiply each other.
const client = new OpenAI({ maxRetries: 0 });
const askAfter = resilient(({ signal }, input: string) =>
  client.responses.create({ model: "gpt-5.4", input }, { signal }),
);

console.log((await askBefore("Why is the sky blue?")).output_text);
console.log((await askAfter("Why is the sky blue?")).output_text);
