import { afterEach, expect, test, vi } from "vitest";
import {
  connectionReset,
  cutAfter,
  ok,
  overloaded,
  type ScriptStep,
  simulateProviders,
} from "../../src/adapters/testing/index.ts";

afterEach(() => {
  vi.useRealTimers();
});

const CUT = expect.stringMatching(/^terminated$|^The connection closed|ECONNRESET/);
const STEPS: readonly [string, ScriptStep | string, unknown][] = [
  ["an answer", ok("Hello"), expect.stringContaining("Hello")],
  ["an error", overloaded(), expect.stringContaining("overloaded")],
  ["a reset connection", connectionReset(), "fetch failed"],
  ["a cut answer", cutAfter(2), CUT],
  ["a fault of the network", "fault-20-137", CUT],
];

test.each(STEPS.flatMap((step) => [true, false].map((listen) => [...step, listen] as const)))(
  "B7: %s comes although all timers are fake",
  async (_, step, expected, listen) => {
    const providers = await simulateProviders({ script: [step], listen });
    // Immediates are among them.
    vi.useFakeTimers();
    const send = listen ? fetch : providers.fetch;
    const got = send(`${providers.baseURLs.openai}/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer k", "content-type": "application/json" },
      body: JSON.stringify({ model: "m", stream: true, messages: [{ role: "user", content: "Hi" }] }),
    }).then((response) => response.text());

    expect(await got.catch((error: Error) => error.message)).toEqual(expected);
    await providers.close();
  },
);
