import type { AgentEvent } from "../../src/wire/index.ts";
import { ChatWorld } from "../hosts/serve/chat/chat-world.ts";
import { calls, emits, partly, says } from "../support/scripted-provider.ts";

const clock = {
  spec: { name: "current_time", description: "The current time", parameters: { type: "object" } },
  run: () => "2026-01-01T00:00:05.000Z",
};

const OVERLOADED = 'HTTP 529: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';

/** A turn with a wait, reasoning, a tool call and steering. */
export async function exampleTurn(): Promise<readonly AgentEvent[]> {
  const world = new ChatWorld(
    [
      emits(529, OVERLOADED),
      [{ type: "reasoning", text: "I need the time." }, ...calls(["call_1", "current_time"])],
      says("It is midnight", ", UTC."),
    ],
    { tools: [clock] },
  );
  const client = world.follow("c1");
  await world.service.send({ conversationId: "c1", message: "What time is it?" });
  await world.service.steer("c1", "In UTC, please");
  await world.sealed();
  return client.events;
}

/** A turn that fails after content. */
async function failedTurn(): Promise<readonly AgentEvent[]> {
  const world = new ChatWorld([partly("It is", ...emits(503, "HTTP 503: upstream connect error"))]);
  return (await world.ask("What time is it?")).events;
}

/** One example of each event, and a second one where it can look different. */
export async function eventExamples(): Promise<ReadonlyMap<string, AgentEvent>> {
  const examples = new Map<string, AgentEvent>();
  for (const event of [...(await exampleTurn()), ...(await failedTurn())]) {
    if (!examples.has(event.type)) examples.set(event.type, event);
  }
  return examples;
}
