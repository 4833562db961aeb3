import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";
import type { ProviderEvent } from "../../src/providers/provider.ts";
import type { Message } from "../../src/wire/message.ts";
import { QUICK } from "../adapters/ai-sdk/support.ts";
import { serve, type TestServer } from "../adapters/fetch/server.ts";
import { endpointsAt, startGateway } from "../gateway/support/start-gateway.ts";
import { openProvider } from "../providers/support.ts";
import { SessionWorld } from "../session/sessions.ts";
import { calls, says } from "../support/scripted-provider.ts";

const START = { id: "m1", type: "message", role: "assistant", model: "claude", content: [], stop_reason: null };
const EVENTS = [
  { type: "message_start", message: { ...START, usage: { input_tokens: 9, output_tokens: 1 } } },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: "message_stop" },
];

let claude: TestServer;
beforeEach(async () => {
  claude = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
  });
});
afterEach(() => claude.close());

const QUESTION: Anthropic.MessageParam = { role: "user", content: "Write this down." };
const TOOL_USE: Anthropic.MessageParam = {
  role: "assistant",
  content: [{ type: "tool_use", id: "t1", name: "note", input: {} }],
};
const RESULT: Anthropic.MessageParam = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "t1", content: "noted" }],
};
const AFTER_TOOLS = [QUESTION, TOOL_USE, RESULT];

function ask(client: Anthropic, messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> {
  return client.messages.stream({ model: "claude", max_tokens: 100, messages }).finalMessage();
}

describe("E15b: Claude ends its turn without a word", () => {
  const throughFetch = () =>
    new Anthropic({ apiKey: "k", baseURL: claude.url, fetch: resilientFetch(QUICK), maxRetries: 0 });

  test("E15b: after the results of tools an end without a word is an answer for Anthropic's SDK", async () => {
    expect(await ask(throughFetch(), AFTER_TOOLS)).toMatchObject({ content: [], stop_reason: "end_turn" });
    expect(claude.received).toHaveLength(1);
  });

  test("E15b: after a question an end without a word is no answer for Anthropic's SDK", async () => {
    await expect(ask(throughFetch(), [QUESTION])).rejects.toThrow();
    expect(claude.received).toHaveLength(4);
  });

  test("E15b: after the results of tools an end without a word is an answer through the gateway", async () => {
    const gateway = await startGateway({ endpoints: endpointsAt(claude.url), policy: QUICK });
    const client = new Anthropic({ apiKey: "k", baseURL: gateway.url, maxRetries: 0 });
    expect(await ask(client, AFTER_TOOLS)).toMatchObject({ content: [], stop_reason: "end_turn" });
    expect(claude.received).toHaveLength(1);
    await expect(ask(client, [QUESTION])).rejects.toThrow();
    expect(claude.received).toHaveLength(5);
    await gateway.close();
  });

  test("E15b: after the results of tools an end without a word is an answer for a provider of sessions", async () => {
    const provider = openProvider({ name: "anthropic", speech: "anthropic", baseUrl: claude.url });
    const question: Message = { role: "user", content: "Write this down." };
    const call = { type: "tool-call" as const, id: "t1", name: "note", arguments: {} };
    const afterTools: Message[] = [
      question,
      { role: "assistant", model: "anthropic/claude", parts: [call], stopReason: "tool-use" },
      { role: "tool", toolCallId: "t1", toolName: "note", content: "noted", isError: false },
    ];
    const last = async (messages: Message[]): Promise<ProviderEvent | undefined> => {
      let latest: ProviderEvent | undefined;
      for await (const event of provider.stream({ model: "claude", messages }, new AbortController().signal))
        latest = event;
      return latest;
    };
    expect(await last(afterTools)).toEqual({ type: "finish", reason: "end" });
    expect(await last([question])).toMatchObject({ type: "error", code: "empty_response" });
  });

  test("E15b: a session ends such a turn well, without a retry, and takes the next prompt", async () => {
    const world = new SessionWorld();
    const provider = world.provider("acme", [calls(["t1", "missing"]), says(), says("Again.")]);
    const session = await world.open();
    await session.prompt("Write this down.");
    expect([provider.requests.length, world.retries()]).toEqual([2, []]);
    expect(world.event("agent_end")).toHaveLength(1);
    await session.prompt("And again.");
    expect(provider.requests).toHaveLength(3);
    expect(session.messages.at(-1)).toMatchObject({ role: "assistant", parts: [{ type: "text", text: "Again." }] });
  });
});
