import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import { patientPolicy, resilient } from "secondwind";
import { always, cutAfter, ok, overloaded, rateLimited, simulateProviders, virtualTime } from "secondwind/testing";

const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

test("gets through an overload, a rate limit and a broken connection", async () => {
  const script = [overloaded(), rateLimited({ retryAfterMs: 90_000 }), cutAfter(5), ok("Rayleigh scattering.")];
  const providers = await simulateProviders({ script });
  const client = new OpenAI({ apiKey: "test", baseURL: providers.baseURLs.openai, maxRetries: 0 });
  const time = virtualTime();
  const ask = resilient(
    ({ signal }) => client.chat.completions.create({ model: "gpt-5.4", messages }, { signal }),
    patientPolicy(),
    { ports: time.ports },
  );

  const answer = await ask();

  assert.equal(answer.choices[0]?.message.content, "Rayleigh scattering.");
  assert.deepEqual(
    time.waits.map(({ delayMs }) => delayMs),
    [5000, 90_000, 30_000], // 125 seconds, which took milliseconds.
  );
  assert.deepEqual(providers.stepsLeft, []);
  await providers.close();
});

test("gives up after eight hours of outage", async () => {
  const providers = await simulateProviders({ script: [always(overloaded())], listen: false });
  const client = new OpenAI({
    apiKey: "test",
    baseURL: providers.baseURLs.openai,
    fetch: providers.fetch,
    maxRetries: 0,
  });
  const time = virtualTime();
  const ask = resilient(
    ({ signal }) => client.chat.completions.create({ model: "gpt-5.4", messages }, { signal }),
    patientPolicy(),
    { ports: time.ports },
  );

  await assert.rejects(ask(), { reason: "retries-exhausted", attempts: 22 });

  assert.equal(time.elapsedMs, 27_105_000);
  assert.equal(providers.requests.length, 22);
  await providers.close();
});
