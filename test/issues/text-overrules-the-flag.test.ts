import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { resilient } from "../../src/index.ts";
import { says, throws } from "../support/scripted-provider.ts";
import { TurnWorld } from "../turn/turns.ts";

// The words "aborted" and "cancelled" in an error were read as an abort of ours, and the retry that the provider's flag asked
// for was never made.

describe("an emitted error with `retryable: true`", () => {
  test.each([
    "aborted",
    "Request was aborted.",
    "This operation was aborted",
    "The request was cancelled by the user",
    "已停止",
    "Invalid API key",
    "TypeError: x is not a function",
  ])("K2: is retried whatever its text: %s", async (message) => {
    const world = new TurnWorld([{ type: "error", message, retryable: true }], says("there"));
    const { status } = await world.run({ retry: world.strategy(500) });
    expect(status).toBe("done");
    expect(world.event("provider-retry")).toEqual([
      {
        ...{ type: "provider-retry", conversationId: "c1", turnId: "t1" },
        ...{ attempt: 0, delayMs: 500, message, retryAt: world.time.ports.wallNow() },
      },
    ]);
    expect(world.provider.requests).toHaveLength(2);
  });

  test("K2: is retried when what caused it has the name of an abort", async () => {
    const cause = new DOMException("This operation was aborted", "AbortError");
    const world = new TurnWorld([{ type: "error", message: "upstream left", retryable: true, cause }], says("there"));
    await world.run({ retry: world.strategy(500) });
    expect(world.provider.requests).toHaveLength(2);
  });

  test("K2: is not retried without the flag", async () => {
    const world = new TurnWorld([{ type: "error", message: "aborted", retryable: false }], says("there"));
    await world.run({ retry: world.strategy(500) });
    expect(world.provider.requests).toHaveLength(1);
    expect(world.event("error")).toMatchObject([{ message: "aborted" }]);
  });
});

describe("a thrown error", () => {
  const upstream = [
    "stream aborted by upstream",
    "aborted",
    "This operation was aborted",
    "The request was cancelled by the server",
    "generation cancelled",
  ];

  test.each(upstream)("K2: is retried although its text speaks of an abort: %s", async (message) => {
    const world = new TurnWorld(throws(new Error(message)), says("there"));
    await world.run({ retry: world.strategy(500) });
    expect(world.provider.requests).toHaveLength(2);
    expect(world.event("provider-retry")).toMatchObject([{ message, delayMs: 500 }]);
  });

  test.each([
    ["an AbortError", new DOMException("left", "AbortError")],
    ["Node's abort", Object.assign(new Error("left"), { name: "AbortError", code: "ABORT_ERR" })],
    ["the OpenAI SDK's abort", new OpenAI.APIUserAbortError()],
    ["the Anthropic SDK's abort", new Anthropic.APIUserAbortError()],
  ])("K2: is not retried if it is a real abort: %s", async (_, thrown) => {
    const world = new TurnWorld(throws(thrown), says("there"));
    await world.run({ retry: world.strategy(500) });
    expect(world.provider.requests).toHaveLength(1);
  });

  test("K2: is retried if a time limit of the call's own ended it", async () => {
    const world = new TurnWorld(throws(new DOMException("The operation timed out.", "TimeoutError")), says("there"));
    await world.run({ retry: world.strategy(500) });
    expect(world.provider.requests).toHaveLength(2);
  });

  test("E4: is retried by the library too when the other side aborted", async () => {
    let calls = 0;
    const call = resilient(
      async () => {
        calls += 1;
        if (calls < 3) throw new Error(calls === 1 ? "stream aborted by upstream" : "Request cancelled by the gateway");
        return "there";
      },
      { schedules: { general: { type: "fixed", delayMs: 1, atMost: 3 } } },
    );
    expect(await call()).toBe("there");
    expect(calls).toBe(3);
  });
});
