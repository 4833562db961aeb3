import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { ok, silent, simulateProviders, stallAfter } from "../../src/adapters/testing/index.ts";

const messages = [{ role: "user" as const, content: "Hello" }];

describe.each([true, false])("closing simulated providers whose `listen` is %s", (listen) => {
  test("B7: close cuts off the calls in flight that came through `fetch`, and later calls fail", async () => {
    const providers = await simulateProviders({ script: [stallAfter(2), silent(), ok()], listen });
    const { fetch, baseURLs } = providers;
    const client = new OpenAI({ apiKey: "k", baseURL: baseURLs.openai, fetch, maxRetries: 0 });
    const ask = () => client.chat.completions.create({ model: "m", messages });
    const streamed = await client.chat.completions.create({ model: "m", messages, stream: true });
    const read = (async () => {
      for await (const _ of streamed);
    })();
    const asked = ask();
    const ended = Promise.all([read, asked].map((call) => call.then(() => "answered").catch(() => "cut off")));
    while (providers.stepsLeft.length > 1) await new Promise((resolve) => setImmediate(resolve));

    await providers.close();
    await providers.close();

    expect(await ended).toEqual(["cut off", "cut off"]);
    await expect(ask()).rejects.toThrow("Connection error");
    expect(providers.stepsLeft).toEqual(["*: ok"]);
  });
});
