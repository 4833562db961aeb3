import { expect, onTestFinished, test, vi } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import { overloaded, simulateProviders, virtualTime } from "../../src/adapters/testing/index.ts";
import { defaultPolicy, definePolicy, type PolicyInput, resilient, run, stream } from "../../src/index.ts";

/** As an application passes on what it was given: `{ signal }`, where `signal` may be undefined. */
const nothing: { readonly signal?: AbortSignal; readonly limitMs?: number } = {};
const { signal, limitMs } = nothing;

// That this file compiles is half of the test: the project has `exactOptionalPropertyTypes`.
test("E1: an option that is spelled out as undefined counts as missing, in the types as well", async () => {
  const options = { signal, id: undefined, policy: undefined, targets: undefined, on: undefined, textOf: undefined };
  expect(await run(() => "fine", options)).toMatchObject({ ok: true });
  expect(await resilient(() => "fine", undefined, { health: undefined }).with({ signal })()).toBe("fine");
  const items = stream(
    async function* () {
      yield 1;
    },
    { signal, inspect: undefined, sink: undefined },
  );
  expect(await items.next()).toEqual({ done: false, value: 1 });
  expect(virtualTime({ manual: undefined, seed: undefined }).elapsedMs).toBe(0);
});

test("E17: options of the fetch door that are spelled out as undefined count as missing", async () => {
  const fallback = { baseURL: "https://other.example/v1", model: "m", keys: undefined, format: undefined };
  const missing = { fetch: undefined, keys: undefined, health: undefined, on: undefined, ports: undefined };
  const { policy } = resilientFetch(undefined, { ...missing, fallbacks: undefined, cancelGraceMs: undefined });
  expect(resilientFetch(undefined, { fallbacks: [fallback] }).policy).toEqual(policy);
});

test("B7: details of a step that are spelled out as undefined count as missing", () => {
  expect(overloaded({ retryAfterMs: limitMs, message: undefined })).toEqual(overloaded());
});

test("E1: a field of a policy that is spelled out as undefined is taken from the base", () => {
  const changes: PolicyInput = {
    maxDelayMs: limitMs,
    watchdog: { idleMs: limitMs },
    fallback: { cooldownMs: limitMs },
    breaker: { cooldownMs: limitMs },
    rules: { server: undefined },
  };
  expect(definePolicy(changes, defaultPolicy())).toEqual(defaultPolicy());
});

test("B7: simulated providers do not wait before a token if that option is spelled out as undefined", async () => {
  const providers = await simulateProviders({ firstTokenMs: undefined, tokenMs: undefined, listen: false });
  const headers = { authorization: "Bearer k", "content-type": "application/json" };
  const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hello" }] });
  vi.useFakeTimers({ toFake: ["setTimeout"] }); // They stand still.
  onTestFinished(() => void vi.useRealTimers());
  const response = await providers.fetch(`${providers.baseURLs.openai}/chat/completions`, {
    method: "POST",
    headers,
    body,
  });
  expect(await response.json()).toMatchObject({ object: "chat.completion" });
  await providers.close();
});
