import OpenAI from "openai";
import { resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 });

// An answer without a JSON block is a failure like any other, and is retried.
const askForJson = resilient(
  ({ signal }, input: string) => client.responses.create({ model: "gpt-5.4", input }, { signal }),
  {
    require: { pattern: "```json\\s*\\{" },
    schedules: { general: { type: "fixed", delayMs: 500, atMost: 3 } },
  },
);

const answer = await askForJson("Colours of the sky by time of day, as JSON in a code block.");
console.log(answer.output_text);
