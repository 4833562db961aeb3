import { describe, expect, test } from "vitest";
import { toPrompt } from "../../src/providers/ai-sdk/to-prompt.ts";
import { inspectEvent } from "../../src/providers/index.ts";
import type { ProviderEvent } from "../../src/providers/provider.ts";
import { type AssistantMessage, messageSchema } from "../../src/wire/message.ts";
import { partsOf } from "./provider-contract.ts";

const SIGNED = { anthropic: { signature: "c2ln" } };
const said: AssistantMessage = {
  role: "assistant",
  model: "anthropic/claude",
  stopReason: "tool-use",
  parts: [
    { type: "reasoning", text: "Hm.", providerData: SIGNED },
    { type: "text", text: "Let me look." },
    {
      type: "tool-call",
      id: "a",
      name: "look",
      arguments: { at: 1 },
      providerData: { google: { thoughtSignature: "s" } },
    },
    { type: "tool-call", id: "b", name: "look", arguments: {} },
  ],
};
const result = (toolCallId: string, isError = false) =>
  ({ role: "tool", toolCallId, toolName: "look", content: `result ${toolCallId}`, isError }) as const;

describe("a conversation as the provider gets it", () => {
  test("S6: keeps order, roles, signatures, calls and results; results side by side are one message", () => {
    const messages = [{ role: "user", content: "Look" } as const, said, result("a"), result("b", true)];
    expect(toPrompt({ model: "claude", system: "Be brief", messages }, "anthropic")).toEqual([
      { role: "system", content: "Be brief" },
      { role: "user", content: [{ type: "text", text: "Look" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: SIGNED },
          { type: "text", text: "Let me look." },
          {
            ...{ type: "tool-call", toolCallId: "a", toolName: "look", input: { at: 1 } },
            providerOptions: { google: { thoughtSignature: "s" } },
          },
          { type: "tool-call", toolCallId: "b", toolName: "look", input: {} },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId: "a", toolName: "look", output: { type: "text", value: "result a" } },
          { type: "tool-result", toolCallId: "b", toolName: "look", output: { type: "error-text", value: "result b" } },
        ],
      },
    ]);
  });

  test("S6: reasoning is sent back only to the model that wrote it", () => {
    const [message] = toPrompt({ model: "gpt", messages: [said, result("a"), result("b")] }, "openai");
    expect(JSON.stringify(message)).not.toContain("Hm.");
    expect(JSON.stringify(message)).toContain("Let me look.");
  });

  test("S6: what every endpoint would refuse stays away: empty messages, calls without results, results without calls", () => {
    const nothing: AssistantMessage = { ...said, parts: [{ type: "text", text: "" }], stopReason: "error" };
    const prompt = toPrompt({ model: "m", messages: [nothing, said, result("a"), result("z")] }, "anthropic");
    expect(prompt.map(({ role }) => role)).toEqual(["assistant", "tool"]);
    expect(JSON.stringify(prompt)).not.toMatch(/"b"|"z"/);
  });
});

describe("events as a message", () => {
  const EVENTS: readonly ProviderEvent[] = [
    { type: "alive" },
    { type: "reasoning", text: "One" },
    { type: "reasoning", text: " two" },
    { type: "reasoning", text: "", providerData: SIGNED },
    { type: "reasoning", text: "Three" },
    { type: "text", text: "a" },
    { type: "text", text: "" },
    { type: "text", text: "b" },
    { type: "tool-call", id: "a", name: "look", arguments: { at: 1 } },
    { type: "usage", inputTokens: 1, outputTokens: 2 },
    { type: "finish", reason: "tool-use" },
  ];

  test("S6: parts are joined, and a signature closes its block", () => {
    const parts = partsOf(EVENTS);
    expect(parts).toEqual([
      { type: "reasoning", text: "One two", providerData: SIGNED },
      { type: "reasoning", text: "Three" },
      { type: "text", text: "ab" },
      { type: "tool-call", id: "a", name: "look", arguments: { at: 1 } },
    ]);
    const message = { role: "assistant", model: "a/b", stopReason: "tool-use", parts };
    expect(messageSchema.parse(message)).toEqual(message);
  });

  test("E14, E15: each event has its reading", () => {
    expect(EVENTS.map((event) => inspectEvent(event))).toEqual([
      ...[
        "noise",
        "content",
        "content",
        // E14: a signature alone never commits.
        "life",
        "content",
        "content",
        "noise",
        "content",
        "content",
        "content",
        "end",
      ],
    ]);
    expect(inspectEvent({ type: "alive", isProgress: true })).toBe("life");
    expect(inspectEvent({ type: "error", message: "HTTP 503: x", retryable: true, status: 503 })).toMatchObject({
      problem: { status: 503, message: "HTTP 503: x" },
    });
  });
});
