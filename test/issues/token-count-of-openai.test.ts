import OpenAI from "openai";
import { expect, onTestFinished, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { sendJson, serve } from "../adapters/fetch/server.ts";

test("E4: OpenAI's count of tokens is asked for again, as those of the other providers are", async () => {
  const server = await serve((_, response, count) =>
    count === 1
      ? sendJson(response, 503, { error: { message: "Overloaded" } })
      : sendJson(response, 200, { object: "response.input_tokens", input_tokens: 11 }),
  );
  onTestFinished(() => server.close());
  const fetch = resilientFetch({ schedules: { general: { type: "fixed", delayMs: 1, atMost: 1 } } });
  const client = new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1`, fetch, maxRetries: 0 });
  expect(await client.responses.inputTokens.count({ model: "m", input: "Hi" })).toMatchObject({ input_tokens: 11 });
  expect(server.received).toHaveLength(2);
});
