import { expect, test } from "vitest";
import { socketRequestSchema } from "../../src/wire/http/chat.ts";
import { agentEventSchema } from "../wire/agent-event-schema.ts";
import { eventExamples } from "./event-examples.ts";
import { eventsDocument } from "./events-document.ts";

test("K6: docs/events.md has every event with its fields and an example that a turn has emitted (npm run docs writes it)", async () => {
  const { is, shouldBe } = await eventsDocument();
  expect(is).toBe(shouldBe);
  for (const { shape } of [...agentEventSchema.options, ...socketRequestSchema.options]) {
    expect(is).toContain(`### \`${shape.type.value}\``);
  }
});

test("K6: there is an example of every event, and each matches its schema", async () => {
  const examples = await eventExamples();
  expect([...examples.keys()].sort()).toEqual(agentEventSchema.options.map(({ shape }) => shape.type.value).sort());
  for (const event of examples.values()) expect(agentEventSchema.parse(event)).toEqual(event);
});
