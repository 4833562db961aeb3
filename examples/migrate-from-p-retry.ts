import OpenAI from "openai";
import pRetry, { AbortError } from "p-retry";
import { resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 });

// Before: what is worth a retry is up to you, the server's `retry-after` is not read, and an answer that hangs is waited for.
const askBefore = (input: string, stop?: AbortSignal) =>
  pRetry(
    async () => {
      try {
        return await client.responses.create({ model: "gpt-5.4", input }, { signal: stop });
      } catch (error) {
        if (error instanceof OpenAI.APIError && [400, 401, 403, 404].includes(error.status ?? 0)) {
          throw new AbortError(error);
        }
        throw error;
      }
    },
    { retries: 5, minTimeout: 500, ...(stop !== undefined && { signal: stop }) },
  );

// After. Leave the schedule out to keep trying for 5 minutes. To stop it: `askAfter.with({ signal: stop })(input)`.
const askAfter = resilient(
  ({ signal }, input: string) => client.responses.create({ model: "gpt-5.4", input }, { signal }),
  { schedules: { general: { type: "exponential", baseMs: 500, atMost: 5 } } },
);

console.log((await askBefore("Why is the sky blue?")).output_text);
console.log((await askAfter("Why is the sky blue?")).output_text);
