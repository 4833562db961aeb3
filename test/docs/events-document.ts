import { z } from "zod";
import { chatRequestSchema, socketRequestSchema } from "../../src/wire/http/chat.ts";
import { agentEventSchema, receiptSchema } from "../wire/agent-event-schema.ts";
import { eventExamples, exampleTurn } from "./event-examples.ts";
import { type Regenerated, regenerated } from "./regenerated.ts";
import { type Json, membersOf, nameOf, table, toJson } from "./schema-tables.ts";

/** docs/events.md with its tables and examples made anew: the tables from the schemas, the examples from turns that really ran. */
export async function eventsDocument(): Promise<Regenerated> {
  const examples = await eventExamples();
  const events = membersOf(agentEventSchema).map((shape) => {
    const name = nameOf(shape);
    return `### \`${name}\`\n\n${table(withoutIds(shape))}\n\n${json(JSON.stringify(examples.get(name), null, 2))}`;
  });
  const requests = membersOf(socketRequestSchema).map((shape) => `### \`${nameOf(shape)}\`\n\n${table(shape)}`);
  const lines = (await exampleTurn()).map((event) => JSON.stringify(event)).join("\n");
  return regenerated("events.md", {
    events: events.join("\n\n"),
    receipt: table(toJson(receiptSchema)),
    "chat request": table(z.toJSONSchema(chatRequestSchema, { io: "input" }) as never),
    "socket requests": requests.join("\n\n"),
    turn: json(lines),
  });
}

/** All events have them. */
function withoutIds({ properties = {}, ...shape }: Json): Json {
  const { conversationId: _, turnId: __, ...rest } = properties;
  return { ...shape, properties: rest };
}

function json(text: string): string {
  return `\`\`\`json\n${text}\n\`\`\``;
}
