import { ChatOpenAI } from "@langchain/openai";
import { afterEach, describe, expect, test, vi } from "vitest";
import { resilientModel } from "../../src/adapters/ai-sdk/index.ts";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { virtualTime } from "../../src/adapters/testing/index.ts";
import { type Ports, resilient } from "../../src/index.ts";
import { aiSdkProbe, chatModel } from "./support/ai-sdk-probe.ts";
import { AlwaysFailing, FAILURES, type FailureName } from "./support/always-failing.ts";
import { openaiChat } from "./support/openai-probes.ts";
import { anthropicMessages } from "./support/other-sdk-probes.ts";
import { type Ask, Sight } from "./support/probe.ts";

/** As patient as the default policy, but without chance: the figures can be compared. */
const POLICY = {
  schedules: { general: { type: "fixed", delayMs: 5000, atMost: 30 } as const },
  breaker: null,
  budget: null,
};
const ALONE = 31;
const URL = "http://provider.invalid/v1";

/** What stands above the endpoint. Rejects, sooner or later. */
type Stack = (fetch: typeof globalThis.fetch, ports: Ports) => Promise<unknown>;

const ask = (fetch: typeof globalThis.fetch, maxRetries: number | undefined): Ask => ({
  urls: { openai: URL, anthropic: URL, aiSdk: { openai: URL } } as unknown as Ask["urls"],
  ...{ apiKey: "a", model: "m", prompt: "Hello", hasTool: false, isStreaming: true, fetch, maxRetries },
});
const ours = (fetch: typeof globalThis.fetch, ports: Ports) => resilientFetch(POLICY, { fetch, ports });
const sdkStack =
  (probe: typeof openaiChat, maxRetries: number | undefined): Stack =>
  (fetch, ports) =>
    probe(ask(ours(fetch, ports), maxRetries), new Sight());
const modelStack =
  (isOnFetch: boolean, maxRetries: number | undefined): Stack =>
  (fetch, ports) => {
    const probe = aiSdkProbe(chatModel, (model) => resilientModel(model, POLICY, { ports }));
    return probe(ask(isOnFetch ? ours(fetch, ports) : fetch, maxRetries), new Sight());
  };
const withResilient =
  (stack: Stack): Stack =>
  (fetch, ports) =>
    resilient(() => stack(fetch, ports), POLICY, { ports })();
/** On the real clock: the SDK's own waits are real, and virtual hours would pass meanwhile. */
const withRealResilient =
  (stack: Stack): Stack =>
  (fetch, ports) =>
    resilient(() => stack(fetch, ports), { schedules: { general: { type: "fixed", delayMs: 1, atMost: 30 } } })();

/** How many calls a stack makes before it gives up. */
async function callsOf(stack: Stack, failure: FailureName): Promise<number> {
  const endpoint = new AlwaysFailing(failure);
  const { ports } = virtualTime({ quietMs: 5 });
  await expect(stack(endpoint.fetch, ports)).rejects.toThrow();
  return endpoint.calls;
}

describe.each(FAILURES)("%s, always", (failure) => {
  test.each<readonly [string, Stack]>([
    ["the fetch door alone", sdkStack(openaiChat, 0)],
    ["the AI SDK door alone", modelStack(false, 0)],
    ["the AI SDK door on the fetch door", modelStack(true, 0)],
    ["`resilient` around the fetch door", withResilient(sdkStack(openaiChat, 0))],
    ["`resilient` around the AI SDK door on the fetch door", withResilient(modelStack(true, 0))],
    ["the AI SDK's own retries above its door", modelStack(false, undefined)],
    ["the AI SDK's own retries above both doors", modelStack(true, undefined)],
  ])("B3: %s makes the calls of one layer", async (_name, stack) => {
    expect(await callsOf(stack, failure)).toBe(ALONE);
  });

  test.each<readonly [string, Stack]>([
    ["the OpenAI SDK's own retries", sdkStack(openaiChat, undefined)],
    ["the Anthropic SDK's own retries", sdkStack(anthropicMessages, undefined)],
    ["`resilient` around the OpenAI SDK's own retries", withRealResilient(sdkStack(openaiChat, undefined))],
  ])("B3: %s above the fetch door add a fifth at most", async (_name, stack) => {
    const calls = await callsOf(stack, failure);
    expect(calls).toBeGreaterThanOrEqual(ALONE);
    expect(calls).toBeLessThanOrEqual(1.2 * ALONE);
  });
});

describe("LangChain", () => {
  afterEach(() => void vi.useRealTimers());

  test.each(FAILURES)("B3: its own six retries above the fetch door add a fifth at most: %s", async (failure) => {
    const endpoint = new AlwaysFailing(failure);
    const { ports } = virtualTime({ quietMs: 5 });
    const configuration = { baseURL: URL, fetch: ours(endpoint.fetch, ports) };
    const model = new ChatOpenAI({ model: "m", apiKey: "a", configuration, streaming: true });
    const invoked = model.invoke("Hello").then(
      () => "answered",
      () => "failed",
    );
    let ended: string | undefined;
    void invoked.then((how) => {
      ended = how;
    });
    // LangChain waits for up to a minute and more between its retries.
    const real = setTimeout;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    while (ended === undefined) {
      await vi.advanceTimersByTimeAsync(10_000);
      await new Promise((resolve) => real(resolve, 1));
    }
    expect(ended).toBe("failed");
    expect(endpoint.calls).toBeGreaterThanOrEqual(ALONE);
    expect(endpoint.calls).toBeLessThanOrEqual(1.2 * ALONE);
  });
});
